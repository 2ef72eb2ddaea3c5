// From the reading taken right before an act to the verdict on what it changed.
//
// `arm` reads, `settle` reads again until the page has come to rest, and only the difference between
// the two counts. Marks from the recorder decide when to look, never what was seen.

import { frame, pause } from "./beat.ts";
import { activeElement, flatHolds, has, isConnected, isPlainlyShown, isElement, isText, nodeValueOf } from "./dom.ts";
import { ownerOf, parentElementOf, queryAll, rectOf, tagOf, textContentOf, titleOf } from "./dom.ts";
import { type Difference, differences } from "./diff.ts";
import { clipOf, type Cover, hitAt, type Point, reaches } from "./hit.ts";
import { guardInput } from "./guard.ts";
import { isEmpty, Look, meet } from "./look.ts";
import { contentOf, nameOf } from "./names.ts";
import { type Expect, holdsNow } from "./predicate.ts";
import { type Reading, takeReading } from "./reading.ts";
import { type ActWindow, hasSubstance, recorder } from "./recorder.ts";
import { type Judged, judge, judgeTitle, NOISE, type Touch, touchesOf } from "./cause.ts";
import { documentId, elementOf, refOf } from "./refs.ts";
import { isArriving } from "./rest.ts";
import { CONTROLS, roleOf } from "./roles.ts";
import { isEditingHost } from "./roles.ts";
import { rawValue } from "./values.ts";
import { contextOf, subjectOf } from "./subject.ts";
import { sightOf } from "./visible.ts";
import { CHANGE_MAX, collapse, cut } from "./words.ts";

const QUIET_MS = 100;
const CHANGES_MAX = 50;
const MOVING_MS = 250;
const FORCED_LOOKS = 2;
const FRAME_MS = 17;
// How long what comes or goes by an animation is waited for.
const ARRIVING_MS = 800;
// How long an effect is waited for that a timer set by the input's handlers may bring.
const LEFT_MS = 700;

export interface Change {
  kind: string;
  role: string;
  name: string | null;
  before: string | null;
  after: string | null;
  near: string | null;
  ref: string | null;
  offscreen: boolean;
}

interface Base {
  reading: Reading;
  focus: Element | null;
  title: string;
  url: string;
  target: Element | null;
  window: ActWindow;
}

/** What has been seen since `arm`, kept over repeated calls of `settle`. */
interface Seen {
  news: Map<string, Difference>;
  noise: Map<string, Difference>;
  /** How each of the news was judged. */
  judged: Map<string, Judged>;
  /** Since when nothing but what is undecided is waited for: what begins later is no answer. */
  waitsSince: number;
  /** When a page on which nothing happens would have been called quiet. */
  quietAt: number;
  signature: string;
  reading: Reading;
}

let base: Base | null = null;
let seen: Seen | null = null;
let lastReading: Reading | null = null;

export interface ArmArgs {
  ref: string | null;
  point: Point | null;
  focus_ref: string | null;
  expect: Expect | null;
}

export function arm(args: ArmArgs): Record<string, unknown> {
  recorder.start();
  recorder.flush();
  const look = new Look();
  const reading = takeReading(look);
  recorder.follow(reading.hosts);
  noteSilentValues(reading);
  const target = args.ref ? elementOf(args.ref) : args.focus_ref ? elementOf(args.focus_ref) : null;
  const press = args.ref || args.point ? pressAt(look, target, args) : { ok: true, cover: null, point: null };
  const isFocused = args.focus_ref ? hasFocus(look, elementOf(args.focus_ref)) : true;
  base = {
    reading,
    focus: look.active,
    title: titleOf(document),
    url: location.href,
    target,
    window: recorder.openWindow(target),
  };
  recorder.aroundTask = (isFirst) => noteValues(reading, isFirst);
  seen = { news: new Map(), noise: new Map(), judged: new Map(), waitsSince: Infinity, quietAt: Infinity, signature: "", reading };
  const subject = target ? subjectOf(look, target) : null;
  guardInput(args.ref ?? args.focus_ref, subject);
  return {
    ok: press.ok && isFocused,
    hit: { ok: press.ok, cover: press.cover },
    document: documentId,
    focus: look.active ? refOf(look.active) : null,
    focused_ok: isFocused,
    x: press.point?.[0] ?? null,
    y: press.point?.[1] ?? null,
    subject,
  };
}

/** What was in view when the last act was armed. */
export const shownAtArm = (): Iterable<Element> => base?.reading.entries.keys() ?? [];

interface Press {
  ok: boolean;
  cover: Cover | null;
  point: Point | null;
}

function pressAt(look: Look, target: Element | null, args: ArmArgs): Press {
  if (args.point && (target || !args.ref)) {
    const hit = hitAt(look, args.point);
    const ok = target ? reaches(look, target, hit) : hit !== null;
    if (ok || !target) return { ok, cover: null, point: args.point };
  }
  if (!target) return { ok: false, cover: null, point: null };
  const sight = sightOf(look, target);
  return { ok: sight.ok && sight.point !== null, cover: sight.cover, point: sight.point };
}

function hasFocus(look: Look, e: Element | null): boolean {
  const active = look.active;
  if (!e || !active) return false;
  return active === e || (isEditingHost(active) && flatHolds(active, e));
}

/** A field set by script between two readings is seen by no observer. */
function noteSilentValues(reading: Reading): void {
  for (const [e, entry] of lastReading?.entries ?? []) {
    const now = reading.entries.get(e);
    if (now && now.raw !== null && now.raw !== entry.raw) recorder.noteValue(e);
  }
}

/**
 * Notes what the handlers of an input set in fields, which no observer sees; before the first, what
 * has been set since the reading.
 */
function noteValues(reading: Reading, isFirst: boolean): () => void {
  const before = new Map<Element, string>();
  for (const [e, { raw, states }] of reading.entries) {
    if (!isField(e)) continue;
    const held = heldBy(e);
    before.set(e, held);
    if (isFirst && held !== heldAs(raw, states)) recorder.noteValueBefore(e);
  }
  return () => {
    for (const [e, held] of before) if (heldBy(e) !== held) recorder.touchValue(e);
  };
}

const isField = (e: Element): boolean => /^(input|textarea|select)$/.test(tagOf(e));

/** What a field holds, text and check; no observer sees either change. */
const heldBy = (e: Element): string => {
  const { checked, indeterminate } = e as HTMLInputElement;
  return `${rawValue(e) ?? ""}|${indeterminate === true ? "mixed" : checked === true}`;
};

/** The same, from a reading. */
const heldAs = (raw: string | null, states: string): string => {
  const check = checkOf(states);
  return `${raw ?? ""}|${check === "mixed" ? "mixed" : check === "checked"}`;
};

const CHECKS = /(?:un)?checked|mixed/;
const checkOf = (states: string): string => CHECKS.exec(states)?.[0] ?? "";

export interface SettleArgs {
  cap_ms: number;
  expect: Expect | null;
  /** Whether a request went out, or a message came, that the page's scripts may answer to later. */
  asked: boolean;
}

export async function settle(args: SettleArgs): Promise<Record<string, unknown>> {
  if (!base || !seen) arm({ ref: null, point: null, focus_ref: null, expect: null });
  if (base) [base.window.isOver, base.window.hasAsked] = [false, args.asked];
  const start = performance.now();
  if (seen && seen.quietAt === Infinity) seen.quietAt = start + QUIET_MS + FRAME_MS * 2;
  let lastChange: number | null = seen && seen.news.size > 0 ? start : null;
  let framesSince = 0;
  let restedAt = Infinity;
  let looks = 0;
  let asked = -Infinity;
  let isHeld = false;
  const elapsed = (): number => performance.now() - start;
  const isComing = (): boolean =>
    base !== null && elapsed() < ARRIVING_MS && isArriving(base.window.since, base.target);
  const isLeft = (): boolean =>
    base !== null && elapsed() < LEFT_MS && base.window.hasLeft() && !hasNews();
  const isMoving = (): boolean => lastChange !== null && performance.now() - lastChange < MOVING_MS;
  const verdict = (state: string): Record<string, unknown> => {
    if (base) base.window.isOver = true;
    return report(state, elapsed(), state === "cap" && isMoving(), isHeld, args.expect !== null);
  };
  const restart = (frames = 0): void =>
    void ([lastChange, framesSince, restedAt] = [performance.now(), frames, Infinity]);

  for (;;) {
    recorder.flush();
    const isLook = recorder.isDue || looks < FORCED_LOOKS;
    if (isLook) {
      looks += 1;
      // What changed before the first look may have been painted by now.
      if (lookAgain() || (looks === 1 && hasMoved())) restart(looks === 1 && isNoticed() ? recorder.frames : 0);
    }
    // Reading a long page for its text is not free: only after a look, and now and then without.
    const isAsked: boolean = isLook || isHeld || performance.now() - asked >= QUIET_MS;
    if (isAsked) asked = performance.now();
    const held: boolean =
      isAsked && args.expect !== null && holdsNow(new Look(), args.expect, base?.target ?? null);
    if (held && isHeld) return verdict("expected");
    isHeld = held;
    const isChanged = !args.expect && lastChange !== null && framesSince >= 1 && !isUntied();
    if (isChanged && !isOpen() && !isComing()) return verdict("changed");
    const isQuiet = performance.now() - restedAt >= QUIET_MS && !held;
    const isRested = isQuiet && !isLeft() && (args.expect !== null || (!isOpen() && !isComing()));
    if (isRested && !recorder.isDue) {
      // A last look, for what style alone reveals.
      if (!lookAgain()) return verdict(lastChange !== null && !args.expect && hasNews() ? "changed" : "quiet");
      restart();
    }
    if (elapsed() >= args.cap_ms) return verdict("cap");
    await (framesSince < 2 || recorder.isDue ? frame() : Promise.race([frame(), pause(QUIET_MS)]));
    framesSince += 1;
    if (framesSince >= 2 && restedAt === Infinity) restedAt = performance.now();
  }
}

/** Whether the recorder has noticed what the first look finds, and not only the press. */
const isNoticed = (): boolean =>
  seen !== null && seen.news.size > 0 && base !== null && (base.window.touched.size > 0 || base.window.hasInput);

/** Whether the address or the title is another one than at `arm`. */
const hasMoved = (): boolean => isElsewhere() || (base !== null && base.title !== titleOf(document) && !isTitleNoise());

/** Whether the address is another one, and the page has not gone there by itself. */
const isElsewhere = (): boolean => base !== null && base.url !== location.href && !isAdrift(base);

const isAdrift = ({ window }: Base): boolean => window.hasLeftByItself && !window.hasAsked;

const isTitleNoise = (): boolean => titleJudged().kind === "noise";

function titleJudged(): Judged {
  if (!base || base.title === titleOf(document)) return NOISE;
  return judgeTitle(queryAll(document, "head > title")[0], base.title, base.window);
}

const hasNews = (): boolean => hasMoved() || tiedNews().length > 0;

/** What has changed and is not known to be nobody's doing. */
const tiedNews = (): Difference[] =>
  [...(seen?.news ?? [])].filter(([key]) => seen?.judged.get(key)?.kind !== "untied").map(([, one]) => one);

const untiedNews = (): Difference[] =>
  [...(seen?.news ?? [])].filter(([key]) => seen?.judged.get(key)?.kind === "untied").map(([, one]) => one);

/** Whether the page has changed, and nothing ties any of it to the input. */
const isUntied = (): boolean => !hasNews() && untiedNews().length > 0;

/** Whether all there is to tell may yet turn out to be the page moving by itself. */
function isOpen(): boolean {
  if (!base || !seen || base.url !== location.href) return false;
  const title = titleJudged();
  const all = [...seen.judged.values(), ...(title.kind === "noise" ? [] : [title])];
  const isWaiting = all.length > 0 && all.every(isUndecided);
  if (isWaiting) seen.waitsSince = Math.min(seen.waitsSince, Math.max(performance.now(), seen.quietAt));
  return isWaiting;
}

const isTooLate = (judged: Judged): boolean =>
  judged.kind === "open" && seen !== null && judged.from > seen.waitsSince;

const isUndecided = ({ kind, until }: Judged): boolean =>
  (kind === "open" || kind === "untied") && performance.now() < until;

/** Reads again and merges what differs; answers whether there is news since the look before. */
function lookAgain(): boolean {
  if (!base || !seen) return false;
  recorder.endTask();
  recorder.isDue = false;
  const { window } = base;
  const look = new Look();
  const reading = takeReading(look);
  recorder.follow(reading.hosts);
  const context = {
    wasAdded: (e: Element) => window.wasAdded(e),
    isAttached: (e: Element) => isConnected(e),
  };
  const all = differences(base.reading, reading, context);
  all.push(...offscreen(look, base, reading));
  for (const [e, entry] of reading.entries) {
    // A field that a script has set between two looks.
    const was = seen.reading.entries.get(e) ?? entry;
    const isSet = entry.raw !== was.raw || (isField(e) && checkOf(entry.states) !== checkOf(was.states));
    if (isSet) recorder.touchValue(e);
  }
  const touches = touchesOf(window);
  const news: string[] = [];
  for (const difference of all) {
    const key = keyOf(difference);
    const judged = judge(difference, window, touches);
    if (judged.kind === "noise" || isTooLate(judged)) {
      if (judged.kind === "noise") seen.noise.set(key, difference);
      forget(key);
      continue;
    }
    seen.news.set(key, difference);
    seen.judged.set(key, judged);
    news.push(`${key} ${difference.after ?? ""}${difference.entry.isSecret ? difference.entry.raw : ""}`);
  }
  keepBrief(reading, all, window, touches);
  lastReading = reading;
  seen.reading = reading;
  const signature = JSON.stringify([news, location.href, isTitleNoise() ? "" : titleOf(document)]);
  const isNews = signature !== seen.signature && (news.length > 0 || seen.signature !== "");
  seen.signature = signature;
  return isNews && (news.length > 0 || seen.news.size > 0 || hasMoved());
}

/** Takes back what was told too early. */
function forget(key: string): void {
  seen?.news.delete(key);
  seen?.judged.delete(key);
}

const ids = new WeakMap<Element, number>();
let idNext = 1;

function keyOf(difference: Difference): string {
  let id = ids.get(difference.e);
  if (id === undefined) ids.set(difference.e, (id = idNext++));
  return `${difference.kind} ${id}`;
}

/**
 * What appeared after `arm` and went before this look stays told: it did appear. Any other change that
 * is as it was again has not lasted, and proves nothing.
 */
function keepBrief(reading: Reading, all: Difference[], window: ActWindow, touches: Touch[]): void {
  if (!seen) return;
  const current = new Set(all.map(keyOf));
  for (const [key, difference] of [...seen.news]) {
    if (current.has(key)) continue;
    if (difference.kind !== "appeared") {
      if (difference.kind !== "gone" || !seen.news.has(`appeared ${ids.get(difference.e)}`)) forget(key);
      continue;
    }
    if (reading.entries.has(difference.e) || reading.outside.has(difference.e)) continue;
    if (difference.isOffscreen && isConnected(difference.e)) continue;
    const gone: Difference = { ...difference, kind: "gone", before: difference.after, after: null };
    const judged = judge(gone, window, touches);
    if (judged.kind === "noise" || isTooLate(judged)) continue;
    seen.news.set(keyOf(gone), gone);
    seen.judged.set(keyOf(gone), judged);
  }
}

/** Text and controls that came, went or changed out of view. */
function offscreen(look: Look, from: Base, reading: Reading): Difference[] {
  const { window } = from;
  const found: Difference[] = [];
  const add = (
    kind: Difference["kind"],
    e: Element,
    before: string | null,
    after: string | null,
    parent = parentElementOf(e),
  ): void => {
    const role = roleOf(look, e) ?? "text";
    const entry = {
      e,
      parent,
      role,
      name: "",
      text: after ?? before ?? "",
      states: "",
      raw: null,
      isSecret: false,
    };
    found.push({ kind, e, entry, before, after, isOffscreen: true });
  };
  for (const node of window.added) {
    if (!isConnected(node) || !hasSubstance(node)) continue;
    const e = isElement(node) ? node : parentElementOf(node);
    const parent = parentElementOf(node);
    // What came inside something else that came is told with it.
    if (parent && window.wasAdded(parent)) continue;
    if (!e || !isRendered(e) || isInSight(look, e) || reading.entries.has(e)) continue;
    if (isText(node)) add("text", e, null, collapse(nodeValueOf(node)));
    else add("appeared", e, null, shortText(look, e));
  }
  for (const { node, from: parent, beside } of window.removed.values()) {
    if (isConnected(node) || !hasSubstance(node) || !isConnected(parent) || !isRendered(parent)) continue;
    // Next to something in view it would have been read, had it been shown.
    if (isInSight(look, beside ?? parent)) continue;
    const e = isElement(node) ? node : parent;
    if (isElement(node) && (has(node, "hidden") || from.reading.entries.has(node))) continue;
    // What was taken out has no parent any more: what moves by itself is where it was taken from.
    add("gone", e, cut(collapse(textContentOf(node).slice(0, 1000)), CHANGE_MAX), null, parent);
  }
  for (const [node, before] of window.texts) {
    const parent = parentElementOf(node);
    if (!parent || !isConnected(node) || !isRendered(parent) || isInSight(look, parent)) continue;
    const [old, text] = [collapse(before), collapse(nodeValueOf(node))];
    if (old !== text && !from.reading.entries.has(parent)) add("text", parent, old, text);
  }
  return found;
}

const shortText = (look: Look, e: Element): string =>
  cut(nameOf(look, e).text || contentOf(look, e), CHANGE_MAX);

function isRendered(e: Element): boolean {
  return !/^(script|style|title|head|noscript|template)$/.test(tagOf(e)) && isPlainlyShown(e);
}

function isInSight(look: Look, e: Element): boolean {
  const edges = look.place(ownerOf(e)).edges(rectOf(e));
  // What a scroller around it cuts off is out of view as well.
  return !isEmpty(meet(edges, clipOf(look, e)));
}

function report(
  state: string,
  looked: number,
  isChanging: boolean,
  isHeld: boolean,
  isExpecting: boolean,
): Record<string, unknown> {
  const at = base;
  const isLeftOpen = state === "cap" && !isExpecting && isOpen();
  const news = isLeftOpen ? [] : tiedNews();
  const untied = untiedNews();
  if (at) recorder.disown(at.window, news.length > 0);
  const noise = [...(seen?.noise.values() ?? [])].filter((one) => !seen?.news.has(keyOf(one)));
  noise.push(...untied);
  const look = new Look();
  const active = activeElement();
  const changes = news.slice(0, CHANGES_MAX).map((difference) => toChange(look, difference));
  const isValue = (one: Difference): boolean =>
    one.kind === "value" ||
    (one.kind === "state" && /checked|mixed|selected|filled|empty/.test(`${one.before} ${one.after}`));
  return {
    state,
    looked_ms: Math.round(looked * 10) / 10,
    still_changing: isChanging || isLeftOpen || recorder.isDue,
    untied: news.length === 0 && (untied.length > 0 || (at !== null && isAdrift(at) && location.href !== at.url)),
    expect_held: isHeld,
    changes,
    changes_dropped: Math.max(0, news.length - CHANGES_MAX) + (at?.window.dropped ?? 0),
    signals: {
      tree: news.length > 0,
      value: news.some(isValue),
      focus: at !== null && active !== at.focus,
      title: at !== null && titleOf(document) !== at.title && !isTitleNoise() && !isLeftOpen,
      url: isElsewhere(),
    },
    noise: noise.slice(0, CHANGES_MAX).map((difference) => toChange(look, difference)),
    blind: [...(seen?.reading.blind ?? [])].sort(),
    document: documentId,
    target_alive: at?.target ? isConnected(at.target) : true,
    focus: active ? refOf(active) : null,
    submitted: at?.window.hasSubmitted ?? false,
  };
}

function toChange(look: Look, { kind, e, entry, before, after, isOffscreen }: Difference): Change {
  const isThere = isConnected(e);
  const name = entry.name || entry.text;
  const context = isThere ? contextOf(subjectOf(look, e)) : [];
  const role = entry.role;
  return {
    kind,
    role,
    name: name === "" ? null : cut(name, CHANGE_MAX),
    before: before === null ? null : cut(before, CHANGE_MAX),
    after: after === null ? null : cut(after, CHANGE_MAX),
    near: context[0] ?? null,
    ref: isThere && CONTROLS.has(role) ? refOf(e) : null,
    offscreen: isOffscreen,
  };
}

export function disarm(): Record<string, unknown> {
  recorder.close();
  lastReading = seen?.reading ?? lastReading;
  base = null;
  seen = null;
  return {};
}
