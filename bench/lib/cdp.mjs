// The raw protocol and nothing else: Chromium on a pipe, JSON with a NUL after each message.
//
// It is the floor the rows are compared with; no waiting, no judging, no record.

import { EventEmitter } from "node:events";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";

import { endTree, removeFolder, start, temporaryFolder } from "./processes.mjs";

const ANSWER_TIME_MAX_MS = 120_000;

/** The flags Sidestick gives the browser, so that both drive the same one. */
const FLAGS = [
  "--remote-debugging-pipe",
  "--no-first-run",
  "--no-default-browser-check",
  "--no-service-autorun",
  "--no-pings",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-default-apps",
  "--disable-domain-reliability",
  "--disable-sync",
  "--disable-breakpad",
  "--disable-quic",
  "--disable-client-side-phishing-detection",
  "--disable-hang-monitor",
  "--disable-background-timer-throttling",
  "--disable-backgrounding-occluded-windows",
  "--disable-renderer-backgrounding",
  "--disable-features=Translate,OptimizationHints,MediaRouter,DialMediaRouteProvider," +
    "AutofillServerCommunication,CertificateTransparencyComponentUpdater,WebUIOmniboxPopup," +
    "WebUIOmniboxAimPopup,OmniboxWebUIPopup",
  "--metrics-recording-only",
  "--password-store=basic",
  "--mute-audio",
  "--force-color-profile=srgb",
  "--lang=en-US",
  "--window-size=1280,720",
];

/** One Chromium and one page of it. */
export class RawChromium {
  #child;
  #profile;
  #to;
  #parts = [];
  #next = 1;
  #waiting = new Map();
  #events = new EventEmitter();
  #session = "";

  /** Starts a browser and attaches to its page. @param {string} executable @returns {Promise<RawChromium>} */
  static async start(executable) {
    const chromium = new RawChromium();
    await chromium.#begin(executable);
    return chromium;
  }

  async #begin(executable) {
    this.#profile = temporaryFolder("ssb");
    const isShell = executable.includes("headless-shell");
    const args = [...FLAGS, isShell ? "--headless" : "--headless=new"];
    args.push(`--user-data-dir=${path.join(this.#profile, "profile")}`);
    if (os.userInfo().uid === 0) args.push("--no-sandbox");
    const env = { PATH: process.env.PATH ?? "/usr/bin:/bin", HOME: this.#profile };
    const stdio = ["ignore", "ignore", "ignore", "pipe", "pipe"];
    this.#child = start(executable, [...args, "about:blank"], { env, stdio });
    this.#to = this.#child.stdio[3];
    this.#to.on("error", () => {});
    this.#child.stdio[4].on("data", (bytes) => this.#take(bytes)).on("error", () => {});
    this.#child.once("exit", () => {
      for (const { reject } of this.#waiting.values()) reject(new Error("the browser has ended"));
    });

    const { targetInfos } = await this.call("Target.getTargets", {}, null);
    const page = targetInfos.find((target) => target.type === "page");
    const created = page ?? (await this.call("Target.createTarget", { url: "about:blank" }, null));
    const attach = { targetId: created.targetId, flatten: true };
    this.#session = (await this.call("Target.attachToTarget", attach, null)).sessionId;
    await this.call("Page.enable");
    // What Sidestick sets for its page too.
    await this.call("Emulation.setFocusEmulationEnabled", { enabled: true });
  }

  get pid() {
    return this.#child.pid;
  }

  /**
   * Calls one method.
   * @param {string} method
   * @param {Record<string, any>} [params]
   * @param {string | null} [session] Null for the browser itself.
   * @returns {Promise<any>}
   */
  call(method, params = {}, session = this.#session) {
    const id = this.#next++;
    const message =
      session === null ? { id, method, params } : { id, method, params, sessionId: session };
    return new Promise((resolve, reject) => {
      const late = () => reject(new Error(`no answer to ${method}`));
      const timer = setTimeout(late, ANSWER_TIME_MAX_MS);
      this.#waiting.set(id, { resolve, reject, timer });
      this.#to.write(`${JSON.stringify(message)}\0`);
    });
  }

  /** Evaluates an expression in the page; a promise is waited for. @param {string} expression */
  async evaluate(expression) {
    const params = { expression, returnByValue: true, awaitPromise: true };
    const { result, exceptionDetails } = await this.call("Runtime.evaluate", params);
    if (exceptionDetails !== undefined) {
      throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    }
    return result.value;
  }

  /** Loads an address and waits for its load event. @param {string} url */
  async open(url) {
    const loaded = new Promise((done) => {
      this.#events.once("Page.loadEventFired", done);
    });
    await this.call("Page.navigate", { url });
    await loaded;
  }

  async end() {
    await endTree(this.#child.pid);
    removeFolder(this.#profile);
  }

  #take(bytes) {
    let from = 0;
    for (let at = bytes.indexOf(0); at !== -1; at = bytes.indexOf(0, from)) {
      this.#parts.push(bytes.subarray(from, at));
      this.#deliver(JSON.parse(Buffer.concat(this.#parts).toString("utf8")));
      this.#parts = [];
      from = at + 1;
    }
    if (from < bytes.length) this.#parts.push(bytes.subarray(from));
  }

  #deliver(message) {
    if (message.id === undefined) {
      this.#events.emit(message.method);
      return;
    }
    const waiting = this.#waiting.get(message.id);
    if (waiting === undefined) return;
    this.#waiting.delete(message.id);
    clearTimeout(waiting.timer);
    if (message.error === undefined) waiting.resolve(message.result);
    else waiting.reject(new Error(message.error.message));
  }
}

/** Returns whether a browser of this name is installed. @param {string} executable */
export const isInstalled = (executable) => fs.existsSync(executable);
