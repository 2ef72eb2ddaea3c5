// What lies at a point, and whether pressing there reaches the element that is meant.

import { clientHeightOf, clientLeftOf, clientTopOf, clientWidthOf, elementAt, flatClosest } from "./dom.ts";
import { flatHolds, flatParent, frameDocument, ownerOf, shadowOf, tagOf } from "./dom.ts";
import { type Edges, isEmpty, type Look, meet, viewportOf } from "./look.ts";
import { contentOf, nameOf } from "./names.ts";
import type { Point } from "./place.ts";
import { elementId } from "./refs.ts";
import { CONTROLS, roleOf } from "./roles.ts";
import { cut } from "./words.ts";

export type { Point };

export interface Cover {
  role: string;
  tag: string;
  name: string | null;
  id: string | null;
}

/** The innermost element at a point of the top viewport, through frames and shadow trees. */
export function hitAt(look: Look, [x, y]: Point): Element | null {
  let e = elementIn(look, document, x, y);
  for (let depth = 0; e && depth < 100; depth += 1) {
    const next = deeper(look, e, x, y);
    if (!next || next === e) break;
    e = next;
  }
  return e;
}

function deeper(look: Look, e: Element, x: number, y: number): Element | null {
  const inner = frameDocument(e);
  if (inner) return elementIn(look, inner, x, y);
  const root = shadowOf(e);
  if (!root) return null;
  const found = root.elementFromPoint(...look.place(ownerOf(e)).into(x, y));
  return found && root.contains(found) ? found : null;
}

function elementIn(look: Look, d: Document, x: number, y: number): Element | null {
  const place = look.place(d);
  return place.isKnown ? elementAt(d, ...place.into(x, y)) : null;
}

export const isControl = (look: Look, e: Element): boolean => CONTROLS.has(roleOf(look, e) ?? "");

/** Whether a press that lands on `hit` operates `target`. */
export function reaches(look: Look, target: Element, hit: Element | null): boolean {
  if (!hit) return false;
  if (hit === target || flatHolds(target, hit)) return !takesPress(look, target, hit);
  if (labelAt(hit, target)) return true;
  // Text inside a control: the control takes the press for it.
  return !isControl(look, target) && isControl(look, hit) && flatHolds(hit, target);
}

// These are one widget with what is in them.
const COMPOSITE = /^(combobox|textbox|searchbox|spinbutton|slider|listbox|gridcell|tree|grid|radiogroup)$/;
const TAKERS = /^(button|link|checkbox|radio|switch|textbox|searchbox|combobox|slider|spinbutton)$/;
const TICKS = /^(checkbox|radio|switch)$/;
const TICKED = /^(option|menuitem|menuitemcheckbox|menuitemradio|treeitem|row|listitem|button)$/;

/** Whether a control inside the target would take a press on `hit` for itself (BR-269). */
function takesPress(look: Look, target: Element, hit: Element): boolean {
  const own = roleOf(look, target) ?? "";
  if (COMPOSITE.test(own)) return false;
  for (let at: Element | null = hit; at && at !== target; at = flatParent(at)) {
    const role = roleOf(look, at) ?? "";
    if (!TAKERS.test(role) || (TICKS.test(role) && TICKED.test(own))) continue;
    // A link that wraps a button of the same name is one thing to whoever sees it.
    return nameOf(look, at, role).text !== nameOf(look, target, own).text;
  }
  return false;
}

/** The label of `control` that `hit` lies in, unless another control in the label takes the press. */
export function labelAt(hit: Element, control: Element): Element | null {
  const label = flatClosest(hit, (at) => tagOf(at) === "label");
  if (!label || (label as HTMLLabelElement).control !== control) return null;
  const taker = flatClosest(
    hit,
    (at) => at === label || /^(a|button|input|select|textarea)$/.test(tagOf(at)),
  );
  return taker === label || taker === control ? label : null;
}

export function coverOf(look: Look, e: Element): Cover {
  const name = nameOf(look, e).text || contentOf(look, e);
  return {
    role: roleOf(look, e) ?? "generic",
    tag: tagOf(e),
    name: name === "" ? null : cut(name, 100),
    id: elementId(e),
  };
}

/** What the viewport and every clipping ancestor leave of the space the element lies in. */
export function clipOf(look: Look, e: Element): Edges {
  let clip: Edges = look.view;
  let position = look.style(e).position;
  for (let at = flatParent(e); at; at = flatParent(at)) {
    const style = look.style(at);
    const inner = frameDocument(at);
    if (inner) {
      clip = meet(clip, look.place(inner).edges(viewportOf(inner)));
      position = style.position;
      continue;
    }
    const isAnchor = style.position !== "static" || style.transform !== "none";
    if (position === "fixed" && style.transform === "none") continue;
    if (position === "absolute" && !isAnchor) continue;
    if (clips(at, style)) clip = meet(clip, innerEdges(look, at));
    position = style.position;
  }
  return clip;
}

/** Whether the element cuts off what overflows it. Page-level overflow belongs to the viewport. */
export function clips(e: Element, style: CSSStyleDeclaration): boolean {
  const tag = tagOf(e);
  if (tag === "html" || tag === "body") return false;
  return style.overflowX !== "visible" || style.overflowY !== "visible";
}

function innerEdges(look: Look, e: Element): Edges {
  const box = look.own(e);
  const [width, height] = [clientWidthOf(e), clientHeightOf(e)];
  // A box without a client size is inline or an SVG; its outer box is all there is. It is all that
  // can be said of one that is scaled, too: its inner sizes are told as they were before.
  const isScaled = !isSized(e, box.right - box.left, box.bottom - box.top);
  if (isScaled || (width === 0 && height === 0)) return look.edges(e);
  const left = box.left + clientLeftOf(e);
  const top = box.top + clientTopOf(e);
  return look.place(ownerOf(e)).edges({ left, top, right: left + width, bottom: top + height });
}

const isSized = (e: Element, width: number, height: number): boolean =>
  Math.abs((e as HTMLElement).offsetWidth - width) <= 1 && Math.abs((e as HTMLElement).offsetHeight - height) <= 1;

/** The points of an element to try, within the part of it that shows. */
export function pointsOf(look: Look, e: Element, part: Edges): Point[] {
  const points = pointsIn(part, look.pieces(e));
  const place = look.place(ownerOf(e));
  if (place.isMoved) return points;
  // In a frame that is turned the box around the element is more than the element.
  const { left, top, right, bottom } = look.own(e);
  const own = pointsIn([left, top, right, bottom], []).map(([x, y]) => place.out(x, y));
  return [...own.filter((point) => isIn(part, point)), ...points];
}

const isIn = (part: Edges, [x, y]: Point): boolean =>
  x > part[0] && x < part[2] && y > part[1] && y < part[3];

/** The points to try: the centre, the quarter points, then the centre of each line. */
export function pointsIn(part: Edges, pieces: Edges[]): Point[] {
  const at = (edges: Edges, x: number, y: number): Point => [
    edges[0] + (edges[2] - edges[0]) * x,
    edges[1] + (edges[3] - edges[1]) * y,
  ];
  const points = [at(part, 0.5, 0.5)];
  for (const y of [0.25, 0.75]) for (const x of [0.25, 0.75]) points.push(at(part, x, y));
  if (pieces.length > 1) {
    for (const piece of pieces.slice(0, 10)) {
      const seen = meet(piece, part);
      if (!isEmpty(seen)) points.push(at(seen, 0.5, 0.5));
    }
  }
  return points;
}
