// The hands a scenario is done with: Sidestick's, and each peer's, by the same words.
//
// A hand looks before each step, takes the ref of what it looks for out of what it was shown, does
// the step, and keeps what it was told about it.

import { CallRefused } from "../lib/host-client.mjs";
import { pause } from "../lib/processes.mjs";

/** Roles of what is only text; taken when nothing else has the name. */
const PASSIVE = ["text", "StaticText", "LabelText", "label", "generic", "paragraph", "log", "status", "heading", "cell", "row", "table", "caption", "legend", "Legend", "listitem"];
const STILL_TIME_MS = 1_500;
const MOVING_TIME_MS = 1_500;
const TEXT_CHARS = 2_000_000;
const PEER_PAUSES_MS = [500, 1_500];

/** The tool was shown nothing that fits. */
export class Missing extends Error {}
/** The tool would not do it, and said so. */
export class Refused extends Error {}

/**
 * @typedef {object} Wanted
 * @property {string | string[]} role
 * @property {string | string[]} name
 * @property {string} [near] Only behind a line that holds this text.
 *
 * @typedef {object} Shown One thing of a tool's view of the page.
 * @property {string} role
 * @property {string} name
 * @property {string} [ref]
 * @property {string} line
 *
 * @typedef {object} Told What a tool said about one step.
 * @property {string} step
 * @property {boolean} yes Whether it said that the step did what was asked.
 * @property {boolean} differs Whether it said that the page holds something else than was asked.
 * @property {string} words
 */

const nameOf = ({ name }) => [name].flat()[0];

/** Returns what of `shown` fits best; a colon drawn behind a label is no part of its name. @param {Shown[]} shown @param {Wanted} wanted @param {string[]} skipped */
export function pick(shown, { role, name, near }, skipped = []) {
  const roles = [role].flat();
  const names = [name].flat();
  const from = near === undefined ? 0 : shown.findIndex((each) => each.line.includes(near));
  if (from === -1) return undefined;
  const named = shown.slice(from).filter((each) => names.includes(each.name.replace(/ ?:$/, "")));
  const held = named.filter((each) => each.ref !== undefined && !skipped.includes(each.ref));
  for (const wanted of roles) {
    const found = held.find((each) => each.role === wanted);
    if (found !== undefined) return found;
  }
  // What has a role and a name, and no ref, can still be described.
  const described = named.find(
    (each) => each.ref === undefined && roles.includes(each.role) && !PASSIVE.includes(each.role),
  );
  return held.find((each) => !PASSIVE.includes(each.role)) ?? described ?? held[0];
}

const plain = (quoted) => quoted?.replaceAll(/\\(.)/g, "$1");

class Hand {
  /** @type {Told[]} */
  told = [];

  begin() {
    this.told = [];
  }

  /** Looks until what is wanted is shown. @param {Wanted} wanted @param {string[]} [skipped] Refs not to take. */
  async see(wanted, skipped = []) {
    for (const look of this.looks()) {
      const found = pick(await look(wanted), wanted, skipped);
      if (found !== undefined) return found;
    }
    throw new Missing(`no ${[wanted.role].flat().join(" or ")} "${nameOf(wanted)}" is shown`);
  }

  /** Returns whether it is shown at the first look. @param {Wanted} wanted */
  async shows(wanted) {
    const [look] = this.looks();
    return pick(await look(), wanted) !== undefined;
  }

  save() {
    return this.click({ role: "button", name: "Save" });
  }
}

export class SidestickHand extends Hand {
  who = "sidestick";
  #goals = 0;
  /** @type {Shown[]} What the last look showed. */
  outline = [];

  /** @param {import('../lib/host-client.mjs').HostClient} client */
  constructor(client) {
    super();
    this.client = client;
  }

  async open(url) {
    const answer = await this.client.navigate(url);
    if (answer.status !== "OBSERVED") throw new Error(`${answer.status}: ${answer.message}`);
  }

  looks() {
    const still = { call: "wait", kind: "still", value: "", timeout_ms: STILL_TIME_MS };
    return [
      () => this.#look("viewport"),
      () => this.client.ask(still).then(() => this.#look("viewport")),
      () => this.#look("document"),
      (wanted) => this.#find(wanted),
    ];
  }

  /** Searches by text, for what the outline shows without a ref. */
  async #find({ role, name }) {
    const text = [name].flat()[0];
    const rest = { role: null, name: null, near: null, scope: "document", limit: 20 };
    const { matches } = await this.client.ask({ call: "find", text, ...rest });
    const fitting = matches.filter((match) => [role].flat().includes(match.subject.role));
    return fitting.map((match) => ({ role: match.subject.role, name: text, ref: match.ref, line: "" }));
  }

  async #look(scope) {
    const { outline } = await this.client.observe({ scope, maxChars: TEXT_CHARS });
    this.outline = outline.split("\n").flatMap((line) =>
      line.split(" | ").map((cell) => {
        const [, role, name] = /^\s*(?:row \d+ )?([a-z]+)(?: \d+)?(?: "((?:[^"\\]|\\.)*)")?/.exec(cell) ?? [];
        const ref = /(?:^|\s)((?:f\d+)?e\d+)$/.exec(cell)?.[1];
        return { role: role ?? "", name: plain(name) ?? "", ref, line };
      }),
    );
    return this.outline;
  }

  /**
   * Acts; what moves is waited for, of several that answer the first is taken, and what is gated is
   * done for a goal that says so.
   */
  async #act(step, action, options = {}) {
    let said = await this.#ask(action, {});
    if (said.code === "moving") said = await this.#ask(action, { wait_ms: MOVING_TIME_MS });
    if (said.status === "AMBIGUOUS" && said.matches.length > 0) {
      const [{ ref }] = said.matches;
      action = { ...action, target: { ref } };
      said = await this.#ask(action, {});
    }
    if (said.status === "GATE_REQUIRED") {
      const goal = `g${++this.#goals}`;
      await this.client.ask({ call: "goal", id: goal, title: step });
      said = await this.#ask(action, { goal, gate: "requested" });
    }
    const told = judged(step, said, options);
    if (said.status === "NOT_VISIBLE" && options.hasNext) return said;
    this.told.push(told);
    if (said.fate === "not_sent" && said.status !== "SATISFIED") throw new Refused(told.words);
    return said;
  }

  async #ask(action, options) {
    try {
      return await this.client.act(action, options);
    } catch (error) {
      if (!(error instanceof CallRefused)) throw error;
      return { status: "REFUSED", code: error.code, fate: "not_sent", message: error.message };
    }
  }

  async #target(wanted) {
    const { ref, role, name } = await this.see(wanted);
    return ref === undefined ? { role, name } : { ref };
  }

  async #on(step, wanted, action, options) {
    const words = `${step} "${nameOf(wanted)}"`;
    const first = await this.#target(wanted);
    const next = first.ref === undefined ? undefined : this.#namesake(wanted, first.ref);
    const said = await this.#act(words, action(first), { ...options, hasNext: next !== undefined });
    if (said.status !== "NOT_VISIBLE") return said;
    return this.#act(words, action(next), options);
  }

  /** What else has the name, for when the first turns out to be out of sight. */
  #namesake(wanted, ref) {
    const found = pick(this.outline, wanted, [ref]);
    return found?.ref === undefined || PASSIVE.slice(0, 3).includes(found.role) ? undefined : { ref: found.ref };
  }

  click(wanted, options) {
    return this.#on("click", wanted, (target) => ({ action: "click", target }), options);
  }

  fill(wanted, text, options) {
    const typed = { source: "public", text };
    return this.#on("fill", wanted, (target) => ({ action: "fill", target, text: typed }), options);
  }

  type(wanted, text, options) {
    const typed = { source: "public", text };
    if (wanted === null) return this.#act("type", { action: "type", target: null, text: typed }, options);
    return this.#on("type", wanted, (target) => ({ action: "type", target, text: typed }), options);
  }

  press(key, wanted = null, options = {}) {
    if (wanted === null) return this.#act(`press ${key}`, { action: "press", key, target: null }, options);
    return this.#on(`press ${key}`, wanted, (target) => ({ action: "press", key, target }), options);
  }

  select(wanted, values) {
    return this.#on("select", wanted, (target) => ({ action: "select", target, values }));
  }

  check(wanted) {
    return this.#on("check", wanted, (target) => ({ action: "check", target }));
  }

  uncheck(wanted) {
    return this.#on("uncheck", wanted, (target) => ({ action: "uncheck", target }));
  }

  scroll(wanted, direction, amount) {
    return this.#on("scroll", wanted, (target) => ({ action: "scroll", target, direction, amount }));
  }

  async drag(wanted, onto) {
    const to = await this.#target(onto);
    return this.#on("drag", wanted, (target) => ({ action: "drag", target, to }));
  }
}

/**
 * Holds an outcome against what the step asked.
 * @param {{takes?: string, unseen?: boolean}} options What the field will show instead of what it is
 *   given; and whether a person would see nothing of the step either.
 * @returns {Told}
 */
function judged(step, { status, code, message, effect }, { takes, unseen = false }) {
  const read = effect?.read_back ?? null;
  const asItWillBe = read !== null && takes !== undefined && read.found === takes;
  const worked = ["OBSERVED", "SATISFIED"].includes(status) || (unseen && status === "NO_EFFECT");
  const yes = (worked && (read === null || read.equal || asItWillBe)) || (status === "PARTIAL" && asItWillBe);
  const held = read === null || read.equal ? "" : ` asked ${JSON.stringify(read.asked)} found ${JSON.stringify(read.found)}`;
  const words = `${step}: ${status}${code === null ? "" : ` ${code}`}${held}${worked ? "" : ` (${message})`}`;
  return { step, yes, differs: status === "PARTIAL", words };
}

/** A peer says that a step worked, or fails. */
class PeerHand extends Hand {
  constructor(peer) {
    super();
    this.peer = peer;
    this.who = peer.who;
  }

  open(url) {
    return this.peer.open(url);
  }

  looks() {
    const look = async () => parsed(await this.peer.outline({}), this.pattern);
    // None of them waits for a page to rest; what opens slowly is given the time to.
    return [look, ...PEER_PAUSES_MS.map((ms) => () => pause(ms).then(look))];
  }

  async does(step, work) {
    try {
      const said = await work();
      this.told.push({ step, yes: true, differs: false, words: `${step}: said done` });
      return said;
    } catch (error) {
      const words = `${step}: ${String(error.message).split("\n").slice(0, 3).join(" ").slice(0, 160)}`;
      this.told.push({ step, yes: false, differs: false, words });
      throw new Refused(words);
    }
  }

  async on(step, wanted, work) {
    const { ref } = await this.see(wanted);
    return this.does(`${step} "${nameOf(wanted)}"`, () => work(ref));
  }
}

/** Reads a peer's view, line by line. @returns {Shown[]} */
function parsed(text, pattern) {
  return text.split("\n").map((line) => {
    const found = pattern.exec(line)?.groups ?? {};
    return { role: found.role ?? "text", name: plain(found.name) ?? found.text?.trim() ?? "", ref: found.ref, line };
  });
}

const PLAYWRIGHT_KEYS = { ctrl: "Control", shift: "Shift", alt: "Alt" };
const keyOf = (chord) =>
  chord
    .split("+")
    .map((part) => PLAYWRIGHT_KEYS[part] ?? part)
    .join("+");

export class AgentBrowserHand extends PeerHand {
  pattern = /^\s*- (?<role>\w+)(?: "(?<name>(?:[^"\\]|\\.)*)")?.*?ref=(?<ref>\w+)/;

  #run(step, wanted, args) {
    return this.on(step, wanted, (ref) => this.peer.run(args(`@${ref}`)));
  }

  click(wanted) {
    return this.#run("click", wanted, (ref) => ["click", ref]);
  }

  async fill(wanted, text) {
    const name = nameOf(wanted);
    try {
      return await this.#run("fill", wanted, (ref) => ["fill", ref, text]);
    } catch (error) {
      if (!(error instanceof Missing)) throw error;
      // What its view shows without a ref it still finds by its label.
      return this.does(`fill "${name}"`, () =>
        this.peer.run(["find", "label", name, "fill", text, "--exact"]),
      );
    }
  }

  async type(wanted, text) {
    // Its own `type` writes where the caret is, and what is asked for is the end of the field.
    if (wanted !== null) await this.press("ctrl+End", wanted);
    return this.does("type", () => this.peer.run(["keyboard", "type", text]));
  }

  async press(key, wanted = null) {
    if (wanted !== null) await this.#run("focus", wanted, (ref) => ["focus", ref]);
    return this.does(`press ${key}`, () => this.peer.run(["press", keyOf(key)]));
  }

  select(wanted, values) {
    return this.#run("select", wanted, (ref) => ["select", ref, ...values]);
  }

  check(wanted) {
    return this.#run("check", wanted, (ref) => ["check", ref]);
  }

  uncheck(wanted) {
    return this.#run("uncheck", wanted, (ref) => ["uncheck", ref]);
  }

  async drag(wanted, onto) {
    const to = (await this.see(onto)).ref;
    return this.#run("drag", wanted, (ref) => ["drag", ref, `@${to}`]);
  }
}

export class PlaywrightHand extends PeerHand {
  pattern = /^\s*- '?(?<role>\w+)(?: "(?<name>(?:[^"\\]|\\.)*)")?.*?\[ref=(?<ref>\w+)\](?:[^:]*: ?(?<text>.*))?/;

  #tool(step, wanted, name, more = {}) {
    return this.on(step, wanted, (ref) =>
      this.peer.client.tool(name, { element: nameOf(wanted), target: ref, ref, ...more }),
    );
  }

  click(wanted) {
    return this.#tool("click", wanted, "browser_click");
  }

  fill(wanted, text) {
    return this.#tool("fill", wanted, "browser_type", { text });
  }

  async type(wanted, text) {
    if (wanted !== null) {
      await this.press("ctrl+End", wanted);
      return this.#tool("type", wanted, "browser_type", { text, slowly: true });
    }
    for (const key of text) await this.press(key);
  }

  async press(key, wanted = null) {
    if (wanted !== null) await this.click(wanted);
    return this.does(`press ${key}`, () => this.peer.client.tool("browser_press_key", { key: keyOf(key) }));
  }

  select(wanted, values) {
    return this.#tool("select", wanted, "browser_select_option", { values });
  }

  #box(step, wanted, value) {
    return this.on(step, wanted, (ref) => {
      const field = { element: nameOf(wanted), name: nameOf(wanted), type: "checkbox", target: ref, ref, value };
      return this.peer.client.tool("browser_fill_form", { fields: [field] });
    });
  }

  check(wanted) {
    return this.#box("check", wanted, "true");
  }

  uncheck(wanted) {
    return this.#box("uncheck", wanted, "false");
  }

  async drag(wanted, onto) {
    const to = (await this.see(onto)).ref;
    return this.on("drag", wanted, (ref) =>
      this.peer.client.tool("browser_drag", {
        startElement: nameOf(wanted),
        startTarget: ref,
        startRef: ref,
        endElement: nameOf(onto),
        endTarget: to,
        endRef: to,
      }),
    );
  }
}

export class ChromeDevtoolsHand extends PeerHand {
  // It does not escape quotes in a name.
  pattern = /^\s*uid=(?<ref>\S+)(?: (?<role>\w+))?(?: "(?<name>.*?)"(?= |$))?/;

  #tool(step, wanted, name, more = {}) {
    return this.on(step, wanted, (uid) => this.peer.client.tool(name, { uid, ...more }));
  }

  click(wanted) {
    return this.#tool("click", wanted, "click");
  }

  fill(wanted, value) {
    return this.#tool("fill", wanted, "fill", { value });
  }

  async type(wanted, text) {
    if (wanted !== null) await this.press("ctrl+End", wanted);
    return this.does("type", () => this.peer.client.tool("type_text", { text }));
  }

  async press(key, wanted = null) {
    if (wanted !== null) await this.click(wanted);
    return this.does(`press ${key}`, () => this.peer.client.tool("press_key", { key: keyOf(key) }));
  }

  select(wanted, values) {
    if (values.length > 1) throw new Missing("no tool chooses several options");
    return this.#tool("select", wanted, "fill", { value: values[0] });
  }

  check(wanted) {
    return this.#tool("check", wanted, "fill", { value: "true" });
  }

  uncheck(wanted) {
    return this.#tool("uncheck", wanted, "fill", { value: "false" });
  }

  async drag(wanted, onto) {
    const to = (await this.see(onto)).ref;
    return this.on("drag", wanted, (ref) => this.peer.client.tool("drag", { from_uid: ref, to_uid: to }));
  }
}

/** The hand of each peer. */
export const PEER_HANDS = {
  "agent-browser": AgentBrowserHand,
  "playwright-mcp": PlaywrightHand,
  "chrome-devtools-mcp": ChromeDevtoolsHand,
};
