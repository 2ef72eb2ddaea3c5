// What visibly changed between two moments, element by element, with what brought it about.
//
// It hears the same marks as the recorder of acts and keeps, per element, the last changes of a
// minute. Nothing is kept until somebody reads or acts; two minutes without either end it. An
// element counts once it was in view when the page painted it.

import { attr, closest, firstElementOf, flatParent, hasBox, holds, isConnected, isElement } from "./dom.ts";
import { isPlainlyShown, ownerOf, parentElementOf } from "./dom.ts";
import { queryAll, rectOf, tagOf, textContentOf, titleOf, viewOf } from "./dom.ts";
import { Look } from "./look.ts";
import { recorder } from "./recorder.ts";
import { documentId, refOf, type Subject } from "./refs.ts";
import { CONTROLS } from "./roles.ts";
import { everyElement } from "./scan.ts";
import { isSecret } from "./secret.ts";
import { subjectOf } from "./subject.ts";
import { rawValue } from "./values.ts";
import { collapse, cut } from "./words.ts";

const ELEMENTS_MAX = 256;
const STEPS_MAX = 32;
const KEPT_MS = 60_000;
const UNREAD_MS = 120_000;
const TEXT_MAX = 200;
// So often in a second one element gives way to another.
const ROOM_MS = 1000;
const ROOMS_MAX = 64;
const PENDING_MAX = 512;
// BR-145 and BR-146: quiet before, and reach.
const QUIET_MS = 10_000;
const STILL_MS = 2000;
const NEAR_MS = 3000;
const ANYWHERE_MS = 500;
const ONE_GESTURE_MS = 700;
const MASK = "••••";
const CAUSES = "pointerdown click keydown drop paste input change";
const REACHES = 'tr,[role="row"],li,form,dialog,[role="dialog"],[role="alertdialog"],[role="menu"],[role="listbox"]';

/** A trusted gesture: what can have brought a change about. */
interface Cause {
  kind: string;
  first: number;
  at: number;
  target: Element;
  /** Whether the whole page had been unchanged right before it. */
  wasStill: boolean;
  /** The act it is part of, counted in this document; 0 for a person's. */
  act: number;
}

interface Step {
  at: number;
  value: string | null;
  cause: Cause | null;
}

interface Log {
  e: Element;
  kind: "text" | "value" | "title";
  /** What it was before the first step that is kept; null when it was not there. */
  was: string | null;
  steps: Step[];
  isSeen: boolean;
  subject: Subject | null;
}

export interface Told {
  kind: "text" | "appeared" | "disappeared" | "brief" | "value" | "title";
  ref: string | null;
  subject: Subject;
  before: string | null;
  after: string | null;
  count: number;
  min: number | null;
  max: number | null;
  at: number;
  last_before: number | null;
  cause: { kind: string; ref: string | null; role: string; name: string | null; act: boolean } | null;
}

export interface ChangesArgs {
  /** Where an earlier answer ended, on this page's own clock. */
  since: number | null;
  /** Or how long back. */
  back_ms: number | null;
  unmask: boolean;
}

class Changes {
  private isRunning = false;
  private lastUse = 0;
  private startedAt = 0;
  /** Nothing is known of what was before. */
  private floor = 0;
  private dropped = 0;
  private readonly logs = new Map<Element, Log>();
  /** Elements in view at some time, and all that is around them. */
  private seen = new WeakSet<Element>();
  /** Waiting to be seen: came into the tree, or may have been hidden, at that time. */
  private readonly pending = new Map<Element, { at: number; was: string | null }>();
  private view: IntersectionObserver | null = null;
  private heard = new WeakSet<Window>();
  private cause: Cause | null = null;
  private gestures = 0;
  /** When each container last gained or lost something, also before the newest gesture. */
  private flux = new WeakMap<Element, { gesture: number; before: number; last: number }>();
  private lastAny = performance.now();
  private roomAt = -Infinity;
  private rooms = 0;
  private acts = 0;
  private toldAt = Infinity;

  /** Marks from the recorder, running or not: whether the page rests is known all the time. */
  take(records: MutationRecord[], now: number): void {
    if (records.some((record) => record.type !== "attributes")) this.lastAny = now;
    if (!this.isRunning) return;
    if (now - this.lastUse > UNREAD_MS) return this.stop();
    const added: Element[] = [];
    const removed: { e: Element; from: Element }[] = [];
    for (const record of records) {
      if (record.type === "attributes") this.takeAttribute(record, now);
      else if (record.type === "characterData") this.takeText(record.target, now);
      else this.takeChildren(record, now, added, removed);
    }
    this.takeMoves(added, removed, now);
  }

  /** Starts or goes on; `shown` are the elements a reading has just found in view. */
  begin(shown: Iterable<Element> = []): boolean {
    const now = performance.now();
    this.lastUse = now;
    for (const e of shown) this.noteSeen(e);
    if (this.isRunning) return false;
    this.isRunning = true;
    recorder.start();
    this.startedAt = this.floor = now;
    for (const root of everyElement.roots()) this.listen(ownerOf(root));
    return true;
  }

  /** An act is about to be sent to `target`. */
  armed(target: Element | null, shown: Iterable<Element>): void {
    this.begin(shown);
    const now = performance.now();
    this.acts += 1;
    this.toldAt = Infinity;
    this.gesture("act", target ?? document.documentElement, now, this.acts);
  }

  /** What changed until now was told with the act; what comes later was not. */
  told(): void {
    this.toldAt = performance.now();
  }

  read(args: ChangesArgs): Record<string, unknown> {
    recorder.flush();
    const isNew = this.begin();
    if (isNew) for (const e of inView()) this.noteSeen(e);
    this.settlePending();
    const now = performance.now();
    this.prune(now);
    const wanted = args.since ?? (args.back_ms === null ? this.startedAt : now - args.back_ms);
    const from = Math.max(wanted, this.floor, now - KEPT_MS);
    const changes: Told[] = [];
    if (!isNew) {
      for (const log of this.logs.values()) {
        const told = this.tell(log, from, now, args.unmask);
        if (told) changes.push(told);
      }
    }
    changes.sort((a, b) => a.at - b.at);
    const { dropped } = this;
    this.dropped = 0;
    return { document: documentId, now, from: isNew ? now : from, until: now, started: isNew, dropped, changes };
  }

  /** What the last act brought about after it had been told. */
  late(): Told[] {
    recorder.flush();
    if (!this.isRunning || this.acts === 0 || this.toldAt === Infinity) return [];
    this.settlePending();
    const [from, now] = [this.toldAt, performance.now()];
    this.toldAt = now;
    const found: Told[] = [];
    for (const log of this.logs.values()) {
      const isOurs = log.steps.some((step) => step.at > from && step.cause?.act === this.acts);
      const told = isOurs ? this.tell(log, from, now, false) : null;
      if (told) found.push(told);
    }
    return found.sort((a, b) => a.at - b.at);
  }

  private stop(): void {
    this.isRunning = false;
    this.view?.disconnect();
    this.view = null;
    this.logs.clear();
    this.pending.clear();
    this.seen = new WeakSet();
    this.cause = null;
  }

  private listen(owner: Document): void {
    const view = viewOf(owner);
    if (!view || this.heard.has(view)) return;
    this.heard.add(view);
    for (const name of CAUSES.split(" ")) {
      view.addEventListener(name, (event) => this.hear(event), { capture: true, passive: true });
    }
  }

  private hear(event: Event): void {
    if (!this.isRunning) return;
    const target = (event.composedPath()[0] ?? event.target) as Element | null;
    if (!target || !isElement(target)) return;
    const now = performance.now();
    if (event.isTrusted) {
      const own = this.cause;
      const isSame = own !== null && now - own.at < ONE_GESTURE_MS && (own.target === target || own.kind === "act");
      if (isSame) [own.at, own.target, own.kind] = [now, target, event.type];
      else if (!/^(input|change)$/.test(event.type)) this.gesture(event.type, target, now, 0);
    }
    if (/^(input|change)$/.test(event.type)) this.takeValue(target, now);
  }

  private gesture(kind: string, target: Element, now: number, act: number): void {
    this.gestures += 1;
    this.cause = { kind, first: now, at: now, target, wasStill: now - this.lastAny >= STILL_MS, act };
  }

  private noteSeen(e: Element): void {
    for (let at: Element | null = e; at && !this.seen.has(at); at = flatParent(at)) this.seen.add(at);
  }

  private takeAttribute(record: MutationRecord, now: number): void {
    const e = record.target as Element;
    if (!/^(hidden|style|class|open|aria-hidden)$/.test(record.attributeName ?? "")) return;
    const log = this.logs.get(e);
    if (log ? log.isSeen : this.seen.has(e)) this.await(e, now, shown(e));
  }

  private takeText(node: Node, now: number): void {
    const e = parentElementOf(node);
    if (!e) return;
    if (tagOf(e) === "title") this.step(this.logOf(e, "title", null), collapse(titleOf(document)), now);
    else if (isLeaf(e)) this.textOf(e, now);
    else this.await(e, now, null);
  }

  private textOf(e: Element, now: number): void {
    const text = shown(e);
    const log = this.logs.get(e) ?? this.logOf(e, "text", "");
    if (log.kind === "value") return;
    this.step(log, text, now);
    if (!log.isSeen) this.await(e, now, null);
  }

  private takeChildren(
    record: MutationRecord,
    now: number,
    added: Element[],
    removed: { e: Element; from: Element }[],
  ): void {
    const { target } = record;
    const from = isElement(target) ? target : ((target as ShadowRoot).host ?? null);
    if (!from) return;
    const came = [...record.addedNodes].filter(isElement);
    const went = [...record.removedNodes].filter(isElement);
    if (came.length === 0 && went.length === 0) {
      if (isLeaf(from)) this.replaced(from, record, now);
      return;
    }
    this.noteFlux(from, now);
    added.push(...came);
    removed.push(...went.map((e) => ({ e, from })));
  }

  /** Its text was taken out and put in again, as setting `textContent` does. */
  private replaced(e: Element, record: MutationRecord, now: number): void {
    const isTitle = tagOf(e) === "title";
    if (!this.logs.has(e)) {
      const old = [...record.removedNodes].map(textContentOf).join(" ");
      this.logOf(e, isTitle ? "title" : "text", cut(collapse(old), TEXT_MAX));
    }
    if (isTitle) this.step(this.logOf(e, "title", null), collapse(titleOf(document)), now);
    else this.textOf(e, now);
  }

  private noteFlux(e: Element, now: number): void {
    const known = this.flux.get(e);
    if (!known) this.flux.set(e, { gesture: this.gestures, before: -Infinity, last: now });
    else {
      if (known.gesture !== this.gestures) [known.gesture, known.before] = [this.gestures, known.last];
      known.last = now;
    }
  }

  /** What was put back, or replaced by its like, has only changed. */
  private takeMoves(added: Element[], removed: { e: Element; from: Element }[], now: number): void {
    const went = removed.filter(({ e }) => !isConnected(e));
    for (const e of new Set(added)) {
      if (!isConnected(e)) continue;
      if (removed.some((gone) => gone.e === e) || added.some((other) => other !== e && holds(other, e))) continue;
      const text = shown(e);
      const like = (gone: { e: Element; from: Element }): boolean =>
        gone.from === parentElementOf(e) && tagOf(gone.e) === tagOf(e);
      let at = went.findIndex((gone) => like(gone) && shown(gone.e) === text);
      if (at < 0) at = went.findIndex(like);
      const old = at < 0 ? null : went.splice(at, 1)[0];
      if (old && (this.seen.has(old.e) || this.logs.get(old.e)?.isSeen)) {
        const was = shown(old.e);
        if (was !== text) this.step(this.logOf(e, "text", was), text, now);
        this.noteSeen(e);
        const log = this.logs.get(e);
        if (log) log.isSeen = true;
      } else this.await(e, now, null);
    }
    for (const { e, from } of went) this.gone(e, from, now);
  }

  private gone(e: Element, from: Element, now: number): void {
    this.pending.delete(e);
    const known = this.logs.get(e);
    const wasSeen = known ? known.isSeen : this.seen.has(e);
    if (!wasSeen || (known && known.kind === "value")) return;
    const was = shown(e);
    if (was === "" && !known) return;
    const log = known ?? this.logOf(e, "text", was);
    log.isSeen = true;
    log.subject ??= { ...blank(e), name: cut(was, TEXT_MAX), row: null };
    this.step(log, null, now, from);
  }

  private takeValue(e: Element, now: number): void {
    const raw = rawValue(e);
    if (raw === null) return;
    const log = this.logOf(e, "value", null);
    log.isSeen = true;
    this.step(log, isSecret(e) ? MASK : cut(raw, TEXT_MAX), now);
  }

  /** Waits until the page paints, to learn whether the element is in view without forcing layout. */
  private await(e: Element, at: number, was: string | null): void {
    if (this.pending.has(e)) return;
    if (this.pending.size >= PENDING_MAX) return this.drop(at);
    this.pending.set(e, { at, was });
    this.view ??= new IntersectionObserver((entries) => {
      for (const entry of entries) this.painted(entry.target, entry.isIntersecting && hasBox(entry.target));
    });
    this.view.observe(e);
  }

  private settlePending(): void {
    for (const e of [...this.pending.keys()]) this.painted(e, isInView(e));
  }

  private painted(e: Element, isShown: boolean): void {
    this.view?.unobserve(e);
    const waited = this.pending.get(e);
    if (!waited) return;
    this.pending.delete(e);
    const known = this.logs.get(e);
    if (!isShown) {
      if (waited.was !== null && isConnected(e) && !hasBox(e)) this.hidden(e, waited);
      return;
    }
    this.noteSeen(e);
    if (known) {
      known.isSeen = true;
      if (known.kind === "text" && last(known) === null) this.step(known, shown(e), waited.at);
    } else if (waited.was === null && shown(e) !== "") {
      const log = this.logOf(e, "text", null);
      log.isSeen = true;
      this.step(log, shown(e), waited.at);
    }
    const log = this.logs.get(e);
    if (log && !log.subject) log.subject = subjectOf(new Look(), e);
  }

  private hidden(e: Element, waited: { at: number; was: string | null }): void {
    const known = this.logs.get(e);
    if (!known && waited.was === "") return;
    const log = known ?? this.logOf(e, "text", waited.was);
    if (log.kind !== "text" || last(log) === null) return;
    log.isSeen = true;
    this.step(log, null, waited.at);
  }

  private logOf(e: Element, kind: Log["kind"], was: string | null): Log {
    const known = this.logs.get(e);
    if (known) return known;
    const isSeen = kind === "title" || this.seen.has(e);
    const log: Log = { e, kind, was, steps: [], isSeen, subject: null };
    if (this.logs.size >= ELEMENTS_MAX && !this.makeRoom(isSeen)) return log;
    this.logs.set(e, log);
    return log;
  }

  /** Answers false on a page of which so much changes that making room would cost more than it tells. */
  private makeRoom(isSeen: boolean): boolean {
    const now = performance.now();
    if (now - this.roomAt > ROOM_MS) [this.roomAt, this.rooms] = [now, 0];
    this.rooms += 1;
    if (this.rooms > ROOMS_MAX) {
      if (isSeen) this.drop(now);
      return false;
    }
    this.evict();
    return true;
  }

  /** What gives way: what keeps changing, then what was never in view, then what is gone. */
  private evict(): void {
    const all = [...this.logs.values()];
    const victim =
      all.filter((log) => log.steps.length >= 4).sort((a, b) => b.steps.length - a.steps.length)[0] ??
      all.find((log) => !log.isSeen) ??
      all.find((log) => last(log) === null) ??
      all[0];
    if (!victim) return;
    this.logs.delete(victim.e);
    if (victim.isSeen) this.drop(victim.steps.at(-1)?.at ?? performance.now());
  }

  private drop(at: number): void {
    this.dropped += 1;
    this.floor = Math.max(this.floor, at);
  }

  private step(log: Log, value: string | null, at: number, container: Element | null = null): void {
    if (log.kind !== "value" && last(log) === value) return;
    const cause = this.causeOf(log, value, at, container);
    log.steps.push({ at, value, cause });
    if (log.steps.length <= STEPS_MAX) return;
    const first = log.steps.shift();
    log.was = first?.value ?? null;
    if (first && log.isSeen) this.drop(first.at);
  }

  private causeOf(log: Log, value: string | null, at: number, container: Element | null): Cause | null {
    const { cause } = this;
    if (!cause || at < cause.first) return null;
    if (log.kind === "value") return cause.target === log.e || holds(cause.target, log.e) ? cause : null;
    const since = cause.first - QUIET_MS;
    const isBusy = log.steps.some((step) => step.at >= since && step.at < cause.first);
    if (isBusy || recorder.changedBetween(log.e, since, cause.first)) return null;
    const isPresence = value === null || last(log) === null;
    const around = container ?? parentElementOf(log.e);
    if (around && isPresence && !holds(around, cause.target) && this.fluxBetween(around, since, cause.first)) return null;
    const after = at - cause.at;
    if (after <= NEAR_MS && this.isInReach(cause.target, container ?? log.e)) return cause;
    return after <= ANYWHERE_MS && cause.wasStill ? cause : null;
  }

  private fluxBetween(e: Element, from: number, to: number): boolean {
    const known = this.flux.get(e);
    if (known) {
      const time = known.gesture === this.gestures && known.last >= to ? known.before : known.last;
      if (time >= from && time < to) return true;
    }
    return recorder.changedBetween(e, from, to);
  }

  private isInReach(target: Element, e: Element): boolean {
    if (target === document.documentElement) return false;
    if (holds(target, e)) return true;
    for (let at: Element | null = target; at; at = flatParent(at)) {
      const root: Element | null = closest(at, REACHES);
      if (root && holds(root, e)) return true;
      at = root ?? at;
    }
    const ids = `${attr(target, "aria-controls") ?? ""} ${attr(target, "aria-owns") ?? ""}`.split(/\s+/);
    return ids.some((id) => id !== "" && queryAll(ownerOf(target), `#${CSS.escape(id)}`).some((root) => holds(root, e)));
  }

  private prune(now: number): void {
    for (const [e, log] of this.logs) {
      while (log.steps.length > 0 && (log.steps[0]?.at ?? now) < now - KEPT_MS) {
        log.was = log.steps.shift()?.value ?? null;
      }
      if (log.steps.length === 0) this.logs.delete(e);
    }
  }

  private tell(log: Log, from: number, until: number, unmask: boolean): Told | null {
    if (!log.isSeen) return null;
    const steps = log.steps.filter((step) => step.at > from && step.at <= until);
    const end = steps.at(-1);
    if (!end) return null;
    const earlier = log.steps.filter((step) => step.at <= from).at(-1);
    const before = earlier ? earlier.value : log.was;
    const [min, max] = range(steps);
    const look = new Look();
    const isThere = isConnected(log.e);
    const subject = isThere ? subjectOf(look, log.e) : (log.subject ?? blank(log.e));
    const cause = steps.map((step) => step.cause).find((one) => one !== null) ?? null;
    const isMasked = log.kind === "value" && (!unmask || isSecret(log.e));
    const show = (value: string | null): string | null => (isMasked && value !== null ? MASK : value);
    return {
      kind: kindOf(log, before, end.value, steps),
      ref: isThere && CONTROLS.has(subject.role) ? refOf(log.e) : null,
      subject,
      before: show(before),
      after: show(end.value ?? (before === null ? (steps.find((step) => step.value !== null)?.value ?? null) : null)),
      count: steps.length,
      min: isMasked ? null : min,
      max: isMasked ? null : max,
      at: end.at,
      last_before: earlier?.at ?? null,
      cause: cause && tellCause(look, cause, this.acts),
    };
  }
}

function tellCause(look: Look, cause: Cause, acts: number): Told["cause"] {
  const { target, kind } = cause;
  const isThere = isConnected(target);
  const subject = isThere ? subjectOf(look, target) : blank(target);
  const ref = isThere && CONTROLS.has(subject.role) ? refOf(target) : null;
  return { kind, ref, role: subject.role, name: subject.name, act: cause.act !== 0 && cause.act === acts };
}

function kindOf(log: Log, before: string | null, after: string | null, steps: Step[]): Told["kind"] {
  if (log.kind !== "text") return log.kind;
  if (before === null) return after === null ? "brief" : "appeared";
  if (after === null) return "disappeared";
  return steps.some((step) => step.value === null) && before === after ? "brief" : "text";
}

/** The smallest and the largest, of numbers that changed more than once. */
function range(steps: Step[]): [number | null, number | null] {
  if (steps.length < 2) return [null, null];
  const all = steps.map((step) => numberIn(step.value));
  if (all.some((number) => number === null)) return [null, null];
  const numbers = all as number[];
  return [Math.min(...numbers), Math.max(...numbers)];
}

function numberIn(value: string | null): number | null {
  const plain = (value ?? "").replace(/[\s,'’]/g, "");
  const found = /^\D{0,3}?([-−]?\d+(?:\.\d+)?)\D{0,3}$/.exec(plain);
  return found ? Number((found[1] ?? "").replace("−", "-")) : null;
}

const last = (log: Log): string | null => (log.steps.length > 0 ? (log.steps.at(-1)?.value ?? null) : log.was);

const shown = (e: Element): string => cut(collapse(textContentOf(e).slice(0, 2000)), TEXT_MAX);

const isLeaf = (e: Element): boolean => firstElementOf(e) === null && !/^(script|style|template|noscript)$/.test(tagOf(e));

const blank = (e: Element): Subject => ({
  role: attr(e, "role") ?? "text",
  tag: tagOf(e),
  name: null,
  row: null,
  column: null,
  label: null,
  heading: null,
});

function isInView(e: Element): boolean {
  if (!isConnected(e) || !isPlainlyShown(e)) return false;
  const box = rectOf(e);
  return box.bottom > 0 && box.right > 0 && box.top < window.innerHeight && box.left < window.innerWidth;
}

/** Every element in view; asked once, when recording starts without a reading at hand. */
const inView = (): Element[] => everyElement.filter((e) => firstElementOf(e) === null && isInView(e));

export const changes = new Changes();
recorder.also = (records, now) => changes.take(records, now);
