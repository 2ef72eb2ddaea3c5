// What lies at a point, and whether pressing there reaches the element that is meant.

import { clientHeightOf, clientLeftOf, clientTopOf, clientWidthOf, elementAt, flatClosest } from "./dom.ts";
import { flatHolds, flatParent, frameDocument, ownerOf, shadowOf, tagOf } from "./dom.ts";
import { type Edges, isEmpty, type Look, meet } from "./look.ts";
import { contentOf, nameOf } from "./names.ts";
import { elementId } from "./refs.ts";
import { CONTROLS, roleOf } from "./roles.ts";
import { cut } from "./words.ts";

export type Point = [number, number];

export interface Cover {
  role: string;
  tag: string;
  name: string | null;
  id: string | null;
}

/** The innermost element at a point of the top viewport, through frames and shadow trees. */
export function hitAt(look: Look, [x, y]: Point): Element | null {
  const [dx, dy] = look.offset(document);
  let e = elementAt(document, x - dx, y - dy);
  for (let depth = 0; e && depth < 100; depth += 1) {
    const next = deeper(look, e, x, y);
    if (!next || next === e) break;
    e = next;
  }
  return e;
}

function deeper(look: Look, e: Element, x: number, y: number): Element | null {
  const inner = frameDocument(e);
  if (inner) {
    const [left, top] = look.offset(inner);
    return elementAt(inner, x - left, y - top);
  }
  const root = shadowOf(e);
  if (!root) return null;
  const [dx, dy] = look.offset(ownerOf(e));
  const found = root.elementFromPoint(x - dx, y - dy);
  return found && root.contains(found) ? found : null;
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
    if (frameDocument(at)) {
      clip = meet(clip, innerEdges(look, at));
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
  const box = look.edges(e);
  const left = box[0] + clientLeftOf(e);
  const top = box[1] + clientTopOf(e);
  // A box without a client size is inline or an SVG; its outer box is all there is.
  if (clientWidthOf(e) === 0 && clientHeightOf(e) === 0) return box;
  return [left, top, left + clientWidthOf(e), top + clientHeightOf(e)];
}

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
