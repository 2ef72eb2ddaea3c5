// Whether a person could see and reach an element, and the point where a press would land on it.

import {
  allTagged,
  attr,
  documents,
  flatClosest,
  flatHolds,
  flatParent,
  has,
  hasBox,
  ownerOf,
} from "./dom.ts";
import {
  frameDocument,
  rootElementOf,
  scrollHeightOf,
  scrollLeftOf,
  scrollTopOf,
  scrollWidthOf,
} from "./dom.ts";
import { bodyOf, matches, tagOf, viewOf } from "./dom.ts";
import { clipOf, clips, type Cover, coverOf, hitAt, labelAt, type Point, pointsOf, reaches } from "./hit.ts";
import { isEmpty, type Look, meet, viewportOf } from "./look.ts";
import type { Sides } from "./place.ts";
import { inputType } from "./roles.ts";

export type Reason =
  "display" | "hidden" | "opacity" | "zero_size" | "unplaced" | "offscreen" | "occluded";

export interface Sight {
  ok: boolean;
  reason: Reason | null;
  cover: Cover | null;
  point: Point | null;
  isInView: boolean;
  /** The press goes to the element's label, because the element itself is hidden behind it. */
  isByLabel: boolean;
  /** What is on top is what the element itself lies in: its own widget draws it. */
  isByHost?: boolean;
}

/** Judges the element; a hidden checkbox, radio or file input counts by its visible label. */
export function sightOf(look: Look, e: Element): Sight {
  const own = judge(look, e);
  if (own.ok || !isLabelled(e)) return own;
  for (const label of Array.from((e as HTMLInputElement).labels ?? []).slice(0, 5)) {
    const seen = judgeLabel(look, e, label);
    if (seen) return seen;
  }
  return own;
}

const isLabelled = (e: Element): boolean =>
  tagOf(e) === "input" && /^(checkbox|radio|file)$/.test(inputType(e));

function judgeLabel(look: Look, control: Element, label: Element): Sight | null {
  if (staticReason(look, label)) return null;
  const part = meet(look.edges(label), clipOf(look, label));
  if (isEmpty(part)) {
    const sight = judge(look, label);
    return sight.ok ? { ...sight, isByLabel: true } : null;
  }
  for (const point of pointsOf(look, label, part)) {
    const hit = hitAt(look, point);
    if (hit && labelAt(hit, control)) return seen(point, true);
  }
  return null;
}

const seen = (point: Point | null, isByLabel: boolean): Sight => ({
  ok: true,
  reason: null,
  cover: null,
  point,
  isInView: point !== null,
  isByLabel,
});

const unseen = (reason: Reason, cover: Cover | null, isInView: boolean): Sight => ({
  ok: false,
  reason,
  cover,
  point: null,
  isInView,
  isByLabel: false,
});

function judge(look: Look, e: Element): Sight {
  const reason = staticReason(look, e);
  if (reason) return unseen(reason, null, false);
  if (!look.place(ownerOf(e)).isKnown) return unseen("unplaced", null, false);
  const part = meet(look.edges(e), clipOf(look, e));
  if (isEmpty(part)) return canScrollTo(look, e) ? seen(null, false) : unseen("offscreen", null, false);

  const points = pointsOf(look, e, part);
  const first = points[0] ?? null;
  let cover: Element | null = null;
  for (const point of points) {
    const hit = hitAt(look, point);
    if (reaches(look, e, hit)) return seen(point, false);
    cover ??= hit;
  }
  // Not hit because it lets presses through: that is told as such, not as something on top.
  if (look.style(e).pointerEvents === "none") return seen(first, false);
  if (isInert(e) && !(cover && flatClosest(cover, isModal))) return seen(first, false);
  const sight = unseen("occluded", cover && coverOf(look, cover), true);
  return { ...sight, isByHost: cover !== null && flatHolds(cover, e) };
}

/** The reasons that need no hit test and no scrolling. */
export function staticReason(look: Look, e: Element): Reason | null {
  const style = look.style(e);
  if (!hasBox(e) && style.display !== "contents") return "display";
  for (let at = frameAbove(e); at; at = frameAbove(at)) if (!hasBox(at)) return "display";
  if (style.visibility !== "visible") return "hidden";
  if (flatClosest(e, (at) => look.style(at).opacity === "0")) return "opacity";
  const [left, top, right, bottom] = look.edges(e);
  // One pixel is how text for screen readers is hidden from the eye.
  return right - left <= 1 && bottom - top <= 1
    ? "zero_size"
    : isEmpty([left, top, right, bottom])
      ? "zero_size"
      : null;
}

const frameAbove = (e: Element): Element | null => {
  const root = rootElementOf(ownerOf(e));
  return root ? flatParent(root) : null;
};

/** Whether scrolling by hand can bring some of the element into view. */
function canScrollTo(look: Look, e: Element): boolean {
  // In the viewport of the document that is looked at, however its frame lies.
  let box = look.own(e);
  let position = look.style(e).position;
  for (let at = flatParent(e); at; at = flatParent(at)) {
    const style = look.style(at);
    const tag = tagOf(at);
    const isFrame = frameDocument(at) !== null;
    if (isFrame) box = look.own(at);
    if (!isFrame && position === "fixed" && style.transform === "none" && tag !== "html") continue;
    if (!isFrame && position === "absolute" && style.position === "static" && tag !== "html") continue;
    if (tag === "html") {
      if (!isInPage(look, at, box, position === "fixed")) return false;
      position = "static";
      continue;
    }
    if (!isFrame && clips(at, style)) {
      const window = look.own(at);
      if (!overlaps(box, window)) {
        if (!isScroller(style) || !isInScroller(at, box, window, style)) return false;
        // Once scrolled there it lies somewhere in the scroller's own box.
        box = window;
      }
    }
    position = style.position;
  }
  return true;
}

const overlaps = (a: Sides, b: Sides): boolean =>
  a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

const isScroller = (style: CSSStyleDeclaration): boolean =>
  /auto|scroll|overlay/.test(style.overflowX) || /auto|scroll|overlay/.test(style.overflowY);

function isInScroller(e: Element, box: Sides, window: Sides, style: CSSStyleDeclaration): boolean {
  const top = box.bottom - window.top + scrollTopOf(e);
  const bottom = box.top - window.top + scrollTopOf(e);
  const right = box.right - window.left + scrollLeftOf(e);
  const left = box.left - window.left + scrollLeftOf(e);
  const isDown = top > 0 && bottom < scrollHeightOf(e);
  return isDown && (style.direction === "rtl" || (right > 0 && left < scrollWidthOf(e)));
}

/** Whether the box lies in the scrollable area of its document. */
function isInPage(look: Look, root: Element, box: Sides, isFixed: boolean): boolean {
  const owner = ownerOf(root);
  const view = viewOf(owner);
  const shown = viewportOf(owner);
  if (isFixed || isLocked(look, owner, root)) return overlaps(box, shown);
  const x = view?.scrollX ?? 0;
  const y = view?.scrollY ?? 0;
  const isRtl = look.style(root).direction === "rtl";
  const isAcross = isRtl || (box.right + x > 0 && box.left + x < Math.max(shown.right, scrollWidthOf(root)));
  return isAcross && box.bottom + y > 0 && box.top + y < Math.max(shown.bottom, scrollHeightOf(root));
}

/** Whether the page forbids scrolling by hand, as it does behind a dialog. */
function isLocked(look: Look, owner: Document, root: Element): boolean {
  const own = look.style(root).overflowY;
  const body = bodyOf(owner);
  const shown = own === "visible" && body ? look.style(body).overflowY : own;
  return shown === "hidden" || shown === "clip";
}

const isModal = (e: Element): boolean => tagOf(e) === "dialog" && matches(e, ":modal");

/** Inert by attribute, or because a modal dialog is open elsewhere. */
export function isInert(e: Element): boolean {
  if (flatClosest(e, (at) => has(at, "inert"))) return true;
  for (const owner of documents()) {
    const modal = allTagged(owner, "dialog").findLast((dialog) => matches(dialog, ":modal"));
    if (modal && !flatHolds(modal, e)) return true;
  }
  return false;
}

/** Whether an element could be shown at all: rendered, not hidden, not kept from its readers. */
export const isPerceivable = (look: Look, e: Element): boolean =>
  staticReason(look, e) === null && flatClosest(e, (at) => attr(at, "aria-hidden") === "true") === null;
