// One look at the page: the viewport and what was worked out about elements during one call.
//
// Nothing here outlives the call, so nothing here can be stale.

import { activeElement, frameElementOf, ownerOf, rectOf, rectsOf, clientLeftOf, clientTopOf } from "./dom.ts";
import { eachChild, isElement, viewOf } from "./dom.ts";
import { outerPlace } from "./outer.ts";

/** Left, top, right, bottom. */
export type Edges = readonly [number, number, number, number];
/** X, y, width, height. */
export type Box = [number, number, number, number];

export interface Name {
  text: string;
  source: "label" | "content" | "attribute" | "none";
}

/** What an element stands in. */
export interface Around {
  /** The fixed or sticky box that keeps it in view. */
  pin: Element | null;
  heading: Element | null;
  dialog: Element | null;
  /** A landmark whose headings are about itself alone. */
  aside: Element | null;
}

/** Headings of one kind in tree order, and the place of the one last found before an element. */
export interface Headings {
  readonly all: Element[];
  last: number;
}

export class Look {
  readonly width = window.innerWidth;
  readonly height = window.innerHeight;
  /** The part of the top viewport that this script's document shows in. */
  readonly view: Edges = viewEdges(this.width, this.height);
  readonly active: Element | null = activeElement();
  readonly names = new Map<Element, Name>();
  readonly roles = new Map<Element, string | null>();
  readonly tables = new Map<Element, unknown>();
  readonly headings = new Map<Node, Headings[]>();
  readonly around = new Map<Element, Around>();
  readonly texts = new Map<Element, string>();
  private readonly styles = new Map<Element, CSSStyleDeclaration>();
  private readonly offsets = new Map<Document, readonly [number, number]>();

  style(e: Element): CSSStyleDeclaration {
    let style = this.styles.get(e);
    if (!style) {
      style = getComputedStyle(e);
      this.styles.set(e, style);
    }
    return style;
  }

  /** The style for one question; it is not kept, since a leaf is seldom asked a second one. */
  brief(e: Element): CSSStyleDeclaration {
    return this.styles.get(e) ?? getComputedStyle(e);
  }

  /** Where the document's own viewport starts in the top viewport. */
  offset(d: Document): readonly [number, number] {
    const known = this.offsets.get(d);
    if (known) return known;
    const frame = frameElementOf(d);
    const outer = outerPlace();
    let offset: readonly [number, number] = outer ? [outer.x, outer.y] : [0, 0];
    if (frame && viewOf(d)) {
      const [x, y] = this.offset(ownerOf(frame));
      const box = rectOf(frame);
      const style = this.style(frame);
      const left = box.left + clientLeftOf(frame) + (parseFloat(style.paddingLeft) || 0);
      const top = box.top + clientTopOf(frame) + (parseFloat(style.paddingTop) || 0);
      offset = [x + left, y + top];
    }
    this.offsets.set(d, offset);
    return offset;
  }

  /** The element's box in the top viewport; that of its children when its own is empty. */
  edges(e: Element): Edges {
    const [x, y] = this.offset(ownerOf(e));
    const own = rectOf(e);
    if (own.width > 0 && own.height > 0) return shift(own, x, y);
    return this.boxOfChildren(e, 3) ?? shift(own, x, y);
  }

  /** Every separate box of the element (the lines of a wrapped link). */
  pieces(e: Element): Edges[] {
    const [x, y] = this.offset(ownerOf(e));
    return Array.from(rectsOf(e), (rect) => shift(rect, x, y));
  }

  private boxOfChildren(e: Element, depth: number): Edges | null {
    let union: Edges | null = null;
    if (depth === 0) return null;
    eachChild(e, (child) => {
      if (!isElement(child)) return;
      const [x, y] = this.offset(ownerOf(child));
      const rect = rectOf(child);
      const box =
        rect.width > 0 && rect.height > 0 ? shift(rect, x, y) : this.boxOfChildren(child, depth - 1);
      if (box) union = union ? join(union, box) : box;
    });
    return union;
  }
}

function viewEdges(width: number, height: number): Edges {
  const outer = outerPlace();
  if (!outer) return [0, 0, width, height];
  return meet([outer.x, outer.y, outer.x + width, outer.y + height], outer.clip);
}

const shift = (r: DOMRect, x: number, y: number): Edges => [r.left + x, r.top + y, r.right + x, r.bottom + y];

const join = (a: Edges, b: Edges): Edges => [
  Math.min(a[0], b[0]),
  Math.min(a[1], b[1]),
  Math.max(a[2], b[2]),
  Math.max(a[3], b[3]),
];

export function meet(a: Edges, b: Edges): Edges {
  return [Math.max(a[0], b[0]), Math.max(a[1], b[1]), Math.min(a[2], b[2]), Math.min(a[3], b[3])];
}

export const isEmpty = (e: Edges): boolean => e[2] <= e[0] || e[3] <= e[1];

const round = (n: number): number => (Number.isFinite(n) ? Math.round(n * 100) / 100 : 0);

export const toBox = (e: Edges): Box => [
  round(e[0]),
  round(e[1]),
  round(Math.max(0, e[2] - e[0])),
  round(Math.max(0, e[3] - e[1])),
];
