// Whether something is still on its way in or out by an animation that began after the act.

import { flatHolds } from "./dom.ts";
import { hasSubstance } from "./recorder.ts";

// LIMIT: on a page with more animations than this the rest is not looked at.
const ANIMATIONS_MAX = 200;
// A color that fades or a shadow that grows brings nothing in and takes nothing out.
const SHOWS = new Set(
  (
    "opacity visibility display transform translate scale height maxHeight width maxWidth clipPath " +
    "top left right bottom insetInlineStart insetBlockStart contentVisibility gridTemplateRows marginTop"
  ).split(" "),
);

const animationsIn = Document.prototype.getAnimations;

/** Whether text or a control is being shown or hidden by an animation begun at `since` or later. */
export function isArriving(since: number, target: Element | null): boolean {
  const all = animationsIn.call(document).slice(0, ANIMATIONS_MAX);
  return all.some((animation) => {
    if (animation.playState !== "running") return false;
    const start = animation.startTime;
    if (start !== null && Number(start) < since - 1) return false;
    const effect = animation.effect as KeyframeEffect | null;
    const shown = effect?.target ?? null;
    if (!effect || !shown || effect.pseudoElement) return false;
    if (!Number.isFinite(Number(effect.getComputedTiming().endTime))) return false;
    // A button that sinks under the press is no news.
    if (target && flatHolds(target, shown)) return false;
    const isShowing = effect.getKeyframes().some((at) => Object.keys(at).some((name) => SHOWS.has(name)));
    return isShowing && hasSubstance(shown);
  });
}
