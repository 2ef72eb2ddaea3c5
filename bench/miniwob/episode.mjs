// One episode of one task: looks and acts by Sidestick's socket, every act judged.

import path from "node:path";

import { CallRefused } from "../lib/host-client.mjs";
import { waitFor } from "../lib/processes.mjs";
import { judge } from "./judge.mjs";
import { nodes } from "./outline.mjs";
import { Picture } from "./picture.mjs";

/** A page that does not start its episode in this time is broken. */
const START_TIME_MAX_MS = 15_000;
/** What a page looks up for what was typed is there in this time. */
const SHOW_TIME_MAX_MS = 5_000;
/** After the last act, how long the page may take to end its episode. */
const END_TIME_MAX_MS = 3_000;
/** The instruction stands above this line of every page. */
const QUERY_BOTTOM_PX = 50;
/** And everything of the task left of this one. */
const AREA_RIGHT_PX = 165;
/** No task is higher than this. */
const TASK_HEIGHT_PX = 216;
/** Menus and calendars that open have opened in this time. */
const STILL_TIME_MAX_MS = 2_000;
/** A solution cannot go on. */
export class Stuck extends Error {}

/** The instruction fits several things, and the page pays for one of them that it does not tell. */
export class Unclear extends Stuck {}

/** An act was answered with a status its solution cannot go on from. */
export class Refused extends Stuck {
  constructor(action, outcome) {
    const { status, code, message } = outcome;
    super(`${action.action} ${JSON.stringify(action.target ?? "")}: ${status} ${code ?? ""}: ${message}`);
    this.status = status;
  }
}

export class Episode {
  /** @param {{client: any, dir: string, recorder: any, site: any, task: string, page: string, seed: string, random: () => number}} of */
  constructor(of) {
    Object.assign(this, of);
    this.acts = 0;
    /** @type {import('./judge.mjs').Complaint[]} */
    this.complaints = [];
    /** @type {{action: any, outcome: any}[]} */
    this.log = [];
    this.seen = 0;
    /** @type {Set<string>} What the page changed between acts, by itself. */
    this.own = new Set();
  }

  /** Opens the page and waits until its episode has started. */
  async start() {
    const outcome = await this.client.navigate(this.site.addressOf(this.task, this.page, this.seed));
    if (outcome.status !== "OBSERVED") throw new Refused({ action: "navigate" }, outcome);
    const isStarted = async () => (await this.happened()).some((each) => each.kind === "started");
    if (!(await waitFor(isStarted, START_TIME_MAX_MS, 20))) throw new Stuck("the episode did not start");
    return outcome;
  }

  /** Everything the page told so far. */
  happened() {
    return this.recorder.all(this.page);
  }

  /** Returns the page's own reward, or undefined when the episode has not ended. */
  async reward() {
    let ended;
    const look = async () => {
      ended = (await this.happened()).find((each) => each.kind === "ended");
      return ended !== undefined;
    };
    await waitFor(look, END_TIME_MAX_MS, 50);
    return ended;
  }

  // Looking.

  /** @param {{scope?: string, within?: string, query?: string, maxChars?: number}} [options] */
  async look(options = {}) {
    const seen = await this.client.observe({ scope: "document", ...options });
    this.outline = seen.outline;
    return nodes(seen.outline);
  }

  /** Returns the nodes of the task's own area. */
  area(options = {}) {
    return this.look({ within: "#area", ...options });
  }

  /** Returns the instruction as one line of text. */
  async instruction() {
    return this.text("#query");
  }

  /** Returns what stands in a part of the page, as one line. @param {string} within A CSS selector. */
  async text(within) {
    const found = await this.look({ within });
    return found
      .slice(1)
      .filter((node) => node.name !== "")
      .map((node) => node.name)
      .join(" ")
      .replace(/\s+/g, " ")
      .trim();
  }

  /** @param {Record<string, any>} options Words of `FindAsk`. */
  async find(options) {
    const { matches } = await this.client.ask({
      call: "find", role: null, name: null, text: null, near: null, scope: "document", limit: 100,
      ...options,
    });
    return matches;
  }

  /** Looks with a picture and returns it; pixels hold until the next look. */
  async picture() {
    const seen = await this.client.observe({ scope: "viewport", screenshot: true });
    this.outline = seen.outline;
    const name = seen.observation.screenshot;
    if (name === null) throw new Stuck("no picture");
    return Picture.read(path.join(this.dir, name), TASK_HEIGHT_PX);
  }

  /** Clicks a pixel of the newest picture. */
  clickAt({ x, y }, label = "shape", options = {}) {
    return this.click({ x, y, label }, options);
  }

  /** Drags from one pixel of the newest picture to another. */
  dragAt(from, to, label = "shape") {
    return this.drag({ x: from.x, y: from.y, label }, { to_x: to.x, to_y: to.y });
  }

  /**
   * Returns what the task's own area shows with exactly this text, wherever a click would find it.
   * @param {string} text
   */
  async found(text) {
    const shown = [];
    for (const match of await this.find({ text })) {
      if (!isInArea(match)) continue;
      if ((await this.textOf(match.ref)) === text) shown.push(match);
    }
    return shown;
  }

  /** Returns the text of one element, as one line. @param {string} ref */
  async textOf(ref) {
    const { text } = await this.client.ask({ call: "text", target: ref, max_chars: 20_000 });
    return text.replace(/\s+/g, " ").trim();
  }

  /**
   * Returns the plain elements in view of the task's area of which this holds, in order of the document.
   * @param {(part: {ref: string, tag: string, x: number, y: number, width: number, height: number}) => boolean} holds
   */
  async parts(holds) {
    // A find answers a hundred at most; what is in view is fewer.
    const matches = await this.find({ role: "generic", scope: "viewport" });
    return matches
      .filter(isInArea)
      .map(({ ref, subject, box: [x, y, width, height] }) => ({ ref, tag: subject.tag, x, y, width, height }))
      .filter(holds);
  }

  /** Clicks what shows this text. @param {string} text */
  async clickText(text) {
    const [first] = await this.found(text);
    if (first === undefined) throw new Stuck(`nothing shows ${text} in\n${this.outline}`);
    return this.click(first.ref);
  }

  /** Waits until the page has stopped moving, at most 2 s. */
  still() {
    return this.client.ask({ call: "wait", kind: "still", value: "", timeout_ms: STILL_TIME_MAX_MS });
  }

  /** Waits until the page shows a text, at most 5 s; what is not shown then is missed by who looks. @param {string} text */
  shows(text) {
    return this.client.ask({ call: "wait", kind: "text", value: text, timeout_ms: SHOW_TIME_MAX_MS });
  }

  /**
   * Returns the node with this role and, if given, name.
   * @param {import('./outline.mjs').Node[]} seen
   * @param {string} role
   * @param {string | RegExp} [name]
   */
  the(seen, role, name) {
    const matches = seen.filter((node) => node.role === role && isCalled(node, name));
    if (matches.length === 0) throw new Stuck(`no ${role} ${name ?? ""} in\n${this.outline}`);
    return matches[0];
  }

  // Acting.

  /**
   * Acts, holds the answer against the page, and throws when the act was refused.
   * @param {Record<string, any>} action
   * @param {{may?: string[]} & Record<string, any>} [options] `may`: statuses that are right too.
   */
  async act(action, { may = [], ...options } = {}) {
    for (const each of await this.fresh()) for (const what of each.what ?? []) this.own.add(what);
    let outcome = await this.once(action, options);
    if (outcome.status === "GATE_REQUIRED") {
      const goal = await this.goal();
      outcome = await this.once(action, { ...options, goal, gate: "requested" });
    }
    const went = ["OBSERVED", "SATISFIED", "NO_EFFECT", "PARTIAL", "UNSETTLED"].includes(outcome.status);
    if (!went && !may.includes(outcome.status)) throw new Refused(action, outcome);
    return outcome;
  }

  async once(action, options) {
    this.acts += 1;
    let outcome;
    try {
      outcome = await this.client.act(action, options);
    } catch (error) {
      if (!(error instanceof CallRefused)) throw error;
      outcome = { status: "REFUSED", code: error.code, fate: "not_sent", message: error.message, signals: [] };
    }
    const happened = await this.fresh();
    this.log.push({ action, outcome, happened });
    this.complaints.push(...judge(action, outcome, happened, this.own).map((each) => ({ ...each, action })));
    return outcome;
  }

  /** Returns what was told since this was last asked. */
  async fresh() {
    const all = await this.happened();
    const fresh = all.slice(this.seen);
    this.seen = all.length;
    return fresh;
  }

  /** Registers the instruction as a goal, once, for controls that are gated. */
  async goal() {
    if (this.goalId === undefined) {
      const title = (await this.instruction()).slice(0, 900) || this.task;
      this.goalId = `g-${this.page}`;
      await this.client.ask({ call: "goal", id: this.goalId, title });
    }
    return this.goalId;
  }

  click(target, options) {
    return this.act({ action: "click", target: ref(target) }, options);
  }

  fill(target, text, options) {
    return this.act({ action: "fill", target: ref(target), text: { source: "public", text } }, options);
  }

  type(target, text, options) {
    const to = target === null ? null : ref(target);
    return this.act({ action: "type", target: to, text: { source: "public", text } }, options);
  }

  press(key, target = null, options = {}) {
    return this.act({ action: "press", key, target: target === null ? null : ref(target) }, options);
  }

  select(target, ...values) {
    return this.act({ action: "select", target: ref(target), values });
  }

  check(target) {
    return this.act({ action: "check", target: ref(target) });
  }

  uncheck(target) {
    return this.act({ action: "uncheck", target: ref(target) });
  }

  hover(target, options) {
    return this.act({ action: "hover", target: ref(target) }, options);
  }

  scroll(target, direction, amount = 0.5) {
    const to = target === null ? null : ref(target);
    return this.act({ action: "scroll", target: to, direction, amount });
  }

  drag(target, to) {
    return this.act({ action: "drag", target: ref(target), to: to.to_x === undefined ? ref(to) : to });
  }

  /** Clicks the button with this name. @param {string} name */
  button(name) {
    return this.click({ role: "button", name });
  }
}

/** Returns whether a node has this name. */
export function isCalled(node, name) {
  if (name === undefined) return true;
  return name instanceof RegExp ? name.test(node.name) : node.name === name;
}

/** Whether a match stands in the task's area, neither in the instruction nor beside the task. */
function isInArea({ box: [x, y] }) {
  return y >= QUERY_BOTTOM_PX && x < AREA_RIGHT_PX;
}

/** Returns the words of a target for a node, a ref, or words that already are one. */
function ref(target) {
  if (typeof target === "string") return { ref: target };
  if (target.line !== undefined || target.tag !== undefined) {
    if (target.ref === null) throw new Stuck(`no ref: ${JSON.stringify(target)}`);
    return { ref: target.ref };
  }
  return target;
}
