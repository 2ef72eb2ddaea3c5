// Watches every tree that can be reached, marks that another look is due, and remembers what moves
// by itself.
//
// It never decides that something changed: only two readings do. While no act window is open it keeps,
// per element, two instants at which it changed; that is all the noise rule needs.

import { afterTask, frame } from "./beat.ts";
import { rootElementOf } from "./dom.ts";
import { attr, documents, flatHolds, holds, isConnected, isElement, isText, nodeValueOf, ownerOf } from "./dom.ts";
import {
  parentElementOf,
  parentOf,
  queryAll,
  readyStateOf,
  rootOf,
  shadowOf,
  tagOf,
  textContentOf,
  typeOf,
  viewOf,
} from "./dom.ts";
import { pendingSince } from "./pending.ts";
import { everyElement } from "./scan.ts";
import { isReached } from "./reach.ts";
import { isSecretAutocomplete, markSecrets, rememberSecret } from "./secret.ts";
import { isBlank } from "./walk.ts";

export type Category = "content" | "children" | "flip" | "value";

const NOISE_WINDOW_MS = 10_000;
const BUSY_MS = 2000;
const CALM_MS = 5000;
const APART_MS = 50;
const UNREAD_MS = 120_000;
const KEPT_MAX = 500;
const FIELDS_MAX = 64;
const LOOKED_FOR_MS = 3000;
// A message from one task to another, or a promise of the browser's, takes about this long at most.
const MESSAGE_MS = 50;
const TASKS_MAX = 1000;
// What follows a person's or our own input this soon is not the page moving by itself.
const AFTER_INPUT_MS = 1000;
// What a page builds this soon after it has loaded is no sign of its moving by itself.
const BIRTH_MS = 1000;
const INPUTS = "pointerdown keydown wheel drop paste";
// What a page is told of trusted input: what it changes in answer, in the same task, is the input's doing.
// Not what a page can bring about by itself and is told of with a trusted event as well: the focus, the
// change of a field that lost it, a form sent or reset, text put in by a command, a step in the history.
const CAUSES =
  "pointerover pointermove pointerdown pointerup pointercancel mouseover mousemove mousedown mouseup click " +
  "dblclick auxclick contextmenu keydown keypress keyup beforeinput wheel " +
  "touchstart touchend dragstart drag dragenter dragover dragleave drop dragend copy cut paste";

const EVENTS =
  "input change submit focusin focusout toggle scroll transitionrun transitionend animationstart animationend";

const FOLLOWING = /^(toggle|scroll|transitionrun|animationstart)$/;

/** Two instants of change at least `APART_MS` apart, the later last. */
interface Times {
  last: number;
  earlier: number;
}

/** When something changed in an act window. */
export interface Moments {
  /** Whether any of it happened in the task of a trusted input. */
  isDirect: boolean;
  first: number;
  last: number;
  /** Instants at least `APART_MS` apart, and the longest time between two of them. */
  count: number;
  gap: number;
  /** How long it had been quiet before the first. */
  quiet: number;
  /** Whether the list or table around it had been changing by itself. */
  isFlux: boolean;
  /** Whether anything on the page had come or gone by itself shortly before. */
  isBusy: boolean;
}

export interface Removal {
  node: Node;
  from: Element;
  beside: Element | null;
}

/** One task of a trusted input, or of an act's own script. */
interface InputTask {
  began: number;
  ended: number;
  /** Whether it has left a timer or a frame behind. */
  hasLeft: boolean;
}

/** What happened to the trees since `arm`. */
export class ActWindow {
  readonly added = new Set<Node>();
  readonly removed = new Map<Node, Removal>();
  readonly touched = new Map<Element, Map<Category, Moments>>();
  readonly texts = new Map<Node, string>();
  hasSubmitted = false;
  hasInput = false;
  /** The fields that trusted input reached, in order: one after the other where the page moves the focus on. */
  readonly fields: Element[] = [];
  /** Whether looking for the effect has ended; what comes later is the page moving by itself. */
  isOver = false;
  dropped = 0;
  /** Whether the page took another address, and nothing ties that to the input. */
  hasLeftByItself = false;
  /** Whether a key was pressed: it may scroll. */
  hasKey = false;
  /** What was touched before any input arrived: not its doing. */
  before = new Map<Element, Map<Category, Moments>>();
  /** Whether a request went out, or whatever else the host sees and the page does not. */
  hasAsked = false;
  /** Whether something was set moving, opened or scrolled that tells its listeners later. */
  hasFollowed = false;
  /** What `isAmidUntied` found, and at which version. */
  untied: { version: number; has: boolean } | null = null;
  private readonly tasks: InputTask[] = [];

  constructor(
    readonly since: number,
    /** The recorder's version when the window was opened. */
    readonly version: number,
    /** What the act is about, if it is about an element. */
    readonly target: Element | null,
  ) {}

  touch(
    e: Element,
    category: Category,
    now: number,
    isDirect: boolean,
    quiet: number,
    isFlux: boolean,
    isBusy: boolean,
  ): void {
    let known = this.touched.get(e);
    if (!known) this.touched.set(e, (known = new Map()));
    const moments = known.get(category);
    if (!moments) known.set(category, { isDirect, first: now, last: now, count: 1, gap: 0, quiet, isFlux, isBusy });
    else {
      moments.isDirect ||= isDirect;
      if (now - moments.last < APART_MS) return;
      moments.gap = Math.max(moments.gap, now - moments.last);
      moments.last = now;
      moments.count += 1;
    }
  }

  /** Whether an input has left a timer or a frame that may still bring its effect. */
  hasLeft(): boolean {
    return this.tasks.some((task) => task.hasLeft);
  }

  hasBegun(): boolean {
    return this.tasks.length > 0;
  }

  beginTask(now: number): InputTask {
    if (this.tasks.length === 0) {
      this.before = new Map(this.touched);
      this.touched.clear();
    }
    const task = { began: now, ended: Infinity, hasLeft: false };
    if (this.tasks.length < TASKS_MAX) this.tasks.push(task);
    else this.hasFollowed = true;
    return task;
  }

  /**
   * What ties something that happened at an instant to the input: what its handlers `set` going, a
   * timer or a request; or no more than that a `message` between tasks could have come by then.
   */
  tieOf(at: number): "set" | "message" | null {
    if (this.hasAsked || this.hasFollowed) return "set";
    // The input went to another document, or is none that a page is told of.
    if (this.tasks.length === 0 && !this.awaitsInput()) return "set";
    if (this.tasks.some(({ began, hasLeft }) => hasLeft && began <= at)) return "set";
    return this.tasks.some(({ began, ended }) => began <= at && at - ended <= MESSAGE_MS) ? "message" : null;
  }

  /** Whether an input is to arrive at an element of this document. */
  private awaitsInput(): boolean {
    return this.target !== null && !/^(iframe|frame|object|embed)$/.test(tagOf(this.target));
  }

  wasAdded(e: Element): boolean {
    if (this.added.size === 0) return false;
    for (let at: Node | null = e; at; at = parentOf(at) ?? hostOf(at)) {
      if (this.added.has(at)) return true;
    }
    return false;
  }
}

class Recorder {
  /** Set when another look is due. */
  isDue = false;
  /** Rises with everything that may change what is painted, or where. */
  version = 0;
  act: ActWindow | null = null;
  /** Hears every mark too. */
  also: ((records: MutationRecord[], now: number) => void) | null = null;
  /** Frames painted since the last change, up to two. */
  frames = 0;
  private isBeating = false;
  private readonly history = new Map<Category, WeakMap<Element, Times>>();
  /** When each element last changed other than in the task of an input. */
  private readonly changed = new Map<Category, WeakMap<Element, number>>();
  private readonly observer = new MutationObserver((records) => this.take(records));
  private watched = new WeakMap<Node, number>();
  private readonly heard = new WeakMap<Document, Element | null>();
  private isRunning = false;
  private lastRead = 0;
  private lastInput = -Infinity;
  /** Whether the task that runs is that of a trusted input. */
  private isInTask = false;
  private finishTask: (() => void) | null = null;
  /** Called as such a task begins; what it returns, as it ends. */
  aroundTask: ((isFirst: boolean) => () => void) | null = null;

  /** Starts or goes on watching; called by every read. */
  start(): void {
    this.lastRead = performance.now();
    if (this.isRunning) return;
    this.isRunning = true;
    for (const root of everyElement.roots()) this.watch(root);
  }

  /** Watches documents that have come since. */
  follow(hosts: Element[]): void {
    for (const owner of documents()) {
      this.watch(owner);
      const view = viewOf(owner);
      if (view) this.listen(view);
    }
    for (const host of hosts) {
      const root = shadowOf(host);
      if (root) this.watch(root);
    }
  }

  openWindow(target: Element | null): ActWindow {
    this.endTask();
    this.flush();
    this.isDue = false;
    this.act = new ActWindow(performance.now(), this.version, target);
    return this.act;
  }

  close(): void {
    this.endTask();
    this.flush();
    this.act = null;
  }

  /** Takes in what the browser has recorded but not delivered. */
  flush(): void {
    const records = this.observer.takeRecords();
    if (records.length > 0) this.take(records);
  }

  /** Notes a change that no observer sees: a field's content set by script. */
  noteValue(e: Element): void {
    if (!this.act || this.act.isOver) this.note(e, "value", performance.now());
  }

  /** What this task changes is the doing of an input, or of an act's own script. */
  ownTask(): void {
    if (!this.act || this.isInTask) return;
    this.flush();
    this.isInTask = true;
    const { act } = this;
    const isFirst = !act.hasBegun();
    const task = act.beginTask(performance.now());
    if (isFirst) for (const [e, category, moments] of eachTouch(act.before)) this.stir(e, category, moments.last);
    const end = this.aroundTask?.(isFirst);
    const hasLeft = pendingSince();
    const finish = (): void => {
      if (this.finishTask !== finish) return;
      this.finishTask = null;
      this.flush();
      end?.();
      task.hasLeft = hasLeft();
      task.ended = performance.now();
      this.isInTask = false;
    };
    this.finishTask = finish;
    afterTask(finish);
  }

  /** Ends the task of an input whose end has not been noted yet; called from any other task. */
  endTask(): void {
    this.finishTask?.();
  }

  /** Notes that the page goes to another address; answers whether nothing ties that to the act. */
  noteLeaving(isAsked: boolean): boolean {
    const { act } = this;
    if (!act) return false;
    act.hasLeftByItself = !isAsked && !this.isInTask && act.tieOf(performance.now()) === null;
    return act.hasLeftByItself;
  }

  /** Notes that a look, or the end of an input's task, found a field's content changed. */
  touchValue(e: Element): void {
    // It is known from `arm` on, not before.
    const now = performance.now();
    const quiet = this.act ? now - this.act.since : 0;
    this.act?.touch(e, "value", now, this.isInTask, quiet, this.isFlux(e, now), this.isBusy());
  }

  /** Notes that a script had changed what a field holds before any input arrived. */
  noteValueBefore(e: Element): void {
    const { act } = this;
    if (!act) return;
    const now = performance.now();
    const moments = { isDirect: false, first: now, last: now, count: 1, gap: 0, quiet: 0, isFlux: false, isBusy: false };
    act.before.set(e, new Map(act.before.get(e)).set("value", moments));
    this.stir(e, "value", now);
  }

  /**
   * What has changed in the act window and was no effect moves by itself, and so may all around it:
   * everything when there was none at all, else what nothing ties to the input.
   */
  disown(act: ActWindow, hasEffect: boolean): void {
    for (const [e, category, moments] of eachTouch(act.touched)) {
      if (moments.isDirect || (hasEffect && act.tieOf(moments.first) !== null)) continue;
      this.stir(e, category, moments.last);
    }
  }

  private stir(e: Element, category: Category, now: number): void {
    if (now <= loadedAt() + BIRTH_MS) return;
    if (category === "children") this.stirredAt = Math.max(this.stirredAt, now);
    const region = regionOf(e);
    if (region) this.stirred.set(region, now);
    if (region || category === "children") this.movedAt = Math.max(this.movedAt, now);
  }

  /** Whether the page has been watched for a while, and nothing but counters moved by itself. */
  isCalm(act: ActWindow): boolean {
    const since = this.watched.get(document) ?? act.since;
    return act.since - since >= CALM_MS && act.since - this.movedAt >= NOISE_WINDOW_MS;
  }

  /** Whether the page has moved since the act, more than a counter does, with nothing to tie it to. */
  isAmidUntied(act: ActWindow): boolean {
    if (act.untied?.version !== this.version) act.untied = { version: this.version, has: this.hasUntied(act) };
    return act.untied.has;
  }

  private hasUntied(act: ActWindow): boolean {
    for (const [e, category, moments] of eachTouch(act.touched)) {
      const isMove = category === "children" || regionOf(e) !== null;
      if (isMove && !moments.isDirect && act.tieOf(moments.last) === null) return true;
    }
    return false;
  }

  /** Whether anything had come or gone by itself shortly before the act (BR-146). */
  private isBusy(): boolean {
    return this.act !== null && this.act.since - this.stirredAt < BUSY_MS;
  }

  private isFlux(e: Element, now: number): boolean {
    const region = regionOf(e);
    return region !== null && now - (this.stirred.get(region) ?? -Infinity) < NOISE_WINDOW_MS;
  }

  /** How long the element is known not to have changed. */
  private quietFor(e: Element, category: Category, now: number): number {
    const since = this.watched.get(rootOf(e)) ?? now;
    return now - Math.max(since, this.changed.get(category)?.get(e) ?? -Infinity);
  }

  /** Whether the element changed by itself in the 10 s before `since`, after the page had loaded. */
  hasMoved(e: Element, category: Category, since: number): boolean {
    const last = this.history.get(category)?.get(e)?.last ?? -Infinity;
    return last > Math.max(since - NOISE_WINDOW_MS, loadedAt() + BIRTH_MS);
  }

  /** Keeps what turned out in an act window to move by itself. */
  remember(e: Element, category: Category, { first, last }: Moments): void {
    entryOf(this.history, category).set(e, { last, earlier: first });
  }

  /** Whether the element changed by itself at two instants in the 10 s before `since`. */
  isNoisy(e: Element, category: Category, since: number): boolean {
    const times = this.history.get(category)?.get(e);
    return times !== undefined && times.earlier >= since - NOISE_WINDOW_MS;
  }

  /** Whether the element is known to have changed in that time while nobody acted. */
  changedBetween(e: Element, from: number, to: number): boolean {
    const isIn = (at: number): boolean => at >= from && at < to;
    return [...this.history.values()].some((known) => {
      const times = known.get(e);
      return times !== undefined && (isIn(times.last) || isIn(times.earlier));
    });
  }

  private watch(root: Node): void {
    if (this.watched.has(root)) return;
    this.watched.set(root, performance.now());
    this.observer.observe(root, {
      subtree: true,
      childList: true,
      characterData: true,
      characterDataOldValue: true,
      attributes: true,
      attributeOldValue: true,
    });
    markSecrets(root);
    const view = viewOf(ownerOf(root));
    if (view) this.listen(view);
  }

  /** What is loaded shows without a change of the tree; its events do not reach the window. */
  private hearLoads(owner: Document): void {
    const note = (): void => this.change();
    for (const name of ["load", "error"]) {
      owner.addEventListener(name, note, { capture: true, passive: true });
    }
    owner.fonts.addEventListener("loadingdone", note, { passive: true });
  }

  private listen(view: Window): void {
    // Not by its window: that of a frame stays the same from one document to the next. A document
    // that is written anew has lost its listeners with its root.
    const root = rootElementOf(view.document);
    const was = this.heard.get(view.document);
    this.heard.set(view.document, root);
    if (was === null || (was !== undefined && was === root)) return;
    this.hearLoads(view.document);
    for (const name of EVENTS.split(" ")) {
      view.addEventListener(name, (event) => this.hear(event), { capture: true, passive: true });
    }
    for (const name of INPUTS.split(" ")) {
      const note = (event: Event): void => void (event.isTrusted && (this.lastInput = performance.now()));
      view.addEventListener(name, note, { capture: true, passive: true });
    }
    const begin = (event: Event): void => {
      if (!event.isTrusted) return;
      if (this.act && event.type === "keydown") this.act.hasKey = true;
      this.ownTask();
    };
    for (const name of CAUSES.split(" ")) {
      view.addEventListener(name, begin, { capture: true, passive: true });
    }
    const beginBare = (event: Event): void => void (event.isTrusted && this.isBare(event) && this.ownTask());
    for (const name of ["input", "popstate"]) {
      view.addEventListener(name, beginBare, { capture: true, passive: true });
    }
  }

  /** Whether nothing but the event itself tells of an act: files given to an input, a step in the history. */
  private isBare(event: Event): boolean {
    if (event.type === "popstate") return this.act !== null && this.act.target === null;
    const [field] = event.composedPath();
    return isElement(field as Node) && tagOf(field as Element) === "input" && (field as HTMLInputElement).type === "file";
  }

  private hear(event: Event): void {
    this.change();
    if (FOLLOWING.test(event.type)) this.follows(event);
    if (event.type === "submit" && this.act) this.act.hasSubmitted = true;
    if (!/^(input|change)$/.test(event.type) || !this.act) return;
    this.act.hasInput = true;
    const [field] = event.composedPath();
    // A field that loses the focus is told of what an earlier act has put into it.
    if (event.type !== "input" || !event.isTrusted || !(this.isInTask || this.isBare(event))) return;
    const e = field as Element;
    this.act.touch(e, "value", performance.now(), true, 0, false, false);
    if (this.act.fields.length < FIELDS_MAX && !this.act.fields.includes(e)) this.act.fields.push(e);
  }

  /** Notes what its listeners are told of in a task of its own; a button that sinks is no news. */
  private follows(event: Event): void {
    const { act } = this;
    if (!act || !event.isTrusted) return;
    const [moved] = event.composedPath();
    // What is brought into view to be pressed has been scrolled by us.
    if (event.type === "scroll") return void (act.hasFollowed ||= act.target === null || act.hasKey);
    const isOwn = isElement(moved as Node) && act.target !== null && flatHolds(act.target, moved as Element);
    if (!isOwn || event.type === "toggle") act.hasFollowed = true;
  }

  private take(records: MutationRecord[]): void {
    const now = performance.now();
    if (!this.act && now - this.lastRead > UNREAD_MS) return this.stop();
    this.change();
    this.also?.(records, now);
    for (const record of records) {
      if (record.type === "attributes") this.takeAttribute(record, now);
      else if (record.type === "characterData") this.takeText(record, now);
      else this.takeChildren(record, now);
    }
  }

  private change(): void {
    this.isDue = true;
    this.version += 1;
    this.frames = 0;
    if (!this.isBeating) this.beat();
  }

  /** Counts a frame that nothing changed in, up to two. */
  private beat(): void {
    const { act, version } = this;
    // Asking for frames makes the page paint: only while an effect may be looked for.
    if (!act || performance.now() - act.since > LOOKED_FOR_MS) return;
    this.isBeating = true;
    void frame().then(() => {
      this.isBeating = false;
      if (version === this.version) this.frames += 1;
      if (this.frames < 2) this.beat();
    });
  }

  private stop(): void {
    this.observer.disconnect();
    this.watched = new WeakMap();
    this.isRunning = false;
  }

  private takeAttribute(record: MutationRecord, now: number): void {
    const e = record.target as Element;
    const name = record.attributeName ?? "";
    const old = record.oldValue ?? "";
    if (name === "type" && old.toLowerCase() === "password") rememberSecret(e);
    if (name === "autocomplete" && isSecretAutocomplete(old)) rememberSecret(e);
    if (old === (attr(e, name) ?? "")) return;
    this.mark(e, "flip", now);
  }

  private takeText(record: MutationRecord, now: number): void {
    const parent = parentElementOf(record.target);
    if (!parent) return;
    this.mark(parent, "content", now);
    const texts = this.act?.texts;
    if (texts && texts.size < KEPT_MAX && !texts.has(record.target)) {
      texts.set(record.target, record.oldValue ?? "");
    }
  }

  private takeChildren(record: MutationRecord, now: number): void {
    const { target } = record;
    const e = isElement(target) ? target : ((target as ShadowRoot).host ?? null);
    if (!e) return;
    const isContent = isAllText(record.addedNodes) && isAllText(record.removedNodes);
    this.mark(e, isContent ? "content" : "children", now);
    if (this.act) this.keepChildren(this.act, record, e);
  }

  private keepChildren(act: ActWindow, record: MutationRecord, from: Element): void {
    for (const node of record.addedNodes) {
      // What was taken out and put back has only moved.
      if (act.removed.delete(node)) continue;
      if (act.added.size < KEPT_MAX) act.added.add(node);
      else act.dropped += 1;
    }
    for (const node of record.removedNodes) {
      if (act.added.delete(node)) continue;
      const beside =
        nearestElement(record.previousSibling, "previousSibling") ??
        nearestElement(record.nextSibling, "nextSibling");
      if (act.removed.size < KEPT_MAX) act.removed.set(node, { node, from, beside });
      else act.dropped += 1;
    }
  }

  private mark(e: Element, category: Category, now: number): void {
    const { act } = this;
    const quiet = this.quietFor(e, category, now);
    act?.touch(e, category, now, this.isInTask, quiet, this.isFlux(e, now), this.isBusy());
    if (!this.isInTask) entryOf(this.changed, category).set(e, now);
    // A page that is being parsed gets its children one after the other.
    if (category === "children" && readyStateOf(ownerOf(e)) === "loading") return;
    // What moved by itself before goes on doing so; a long row of acts must not make it news.
    const isFree = (!act || act.isOver) && now - this.lastInput > AFTER_INPUT_MS;
    if (isFree || this.isNoisy(e, category, act?.since ?? now)) this.note(e, category, now);
    // What is in flux stays so while it goes on, also through a long row of acts.
    const isOwn = this.isInTask || (act !== null && (!act.isOver || isReached(e, act.target)));
    if (isFree || !isOwn || (!this.isInTask && this.isFlux(e, now))) this.stir(e, category, now);
  }

  /** The lists and tables that last changed by themselves, by when. */
  private readonly stirred = new WeakMap<Element, number>();
  /** When anything in a list or table, or what shows at all, last moved by itself. */
  private movedAt = -Infinity;
  /** When something last came or went by itself. */
  private stirredAt = -Infinity;

  private note(e: Element, category: Category, now: number): void {
    const times = entryOf(this.history, category);
    const known = times.get(e);
    if (!known) times.set(e, { last: now, earlier: -Infinity });
    else if (now - known.last >= APART_MS) {
      known.earlier = known.last;
      known.last = now;
    }
  }
}

/** What was touched, how and when. */
export function* eachTouch(
  touched: ReadonlyMap<Element, Map<Category, Moments>>,
): Generator<readonly [Element, Category, Moments]> {
  for (const [e, categories] of touched) {
    for (const [category, moments] of categories) yield [e, category, moments];
  }
}

function entryOf<T>(map: Map<Category, WeakMap<Element, T>>, category: Category): WeakMap<Element, T> {
  let entry = map.get(category);
  if (!entry) map.set(category, (entry = new WeakMap()));
  return entry;
}

const REGIONS = /^(table|ul|ol|dl|tbody)$/;
const REGION_ROLES = /^(table|grid|treegrid|list|listbox|feed|log|tree|rowgroup)$/;
const REGION_UP_MAX = 12;

/** The list or table that the element is, or is in. */
function regionOf(e: Element): Element | null {
  let region: Element | null = null;
  for (let at: Element | null = e, up = 0; at && up < REGION_UP_MAX; at = parentElementOf(at), up += 1) {
    if (REGIONS.test(tagOf(at)) || REGION_ROLES.test(attr(at, "role") ?? "")) region = at;
    else if (region) break;
  }
  return region;
}

/** When the page had loaded; never, while it loads. */
function loadedAt(): number {
  const [entry] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  return entry ? entry.loadEventStart || Infinity : 0;
}

const hostOf = (n: Node): Element | null => (typeOf(n) === 11 ? (n as ShadowRoot).host : null);

function isAllText(nodes: NodeList): boolean {
  for (let i = 0; i < nodes.length; i += 1) {
    const node = nodes[i];
    if (node && isElement(node)) return false;
  }
  return true;
}

function nearestElement(node: Node | null, step: "previousSibling" | "nextSibling"): Element | null {
  for (let at = node, seen = 0; at && seen < 5; at = at[step], seen += 1) {
    if (isElement(at) && isConnected(at)) return at;
  }
  return null;
}

/** Whether the subtree holds text or something to operate. */
export function hasSubstance(node: Node): boolean {
  if (isText(node)) return !isBlank(nodeValueOf(node));
  if (!isElement(node)) return false;
  if (/^(script|style|link|meta|template|noscript)$/.test(tagOf(node))) return false;
  const own = /^(a|button|input|select|textarea)$/.test(tagOf(node));
  return own || !isBlank(textContentOf(node)) || queryAll(node, "a,button,input,select,textarea").length > 0;
}

export const recorder = new Recorder();
export const isInside = (outer: Node, inner: Node): boolean => outer === inner || holds(outer, inner);
