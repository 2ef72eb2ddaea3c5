// The four tools behind one set of words: open a page, look, find a control, act, be told.
//
// A tool that has no words for a step says so, and the case is not counted for it.

import fs from "node:fs";
import path from "node:path";

import { AgentBrowser, ChromeDevtoolsMcp, PlaywrightMcp } from "../drivers/peers.mjs";
import { CallRefused } from "../lib/host-client.mjs";

/**
 * @typedef {object} Step One thing to do.
 * @property {string} do `click`, `fill`, `type`, `press`, `select`, `check`, `dialog`, `look`, ...
 * @property {string} [role]
 * @property {string} [name]
 * @property {number} [nth] Which of several with this role and name, from 0.
 * @property {string} [text]
 * @property {string[]} [values]
 * @property {string} [key]
 * @property {{role: string, name: string}} [to]
 * @property {string[]} [files]
 * @property {'accept' | 'dismiss'} [answer]
 * @property {string} [url]
 * @property {{x: number, y: number, label: string}} [pixel] The target is a point of the newest picture.
 * @property {boolean} [described] The target is named, not pointed at; only where the tool can.
 *
 * @typedef {{said: import('./judge.mjs').Said, text: string, status?: string, code?: string | null}} Told
 * @typedef {{role: string, name: string, ref: string, text: string}} Entry A line of an outline.
 */

/** The step has no words in this tool. */
export class NotExpressible extends Error {}
/** What was asked for is not listed. */
export class Absent extends Error {}

/** Roles of lines that show text rather than a control. */
const TEXT_ROLES =
  /^(|text|StaticText|InlineTextBox|heading|LabelText|paragraph|cell|listitem|row|generic|Legend)$/;
/** More acts than the corpora ask for. */
const ACTIONS = 100_000;

const plain = (text) => text.replace(/\s+/g, " ").trim().toLowerCase();

/** Returns the ref of the n-th entry that fits best. @param {Entry[]} entries @param {Step | {role: string, name: string, nth?: number}} target */
export function pick(entries, { role = "", name = "", nth = 0 }) {
  const named = entries.filter((entry) => plain(entry.name) === plain(name));
  const tiers = [
    named.filter((entry) => entry.role === role),
    named.filter((entry) => !TEXT_ROLES.test(entry.role)),
    named,
    entries.filter((entry) => plain(entry.text).includes(plain(name))),
  ];
  const found = tiers.find((tier) => tier.length > nth)?.[nth];
  if (found === undefined) throw new Absent(`no ${role} "${name}" is listed`);
  return found.ref;
}

function unquoted(text) {
  try {
    return JSON.parse(`"${text}"`);
  } catch {
    return text;
  }
}

/** Reads the nodes that have a ref out of an outline of ours. @param {string} outline @returns {Entry[]} */
export function entriesOf(outline) {
  const node =
    /([a-z]+)(?: \d+)?(?: "((?:[^"\\]|\\.)*)")?((?: +(?!f?\d*e\d+\b)(?:"(?:[^"\\]|\\.)*"|[^\s|"]+))*) +((?:f\d+)?e\d+)(?=\s|$)/g;
  return outline.split("\n").flatMap((line) =>
    [...line.matchAll(node)].map(([text, role, name = "", , ref]) => ({
      role,
      name: unquoted(name),
      ref,
      text,
    })),
  );
}

const SAID = {
  OBSERVED: "done",
  SATISFIED: "satisfied",
  PARTIAL: "partial",
  UNSETTLED: "unsure",
  UNKNOWN: "unsure",
  NO_EFFECT: "nothing",
  "NO_EFFECT request_sent": "sent",
  "NO_EFFECT not_observable": "unsure",
  ERROR: "error",
};

/** Ours, by the host's socket. */
export class Ours {
  who = "sidestick";
  outline = "";

  /** @param {{world: any, site: import('./site.mjs').Site}} with_ */
  static async start({ world, site }) {
    const tool = new Ours();
    Object.assign(tool, { world, site, folders: [] });
    await tool.begin();
    return tool;
  }

  async begin() {
    const { origin, beside, local } = this.site;
    const place = this.site.show("start", (it) => ({ "": () => it.page("Start", "") }));
    this.run = await this.world.begin(place.url, {
      actions: ACTIONS,
      allow: [beside, local, origin],
    });
    this.folders.push(this.run.dir);
    this.client = await this.run.connect();
  }

  async restart() {
    this.client.close();
    await this.run.end().catch(() => {});
    await this.begin();
  }

  /** Loads an address; whoever does not know what came of the last act has to look first. */
  async open(url) {
    const told = await this.told(() => this.client.navigate(url));
    if (told.code !== "look_first") return told;
    await this.look();
    return this.told(() => this.client.navigate(url));
  }

  /** Looks at what is shown, and at the whole when `whole`. */
  async look(whole = false) {
    const seen = await this.client.observe({ scope: whole ? "document" : "viewport" });
    this.outline = seen.outline;
    return this.outline;
  }

  async find(target) {
    if (target.pixel !== undefined) return target.pixel;
    if (target.described) return { role: target.role, name: target.name, near: target.near };
    try {
      return { ref: pick(entriesOf(this.outline), target) };
    } catch {
      await this.look(true);
      return { ref: pick(entriesOf(this.outline), target) };
    }
  }

  /** @param {Step} step @param {any} target @param {any} [to] @returns {Promise<Told>} */
  act(step, target, to) {
    return this.told(() => this.client.act(this.#action(step, target, to), step.options));
  }

  #action(step, target, to) {
    const text =
      step.text === undefined ? null : { source: step.source ?? "public", text: step.text };
    switch (step.do) {
      case "fill":
      case "type":
        return { action: step.do, target, text };
      case "select":
        return { action: "select", target, values: step.values };
      case "press":
        return { action: "press", key: step.key, target };
      case "scroll":
        return {
          action: "scroll",
          target,
          direction: step.direction ?? "down",
          amount: step.amount ?? 1,
        };
      case "drag":
        return { action: "drag", target, to };
      case "upload":
        return { action: "upload", target, files: step.files };
      case "dialog":
        return { action: "dialog", answer: step.answer, text };
      case "navigate":
        return { action: "navigate", url: step.url };
      case "back":
      case "forward":
      case "reload":
        return { action: step.do };
      case "tab":
        return { action: "tab", op: step.op };
      default:
        return { action: step.do, target };
    }
  }

  /** Asks, and says in the words of the table what was told. @returns {Promise<Told>} */
  async told(ask) {
    try {
      const outcome = await ask();
      const { status, code } = outcome;
      const said = SAID[`${status} ${code}`] ?? SAID[status] ?? "refused";
      const word = code === null ? status : `${status} ${code}`;
      return {
        said,
        status,
        code,
        text: JSON.stringify(outcome),
        message: `${word}: ${outcome.message}`,
        outcome,
      };
    } catch (error) {
      const isRefusal = error instanceof CallRefused;
      return {
        said: isRefusal ? "refused" : "error",
        code: error.code,
        text: error.message,
        message: error.message,
      };
    }
  }

  /** Closes other pages and answers dialogs; a session that cannot act is begun anew. */
  async calm() {
    const found = await this.client.ask({ call: "tabs" }).catch(() => null);
    if (found === null) return this.restart();
    await this.client.act({ action: "dialog", answer: "accept", text: null }).catch(() => {});
    for (const { current, id } of found.pages) {
      if (!current) await this.client.act({ action: "tab", op: { op: "close", value: id } });
    }
    await this.client.observe().catch(() => this.restart());
  }

  /** A folder whose files may be uploaded. */
  folder() {
    return this.world.project;
  }

  async end() {
    this.client.close();
    await this.run.end();
  }
}

/** What the peers have in common: a text is an answer, an error is a refusal. */
const asked = async (ask) => {
  try {
    const text = await ask();
    return { said: /** @type {const} */ ("done"), text, message: text };
  } catch (error) {
    return { said: /** @type {const} */ ("refused"), text: error.message, message: error.message };
  }
};

const no = (step) => {
  throw new NotExpressible(`no words for ${step.do}`);
};

export class AgentBrowserTool extends AgentBrowser {
  outline = "";

  /** @param {{browser: string}} with_ */
  static async start({ browser }) {
    const inner = await AgentBrowser.start(browser);
    const tool = new AgentBrowserTool();
    Object.assign(tool, { env: inner.env, cwd: inner.cwd });
    return tool;
  }

  folder() {
    return this.cwd;
  }

  async look() {
    // What the one leaves out, the other may list.
    this.outline = `${await this.run(["snapshot"])}\n${await this.run(["snapshot", "-i"])}`;
    return this.outline;
  }

  async find(target) {
    if (target.described) no(target);
    const line = /^\s*-?\s*([A-Za-z]+)(?: "((?:[^"\\\n]|\\.)*)")?[^\n]*\bref=(\w+)[^\n]*/gm;
    const entries = [...this.outline.matchAll(line)].map(([text, role, name = "", ref]) => ({
      role,
      name: unquoted(name),
      ref: `@${ref}`,
      text,
    }));
    return pick(entries, target);
  }

  act(step, target, to) {
    const args = this.#words(step, target, to);
    return asked(() => this.run(args));
  }

  #words(step, target, to) {
    const verbs = {
      click: "click",
      "double-click": "dblclick",
      hover: "hover",
      check: "check",
      uncheck: "uncheck",
    };
    if (step.do in verbs) return [verbs[step.do], target];
    switch (step.do) {
      case "fill":
      case "type":
        return target === null ? ["keyboard", "type", step.text] : [step.do, target, step.text];
      case "press":
        return target === null ? ["press", step.key.replace("ctrl+", "Control+")] : no(step);
      case "select":
        return ["select", target, ...step.values];
      case "drag":
        return ["drag", target, to];
      case "upload":
        return ["upload", target, ...step.files];
      case "dialog":
        return ["dialog", step.answer, ...(step.text === undefined ? [] : [step.text])];
      case "navigate":
        return ["open", step.url];
      case "back":
      case "forward":
      case "reload":
        return [step.do];
      default:
        return no(step);
    }
  }

  async open(url) {
    return asked(() => this.run(["open", url]));
  }

  async calm() {
    await this.run(["dialog", "accept"]).catch(() => {});
    const list = await this.run(["tab", "list"]).catch(() => "");
    const others = list.split("\n").filter((line) => /\bt\d+\b/.test(line)).length - 1;
    for (let left = others; left > 0; left--) await this.run(["tab", "close"]).catch(() => {});
  }

  async restart() {
    await this.run(["close"]).catch(() => {});
  }
}

/** Adds the words of the table to a server for agents. */
function mcpTool(Type, { line, words, calm }) {
  return class extends Type {
    outline = "";

    static async start({ browser }) {
      const inner = await Type.start(browser);
      const tool = new this();
      tool.client = inner.client;
      tool.browser = browser;
      return tool;
    }

    folder() {
      return path.join(fs.readlinkSync(`/proc/${this.client.pid}/cwd`), line.folder);
    }

    async look() {
      await this.prepare();
      this.outline = this.text;
      return this.outline;
    }

    async find(target) {
      if (target.described) no(target);
      const entries = [...this.outline.matchAll(line.pattern)].map((found) => line.entry(found));
      return pick(entries, target);
    }

    act(step, target, to) {
      const [name, args] = words(step, target, to);
      return asked(async () => {
        if (step.do === "upload" && line.isPlaywright) {
          await this.client.tool("browser_click", { element: step.name, target, ref: target });
        }
        return this.client.tool(name, args);
      });
    }

    async open(url) {
      return this.act({ do: "navigate", url }, null, null);
    }

    calm() {
      return calm(this.client);
    }

    async restart() {
      await this.client.end().catch(() => {});
      const inner = await Type.start(this.browser);
      this.client = inner.client;
    }
  };
}

const chord = (key) => key.replace("ctrl+", "Control+");

export const PlaywrightTool = mcpTool(PlaywrightMcp, {
  line: {
    isPlaywright: true,
    // Each may read its own place alone: the one where it runs, the other its temporary folder.
    folder: ".",
    pattern: /^\s*- '?([a-z]+)(?: "((?:[^"\\\n]|\\.)*)")?[^\n]*\[ref=([^\]]+)\][^\n]*/gm,
    entry: ([text, role, name = "", ref]) => ({ role, name: unquoted(name), ref, text }),
  },
  words: (step, target, to) => {
    const it = { element: step.name ?? "it", target, ref: target };
    switch (step.do) {
      case "click":
        return ["browser_click", it];
      case "double-click":
        return ["browser_click", { ...it, doubleClick: true }];
      case "right-click":
        return ["browser_click", { ...it, button: "right" }];
      case "hover":
        return ["browser_hover", it];
      case "fill":
        return target === null ? no(step) : ["browser_type", { ...it, text: step.text }];
      case "type":
        return target === null
          ? no(step)
          : ["browser_type", { ...it, text: step.text, slowly: true }];
      case "press":
        return target === null ? ["browser_press_key", { key: chord(step.key) }] : no(step);
      case "select":
        return ["browser_select_option", { ...it, values: step.values }];
      case "check":
      case "uncheck": {
        const field = {
          ...it,
          name: step.name,
          type: "checkbox",
          value: String(step.do === "check"),
        };
        return ["browser_fill_form", { fields: [field] }];
      }
      case "drag":
        return [
          "browser_drag",
          {
            startElement: step.name,
            startTarget: target,
            startRef: target,
            endElement: step.to.name,
            endTarget: to,
            endRef: to,
          },
        ];
      case "upload":
        return ["browser_file_upload", { paths: step.files }];
      case "dialog":
        return [
          "browser_handle_dialog",
          {
            accept: step.answer === "accept",
            ...(step.text === undefined ? {} : { promptText: step.text }),
          },
        ];
      case "navigate":
        return ["browser_navigate", { url: step.url }];
      case "back":
        return ["browser_navigate_back", {}];
      default:
        return no(step);
    }
  },
  calm: async (client) => {
    await client.tool("browser_handle_dialog", { accept: true }).catch(() => {});
    await client.tool("browser_file_upload", {}).catch(() => {});
    const list = await client.tool("browser_tabs", { action: "list" }).catch(() => "");
    const count = (list.match(/^- \d+:/gm) ?? []).length;
    for (let index = count - 1; index > 0; index--) {
      await client.tool("browser_tabs", { action: "close", index }).catch(() => {});
    }
  },
});

export const DevtoolsTool = mcpTool(ChromeDevtoolsMcp, {
  line: {
    folder: "../tmp",
    pattern: /^\s*uid=(\S+)(?: ([A-Za-z]+))?(?: "((?:[^"\\\n]|\\.)*)")?[^\n]*/gm,
    entry: ([text, ref, role = "", name = ""]) => ({ role, name: unquoted(name), ref, text }),
  },
  words: (step, target, to) => {
    switch (step.do) {
      case "click":
        return ["click", { uid: target }];
      case "double-click":
        return ["click", { uid: target, dblClick: true }];
      case "hover":
        return ["hover", { uid: target }];
      case "fill":
        return ["fill", { uid: target, value: step.text }];
      case "type":
        return target === null ? ["type_text", { text: step.text }] : no(step);
      case "press":
        return target === null ? ["press_key", { key: chord(step.key) }] : no(step);
      case "select":
        return step.values.length === 1
          ? ["fill", { uid: target, value: step.values[0] }]
          : no(step);
      case "check":
      case "uncheck":
        return ["fill", { uid: target, value: String(step.do === "check") }];
      case "drag":
        return ["drag", { from_uid: target, to_uid: to }];
      case "upload":
        return ["upload_file", { uid: target, filePaths: step.files }];
      case "dialog":
        return [
          "handle_dialog",
          { action: step.answer, ...(step.text === undefined ? {} : { promptText: step.text }) },
        ];
      case "navigate":
        return ["navigate_page", { type: "url", url: step.url }];
      case "back":
      case "forward":
      case "reload":
        return ["navigate_page", { type: step.do }];
      default:
        return no(step);
    }
  },
  calm: async (client) => {
    await client.tool("handle_dialog", { action: "accept" }).catch(() => {});
    const list = await client.tool("list_pages", {}).catch(() => "");
    const pages = [...list.matchAll(/^(\d+):/gm)].map(([, id]) => Number(id));
    for (const pageId of pages.slice(1))
      await client.tool("close_page", { pageId }).catch(() => {});
    if (pages.length > 1) await client.tool("select_page", { pageId: pages[0] }).catch(() => {});
  },
});

/** Every tool by its name. */
export const TOOLS = {
  sidestick: Ours,
  "agent-browser": AgentBrowserTool,
  "playwright-mcp": PlaywrightTool,
  "chrome-devtools-mcp": DevtoolsTool,
};

/** Returns which of some texts stand in the files of the folders. @param {string[]} folders @param {(string | RegExp)[]} secrets @returns {{file: string, secret: string}[]} */
export function inFiles(folders, secrets) {
  const found = [];
  for (const folder of folders) {
    for (const entry of fs.readdirSync(folder, { withFileTypes: true, recursive: true })) {
      if (!entry.isFile() || /\.(png|jpg|webp)$/.test(entry.name)) continue;
      const file = path.join(entry.parentPath ?? entry.path, entry.name);
      const text = fs.readFileSync(file, "utf8");
      for (const secret of secrets) {
        const stands = typeof secret === "string" ? text.includes(secret) : secret.test(text);
        if (stands) found.push({ file: path.relative(folder, file), secret: String(secret) });
      }
    }
  }
  return found;
}
