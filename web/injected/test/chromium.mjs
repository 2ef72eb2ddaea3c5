// A real Chromium over its debugging pipe, with the page scripts in an isolated world.
//
// Only what the tests of the page scripts need: it starts one browser and opens pages in it.

import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const HERE = dirname(fileURLToPath(import.meta.url));
const ROOT = join(HERE, "../../..");
const INJECTED = join(ROOT, "crates/browser/src/injected");
const WORLD = "sidestick-test";
const BROWSERS = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"];

export const fixture = (name) => pathToFileURL(join(ROOT, "fixtures/web", name, "index.html")).href;
export const dataPage = (html) => `data:text/html;charset=utf-8,${encodeURIComponent(html)}`;

export class Browser {
  #calls = new Map();
  #next = 1;
  #listeners = new Set();

  static async start() {
    const path = process.env.SIDESTICK_CHROMIUM ?? BROWSERS.find((file) => existsSync(file));
    if (!path) throw new Error("no Chromium; install with: apt-get install chromium");
    return new Browser(path);
  }

  constructor(path) {
    this.folder = mkdtempSync(join(tmpdir(), "sidestick-page-scripts-"));
    const flags = [
      "--headless=new",
      "--remote-debugging-pipe",
      `--user-data-dir=${this.folder}`,
      "--disable-background-networking",
      "--no-first-run",
      "--disable-component-update",
      "--disable-sync",
      "--window-size=1280,800",
      "--allow-file-access-from-files",
    ];
    if (process.getuid?.() === 0) flags.push("--no-sandbox");
    this.process = spawn(path, [...flags, "about:blank"], {
      stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"],
    });
    let pending = "";
    this.process.stdio[4].setEncoding("utf8").on("data", (chunk) => {
      const parts = (pending + chunk).split("\0");
      pending = parts.pop();
      for (const part of parts) this.#take(JSON.parse(part));
    });
    this.ended = new Promise((done) => this.process.once("exit", done));
  }

  #take(message) {
    const call = this.#calls.get(message.id);
    if (!call) return void this.#listeners.forEach((listen) => listen(message));
    this.#calls.delete(message.id);
    if (message.error) call.reject(new Error(`${call.method}: ${message.error.message}`));
    else call.resolve(message.result);
  }

  send(method, params = {}, sessionId) {
    const id = this.#next++;
    return new Promise((resolve, reject) => {
      this.#calls.set(id, { resolve, reject, method });
      this.process.stdio[3].write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    });
  }

  on(listen) {
    this.#listeners.add(listen);
    return () => this.#listeners.delete(listen);
  }

  async open(url) {
    const { targetId } = await this.send("Target.createTarget", { url: "about:blank" });
    const { sessionId } = await this.send("Target.attachToTarget", { targetId, flatten: true });
    const page = new Page(this, targetId, sessionId);
    await page.begin(url);
    return page;
  }

  async stop() {
    // Asked first: a browser that is killed leaves its children to notice by themselves.
    this.send("Browser.close").catch(() => {});
    await Promise.race([this.ended, new Promise((done) => setTimeout(done, 2000))]);
    this.process.kill("SIGKILL");
    await this.ended;
    for (const pipe of [3, 4]) this.process.stdio[pipe].destroy();
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

export class Page {
  #frame = null;
  #world = null;
  #loaded = null;

  constructor(browser, targetId, sessionId) {
    Object.assign(this, { browser, targetId, sessionId });
    this.forget = browser.on((message) => message.sessionId === sessionId && this.#hear(message));
  }

  send(method, params) {
    return this.browser.send(method, params, this.sessionId);
  }

  #hear({ method, params }) {
    if (method === "Runtime.executionContextCreated") {
      const { id, name, auxData } = params.context;
      if (name === WORLD && auxData.frameId === this.#frame) this.#world = id;
    }
    if (method === "Runtime.executionContextDestroyed" && params.executionContextId === this.#world)
      this.#world = null;
    if (method === "Page.loadEventFired") this.#loaded?.();
  }

  async begin(url) {
    await Promise.all([this.send("Page.enable"), this.send("Runtime.enable")]);
    this.#frame = (await this.send("Page.getFrameTree")).frameTree.frame.id;
    for (const name of ["read", "act"]) {
      const source = readFileSync(join(INJECTED, `${name}.js`), "utf8");
      await this.send("Page.addScriptToEvaluateOnNewDocument", {
        source,
        worldName: WORLD,
        runImmediately: true,
      });
    }
    await this.go(url);
  }

  async go(url) {
    const loaded = new Promise((done) => (this.#loaded = done));
    await this.send("Page.navigate", { url });
    await loaded;
  }

  async #call(object, name, args, byValue = true) {
    const declaration = `function (name, args) { return globalThis.${object}[name](args); }`;
    const answer = await this.send("Runtime.callFunctionOn", {
      functionDeclaration: declaration,
      executionContextId: this.#world,
      arguments: [{ value: name }, args],
      returnByValue: byValue,
      awaitPromise: true,
    });
    if (answer.exceptionDetails) {
      throw new Error(
        `${name}: ${answer.exceptionDetails.exception?.description ?? answer.exceptionDetails.text}`,
      );
    }
    return byValue ? answer.result.value : answer.result;
  }

  read(name, args = {}) {
    return this.#call("sidestickRead", name, { value: args });
  }

  readHandle(name, args = {}) {
    return this.#call("sidestickRead", name, { value: args }, false);
  }

  readWithHandle(name, objectId) {
    return this.#call("sidestickRead", name, { objectId });
  }

  act(name, args = {}) {
    return this.#call("sidestickAct", name, { value: args });
  }

  /** The id of the isolated world of the page's document. */
  context() {
    return this.#world;
  }

  /** The ref of the element that a selector finds in the top document. */
  async refOf(selector) {
    const found = await this.read("outline", {
      scope: "document",
      within: selector,
      query: null,
      nodes_max: 1,
      chars_max: 1e6,
    });
    const ref = found.nodes[0]?.ref;
    if (ref) return ref;
    // What the outline leaves out is found by its name.
    const name = await this.inPage(`(() => { const e = document.querySelector(${JSON.stringify(selector)});
      return e.getAttribute("aria-label") ?? (e.labels?.[0] ?? e).textContent; })()`);
    const answer = await resolveIn(this, { role: null, name, near: null });
    return answer.element.ref;
  }

  /** Runs an expression in the isolated world. */
  async inWorld(expression) {
    const answer = await this.send("Runtime.evaluate", {
      expression,
      contextId: this.#world,
      returnByValue: true,
      awaitPromise: true,
    });
    if (answer.exceptionDetails) throw new Error(answer.exceptionDetails.exception?.description);
    return answer.result.value;
  }

  /** Runs an expression in the page's own world. */
  async inPage(expression) {
    const answer = await this.send("Runtime.evaluate", {
      expression,
      returnByValue: true,
      awaitPromise: true,
    });
    if (answer.exceptionDetails) throw new Error(answer.exceptionDetails.exception?.description);
    return answer.result.value;
  }

  async press(x, y) {
    await this.send("Input.dispatchMouseEvent", { type: "mouseMoved", x, y });
    await this.send("Input.dispatchMouseEvent", {
      type: "mousePressed",
      x,
      y,
      button: "left",
      clickCount: 1,
    });
    await this.send("Input.dispatchMouseEvent", {
      type: "mouseReleased",
      x,
      y,
      button: "left",
      clickCount: 1,
    });
  }

  async key(key, code = key) {
    const text = key.length === 1 ? key : undefined;
    await this.send("Input.dispatchKeyEvent", { type: "keyDown", key, code, text });
    await this.send("Input.dispatchKeyEvent", { type: "keyUp", key, code });
  }

  insert(text) {
    return this.send("Input.insertText", { text });
  }

  async close() {
    this.forget();
    await this.browser.send("Target.closeTarget", { targetId: this.targetId });
  }
}

const NO_LIMIT = { nodes_max: 100_000, chars_max: 10_000_000 };

export const outlineOf = (page, args = {}) =>
  page.read("outline", { scope: "viewport", within: null, query: null, ...NO_LIMIT, ...args });

export const findIn = (page, args) =>
  page.read("find", {
    role: null,
    name: null,
    name_exact: false,
    text: null,
    near: null,
    scope: "viewport",
    limit: 100,
    ...args,
  });

export const resolveIn = (page, target, action = "click", values = null, expect = null) =>
  page.read("resolve", { target, action, values, text_kind: null, expect });

/** Arms, presses where the script says, and settles: one click as the driver makes it. */
export async function click(page, ref, settle = {}) {
  const armed = await page.read("arm", { ref, point: null, focus_ref: null, expect: settle.expect ?? null });
  if (!armed.ok) return { armed, settled: null };
  await page.press(armed.x, armed.y);
  const settled = await page.read("settle", { cap_ms: 2000, expect: null, asked: false, ...settle });
  await page.read("disarm");
  return { armed, settled };
}
