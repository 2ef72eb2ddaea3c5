// The last look of all: whether what an input is about to reach is still the element it was meant for.
//
// Between the reading before a dispatch and the input's arrival a page may move its rows, or give a
// node to another one. `arm` says what is meant; `act.ts` asks here at the first event of the input,
// before any listener of the page has run, and keeps the input from the page when the answer is no.

import { flatHolds, isElement, ownerOf } from "./dom.ts";
import { hitAt, type Point, reaches } from "./hit.ts";
import { Look } from "./look.ts";
import { elementOf, sameMeaning, type Subject } from "./refs.ts";
import { isEditingHost } from "./roles.ts";
import { subjectOf } from "./subject.ts";

// What comes this long after `arm` may be a person's own input, and is not judged.
const GUARDED_MS = 1000;
// The keys of one text follow each other faster than this: while they do, all of it is kept back.
const BETWEEN_KEYS_MS = 300;

interface Guard {
  ref: string;
  meant: Subject;
  until: number;
  /** What the first event of the input was answered. */
  isAllowed: boolean | null;
}

let guard: Guard | null = null;

export function guardInput(ref: string | null, meant: Subject | null): void {
  guard = ref && meant ? { ref, meant, until: performance.now() + GUARDED_MS, isAllowed: null } : null;
}

/** An act that was cut asks no more: its guard ends by itself, and a person's input is never kept for long. */
export const isGuarding = (): boolean => guard !== null && performance.now() < guard.until;

/** Whether the input that the event belongs to may reach the page. */
export function allows(event: Event): boolean {
  if (!guard) return true;
  guard.isAllowed ??= isMeant(guard, event);
  if (!guard.isAllowed && !("clientX" in event)) {
    guard.until = Math.max(guard.until, performance.now() + BETWEEN_KEYS_MS);
  }
  return guard.isAllowed;
}

/** Ends the guard; answers whether it has kept an input from the page. */
export function guardEnd(): { stopped: boolean } {
  const stopped = guard?.isAllowed === false;
  guard = null;
  return { stopped };
}

/** Whether the element of the act is still the one that was meant; ends the guard. For acts without input. */
export function stillMeant(ref: string): boolean {
  const meant = guard?.ref === ref ? guard.meant : null;
  guard = null;
  const e = elementOf(ref);
  return !meant || (e !== null && sameMeaning(subjectOf(new Look(), e), meant));
}

function isMeant({ ref, meant }: Guard, event: Event): boolean {
  const e = elementOf(ref);
  if (!e) return false;
  const look = new Look();
  if ("clientX" in event) {
    if (!reaches(look, e, hitAt(look, pointOf(look, event as MouseEvent)))) return false;
  } else if (!isFocused(look, e)) {
    return false;
  }
  return sameMeaning(subjectOf(look, e), meant);
}

function pointOf(look: Look, event: MouseEvent): Point {
  const [target] = event.composedPath();
  const owner = target && isElement(target as Node) ? ownerOf(target as Node) : document;
  return look.place(owner).out(event.clientX, event.clientY);
}

function isFocused(look: Look, e: Element): boolean {
  const { active } = look;
  return active === e || (active !== null && isEditingHost(active) && flatHolds(active, e));
}
