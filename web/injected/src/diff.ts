// What differs between two readings, element by element. Pure but for asking what is still attached.

import { flatParent } from "./dom.ts";
import type { Entry, Reading } from "./reading.ts";

export type Kind = "appeared" | "gone" | "text" | "name" | "value" | "state";

export interface Difference {
  kind: Kind;
  e: Element;
  entry: Entry;
  before: string | null;
  after: string | null;
  isOffscreen: boolean;
}

export interface Context {
  /** Whether the element, or something around it, was added since the earlier reading. */
  wasAdded(e: Element): boolean;
  /** Whether the element is in a document at this moment. */
  isAttached(e: Element): boolean;
}

const MOVES_MAX = 10;

const isUnder = (e: Element, roots: Set<Element>): boolean => {
  if (roots.size === 0) return false;
  for (let at: Element | null = e; at; at = flatParent(at)) if (roots.has(at)) return true;
  return false;
};

const signature = (entry: Entry): string =>
  JSON.stringify([entry.role, entry.name, entry.text, entry.states, entry.isSecret ? 0 : entry.raw]);

export const shownAs = (entry: Entry): string =>
  [entry.name, entry.text].filter((part) => part !== "").join(" ");

export function differences(before: Reading, now: Reading, context: Context): Difference[] {
  const found: Difference[] = [];
  const order: [Entry, Entry][] = [];
  const came: Entry[] = [];
  for (const entry of now.entries.values()) {
    const old = before.entries.get(entry.e);
    if (old) {
      order.push([old, entry]);
      compare(old, entry, found);
    } else if (context.wasAdded(entry.e) || !isUnder(entry.e, before.outside)) {
      came.push(entry);
    }
  }
  const went: Entry[] = [];
  for (const entry of before.entries.values()) {
    if (now.entries.has(entry.e)) continue;
    if (!context.isAttached(entry.e) || !isUnder(entry.e, now.outside)) went.push(entry);
  }
  pairReplaced(came, went, order, found);
  for (const entry of came) found.push(whole("appeared", entry));
  for (const entry of went) found.push(whole("gone", entry));
  if (found.length === 0) found.push(...moves(before, now, order));
  return found;
}

function compare(old: Entry, entry: Entry, into: Difference[]): void {
  const add = (kind: Kind, before: string | null, after: string | null): void => {
    into.push({ kind, e: entry.e, entry, before, after, isOffscreen: false });
  };
  if (old.role !== entry.role) add("state", old.role, entry.role);
  if (old.name !== entry.name) add("name", old.name, entry.name);
  if (old.text !== entry.text) add("text", old.text, entry.text);
  if (old.raw !== entry.raw) {
    const isSecret = old.isSecret || entry.isSecret;
    add("value", isSecret ? null : old.raw, isSecret ? null : entry.raw);
  }
  if (old.states !== entry.states) add("state", old.states, entry.states);
}

const whole = (kind: "appeared" | "gone", entry: Entry): Difference => ({
  kind,
  e: entry.e,
  entry,
  before: kind === "gone" ? shownAs(entry) : null,
  after: kind === "appeared" ? shownAs(entry) : null,
  isOffscreen: false,
});

/**
 * Takes apart what a re-render replaced: a node that came back the same is no difference, and one of
 * the same role in the same container is a changed one.
 */
function pairReplaced(came: Entry[], went: Entry[], order: [Entry, Entry][], found: Difference[]): void {
  if (came.length === 0 || went.length === 0) return;
  pair(came, went, signature, (old, entry) => void order.push([old, entry]));
  const ids = new Map<Element | null, number>();
  const idOf = (e: Element | null): number => {
    if (!ids.has(e)) ids.set(e, ids.size);
    return ids.get(e) ?? -1;
  };
  pair(
    came,
    went,
    (entry) => `${entry.role} ${idOf(entry.parent)}`,
    (old, entry) => {
      order.push([old, entry]);
      compare(old, entry, found);
    },
  );
}

/** Matches entries with equal keys, first with first, and removes them from both lists. */
function pair(
  came: Entry[],
  went: Entry[],
  key: (entry: Entry) => string,
  each: (old: Entry, entry: Entry) => void,
): void {
  const waiting = new Map<string, Entry[]>();
  for (const entry of went) {
    const own = key(entry);
    const list = waiting.get(own);
    if (list) list.push(entry);
    else waiting.set(own, [entry]);
  }
  const used = new Set<Entry>();
  const left = came.filter((entry) => {
    const old = waiting.get(key(entry))?.shift();
    if (!old) return true;
    used.add(old);
    each(old, entry);
    return false;
  });
  came.splice(0, came.length, ...left);
  went.splice(0, went.length, ...went.filter((entry) => !used.has(entry)));
}

/** Where the same things stand in another order, what now stands in each changed place. */
function moves(before: Reading, now: Reading, order: [Entry, Entry][]): Difference[] {
  const place = new Map<Entry, number>();
  let count = 0;
  for (const entry of now.entries.values()) place.set(entry, (count += 1));
  const newOf = new Map(order);
  const kept: [Entry, Entry][] = [];
  for (const old of before.entries.values()) {
    const entry = newOf.get(old);
    if (entry) kept.push([old, entry]);
  }
  const sorted = [...kept].sort((a, b) => (place.get(a[1]) ?? 0) - (place.get(b[1]) ?? 0));
  const found: Difference[] = [];
  for (let i = 0; i < kept.length && found.length < MOVES_MAX; i += 1) {
    const was = kept[i]?.[0];
    const is = sorted[i]?.[1];
    if (!was || !is) continue;
    const [old, after] = [shownAs(was), shownAs(is)];
    if (old === after) continue;
    found.push({ kind: "text", e: is.e, entry: is, before: old, after, isOffscreen: false });
  }
  return found;
}
