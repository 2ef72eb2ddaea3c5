// The tools Sidestick is measured beside, each at the version its lock file pins, on the same browser.

import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

import { McpClient } from "../lib/mcp.mjs";
import { finished, kill, marked, temporaryFolder, tree } from "../lib/processes.mjs";

const MODULES = fileURLToPath(new URL("../peers/node_modules/", import.meta.url));
const AGENT_BROWSER = path.join(MODULES, "agent-browser/bin/agent-browser-linux-x64");
const PLAYWRIGHT_MCP = path.join(MODULES, "@playwright/mcp/cli.js");
const CHROME_DEVTOOLS_MCP = path.join(
  MODULES,
  "chrome-devtools-mcp/build/src/bin/chrome-devtools-mcp.js",
);

const COMMAND_TIME_MAX_MS = 60_000;
const isRoot = os.userInfo().uid === 0;

/** Returns a folder and an environment of a peer's own. */
function home() {
  const root = temporaryFolder("ssbp");
  for (const name of ["home", "tmp", "work"]) fs.mkdirSync(path.join(root, name));
  const env = marked({
    PATH: process.env.PATH ?? "/usr/bin:/bin",
    HOME: path.join(root, "home"),
    TMPDIR: path.join(root, "tmp"),
    XDG_RUNTIME_DIR: path.join(root, "tmp"),
    LANG: "C.UTF-8",
  });
  return { root, env, cwd: path.join(root, "work") };
}

function find(text, pattern, what) {
  const found = pattern.exec(text)?.[1];
  if (found === undefined) throw new Error(`no ${what} in\n${text.slice(0, 600)}`);
  return found;
}

const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** agent-browser: a native command line with a daemon of its own. */
export class AgentBrowser {
  who = "agent-browser";
  #text = "";
  #daemon;

  /** @param {string} browser */
  static async start(browser) {
    const peer = new AgentBrowser();
    const { env, cwd } = home();
    // Its package marks the program executable in an install script, and we run none.
    fs.chmodSync(AGENT_BROWSER, 0o755);
    peer.cwd = cwd;
    peer.env = {
      ...env,
      AGENT_BROWSER_EXECUTABLE_PATH: browser,
      AGENT_BROWSER_SESSION: `bench${process.pid}`,
      ...(isRoot ? { AGENT_BROWSER_ARGS: "--no-sandbox" } : {}),
    };
    return peer;
  }

  static binary = AGENT_BROWSER;

  async run(args) {
    const where = { cwd: this.cwd, env: this.env };
    const said = await finished(AGENT_BROWSER, args, { ...where, timeoutMs: COMMAND_TIME_MAX_MS });
    if (said.exit !== 0) throw new Error(`${args[0]}: ${(said.out + said.err).slice(0, 300)}`);
    return said.out;
  }

  async open(url) {
    await this.run(["open", url]);
  }

  async prepare() {
    this.#text = await this.run(["snapshot"]);
  }

  #ref(role, name) {
    return `@${find(this.#text, new RegExp(`${role} "${escaped(name)}"[^\\n]*ref=(\\w+)`), name)}`;
  }

  click(name) {
    return this.run(["click", this.#ref("button", name)]);
  }

  fill(name, text) {
    return this.run(["fill", this.#ref("textbox", name), text]);
  }

  outline({ interactive = false }) {
    return this.run(interactive ? ["snapshot", "-i"] : ["snapshot"]);
  }

  async state() {
    return this.run(["eval", "window.state()"]);
  }

  async picture() {
    const file = path.join(this.cwd, "picture.png");
    await this.run(["screenshot", file]);
    return fs.statSync(file).size;
  }

  /** Returns the daemon and what is below it. */
  processes() {
    this.#daemon ??= daemonOf(this.env.AGENT_BROWSER_SESSION);
    return this.#daemon === undefined ? [] : tree(this.#daemon);
  }

  async end() {
    const below = this.processes();
    await this.run(["close"]).catch(() => {});
    for (const pid of below) await kill(pid);
  }
}

/** Finds the daemon by the environment we gave it. */
function daemonOf(session) {
  const needle = `AGENT_BROWSER_SESSION=${session}`;
  return fs
    .readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .find((pid) => {
      try {
        const has = fs.readFileSync(`/proc/${pid}/environ`, "latin1").split("\0").includes(needle);
        return has && fs.readlinkSync(`/proc/${pid}/exe`) === fs.realpathSync(AGENT_BROWSER);
      } catch {
        return false;
      }
    });
}

/** What the two servers for agents have in common. */
class McpPeer {
  text = "";

  async begin(args) {
    const { env, cwd } = home();
    this.client = await McpClient.start(process.execPath, args, { cwd, env: { ...env, CI: "1" } });
  }

  async toolList() {
    const { tools } = await this.client.call("tools/list");
    return JSON.stringify(
      tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
    );
  }

  processes() {
    return tree(this.client.pid);
  }

  end() {
    return this.client.end();
  }
}

export class PlaywrightMcp extends McpPeer {
  who = "playwright-mcp";

  /** @param {string} browser */
  static async start(browser) {
    const peer = new PlaywrightMcp();
    const args = [
      "--headless",
      "--isolated",
      "--executable-path",
      browser,
      "--viewport-size",
      "1280x720",
    ];
    await peer.begin([PLAYWRIGHT_MCP, ...args, ...(isRoot ? ["--no-sandbox"] : [])]);
    return peer;
  }

  async open(url) {
    await this.client.tool("browser_navigate", { url });
  }

  async prepare() {
    this.text = await this.client.tool("browser_snapshot");
  }

  #ref(role, name) {
    return find(
      this.text,
      new RegExp(`${role} "${escaped(name)}"[^\\n]*\\[ref=([^\\]]+)\\]`),
      name,
    );
  }

  click(name) {
    const ref = this.#ref("button", name);
    return this.client.tool("browser_click", { element: name, target: ref, ref });
  }

  fill(name, text) {
    const ref = this.#ref("textbox", name);
    return this.client.tool("browser_type", { element: name, target: ref, ref, text });
  }

  outline() {
    return this.client.tool("browser_snapshot");
  }

  state() {
    return this.client.tool("browser_evaluate", { function: "() => window.state()" });
  }

  picture() {
    return this.client.tool("browser_take_screenshot", {});
  }
}

export class ChromeDevtoolsMcp extends McpPeer {
  who = "chrome-devtools-mcp";

  /** @param {string} browser */
  static async start(browser) {
    const peer = new ChromeDevtoolsMcp();
    const args = [
      "--headless",
      "--isolated",
      "--executablePath",
      browser,
      "--viewport",
      "1280x720",
    ];
    args.push("--no-usage-statistics", "--no-performance-crux", "--no-page-id-routing");
    await peer.begin([
      CHROME_DEVTOOLS_MCP,
      ...args,
      ...(isRoot ? ["--chromeArg=--no-sandbox"] : []),
    ]);
    return peer;
  }

  async open(url) {
    await this.client.tool("navigate_page", { type: "url", url });
  }

  async prepare() {
    this.text = await this.client.tool("take_snapshot", {});
  }

  #uid(role, name) {
    return find(this.text, new RegExp(`uid=(\\S+) ${role} "${escaped(name)}"`), name);
  }

  click(name) {
    return this.client.tool("click", { uid: this.#uid("button", name) });
  }

  fill(name, text) {
    return this.client.tool("fill", { uid: this.#uid("textbox", name), value: text });
  }

  outline() {
    return this.client.tool("take_snapshot", {});
  }

  state() {
    return this.client.tool("evaluate_script", { function: "() => window.state()" });
  }

  picture() {
    return this.client.tool("take_screenshot", {});
  }
}

/** Each peer, its package, and the file whose absence says that it is not installed. */
export const PEERS = [
  { who: "agent-browser", package: "agent-browser", type: AgentBrowser, needs: AGENT_BROWSER },
  { who: "playwright-mcp", package: "@playwright/mcp", type: PlaywrightMcp, needs: PLAYWRIGHT_MCP },
  {
    who: "chrome-devtools-mcp",
    package: "chrome-devtools-mcp",
    type: ChromeDevtoolsMcp,
    needs: CHROME_DEVTOOLS_MCP,
  },
];

/** Returns the packages of peers that are not installed. @returns {string[]} */
export function missingPeers() {
  return PEERS.filter(({ needs }) => !fs.existsSync(needs)).map((peer) => peer.package);
}

/** Returns the version of each peer that the lock file pins. @returns {Record<string, string>} */
export function peerVersions() {
  const lock = JSON.parse(
    fs.readFileSync(new URL("../peers/package-lock.json", import.meta.url), "utf8"),
  );
  const top = Object.keys(lock.packages[""].dependencies);
  return Object.fromEntries(
    top.map((name) => [name, lock.packages[`node_modules/${name}`].version]),
  );
}
