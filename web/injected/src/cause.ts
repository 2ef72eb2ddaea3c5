// Whether a difference is the act's doing, moves by itself, or is not known to be either yet.
//
// What changes in the task of a trusted input is its doing; what changed before the input arrived is
// not. What changes later is believed when something ties it to the input, and the element had been
// quiet long enough before; else it is watched until it has not changed again.

import { parentOf } from "./dom.ts";
import type { Difference } from "./diff.ts";
import { isReached } from "./reach.ts";
import { type ActWindow, type Category, eachTouch, isInside, type Moments, recorder } from "./recorder.ts";

// A page that has been watched this long without a change is believed to rest: clocks tick each second.
const QUIET_MS = 1500;
const AGAIN_MS = 1100;
// What has moved by itself once is waited for a little longer than it took the last time.
const LONGER = 1.1;
// What moves steadily would have done so within one and a half of its steps.
const STEPS = 1.5;

/**
 * `open` until the page clock says `until`, and then ours; `untied` as long, and then nobody's: the
 * element changed once, and nothing that the input set going explains it.
 */
export interface Judged {
  kind: "ours" | "noise" | "open" | "untied";
  /** When it was first touched. */
  from: number;
  until: number;
}

const OURS: Judged = { kind: "ours", from: 0, until: 0 };
export const NOISE: Judged = { kind: "noise", from: 0, until: 0 };

export type Touch = readonly [Element, Category, Moments];

/** Judges by everything that can have caused the difference. */
export function judge(difference: Difference, window: ActWindow, touches: Touch[]): Judged {
  const causes = allCausesOf(difference, window, touches);
  if (causes.length > 0) return together(causes, window, isCount(difference));
  return allCausesOf(difference, window, [...eachTouch(window.before)]).length > 0 ? NOISE : OURS;
}

function allCausesOf(difference: Difference, window: ActWindow, touches: Touch[]): Touch[] {
  const own = causesOf(difference, window, touches);
  // Rows that changed places show other words although nothing in them was touched.
  return own.length > 0 || !isShown(difference) ? own : aroundOf(difference, touches);
}

/** Judges a change of the title, by what happened to its element. */
export function judgeTitle(title: Element | undefined, before: string, window: ActWindow): Judged {
  if (!title) return OURS;
  const isDigits = digitless(before) === digitless(title.textContent ?? "");
  const touches = touchesOf(window).filter(([touched]) => touched === title);
  return touches.length === 0 ? OURS : together(touches, window, isDigits);
}

function together(causes: Touch[], window: ActWindow, isDigits: boolean): Judged {
  let all: Judged = NOISE;
  for (const cause of causes) {
    const judged = judgeTouch(cause, window, isDigits);
    if (judged.kind === "ours") return OURS;
    if (judged.kind === "noise") continue;
    const isFirst = all === NOISE;
    all = {
      kind: judged.kind === "open" || all.kind === "open" ? "open" : "untied",
      from: isFirst ? judged.from : Math.min(all.from, judged.from),
      until: Math.max(all.until, judged.until),
    };
  }
  return all;
}

function judgeTouch([e, category, moments]: Touch, window: ActWindow, isDigits: boolean): Judged {
  if (moments.isDirect) return OURS;
  if (recorder.isNoisy(e, category, window.since)) return NOISE;
  const tie = window.tieOf(moments.first);
  // On a page where things come and go by themselves only what the target can reach is believed, or
  // what the input is known to have set going.
  if (moments.isBusy && tie !== "set" && !isReached(e, window.target)) return NOISE;
  const { quiet } = moments;
  const undecided = (ms: number): Judged => ({ kind: "open", from: moments.first, until: moments.last + ms });
  // In a table that sorts itself any row may be next: nothing in it proves anything for now.
  if (moments.isFlux) return undecided(Infinity);
  const isAlone = tie === null || (tie === "message" && recorder.isAmidUntied(window));
  if (isAlone) {
    if (moments.count === 1) return { ...undecided(AGAIN_MS), kind: "untied" };
    recorder.remember(e, category, moments);
    return NOISE;
  }
  // A message cannot be seen: on a page that moves by itself, or is not known not to, it takes a look more.
  if (tie === "message" && !recorder.isCalm(window)) return undecided(AGAIN_MS);
  if (moments.count > 1) {
    if (quiet >= STEPS * moments.gap) return OURS;
    // Once more may be the second step of an effect, unless it only counts.
    if (moments.count < 3 && !isDigits) return undecided(AGAIN_MS);
    recorder.remember(e, category, moments);
    return NOISE;
  }
  const hasMoved = recorder.hasMoved(e, category, window.since);
  // What counts by itself goes on counting; on a busy machine it may take its time to do so again.
  if (hasMoved && isDigits) return NOISE;
  if (quiet >= QUIET_MS && !hasMoved) return OURS;
  return undecided(hasMoved ? Math.max(AGAIN_MS, quiet * LONGER) : AGAIN_MS);
}

const digitless = (text: string | null): string => (text ?? "").replace(/[\d:.,]+/g, "0");

/** Whether nothing but numbers differ, as in a clock. */
const isCount = ({ before, after }: Difference): boolean =>
  before !== null && after !== null && digitless(before) === digitless(after);

/** Everything that was touched since `arm`. */
export const touchesOf = (window: ActWindow): Touch[] => [...eachTouch(window.touched)];

function causesOf(difference: Difference, window: ActWindow, touches: Touch[]): Touch[] {
  const from = difference.kind === "gone" ? takenFrom(window, difference.e) : null;
  const isNew = difference.kind === "appeared" && window.wasAdded(difference.e);
  const isByTree = isNew || from !== null;
  return touches.filter(([touched, category]) => {
    // What was put in or taken out was not brought or hidden by a style.
    if (isByTree && category !== "children" && category !== "content") return false;
    return causes(touched, category, difference) || (from !== null && isInside(touched, from));
  });
}

const isShown = ({ kind }: Difference): boolean => kind === "text" || kind === "name";

const aroundOf = ({ e }: Difference, touches: Touch[]): Touch[] =>
  touches.filter(([touched, category]) => category === "children" && isInside(touched, e));

/** What the element was taken out of, with all that was around it. */
function takenFrom(window: ActWindow, e: Element): Element | null {
  let top: Node = e;
  for (let at = parentOf(e); at; at = parentOf(at)) top = at;
  return window.removed.get(top)?.from ?? null;
}

function causes(touched: Element, category: Category, difference: Difference): boolean {
  const { e, kind, entry } = difference;
  if (category === "value") return touched === e;
  if (kind === "appeared" || kind === "gone") return isAbove(touched, difference);
  return isInside(e, touched) || (touched === entry.parent && category === "children");
}

/** Whether a change at `touched` can have brought or taken the element. */
function isAbove(touched: Element, { e, entry }: Difference): boolean {
  if (touched === e || isInside(touched, e)) return true;
  return entry.parent !== null && (touched === entry.parent || isInside(touched, entry.parent));
}
