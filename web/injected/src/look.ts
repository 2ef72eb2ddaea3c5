// One look at the page: the viewport and what was worked out about elements during one call.
//
// Nothing here outlives the call, so nothing here can be stale.

import { activeElement, frameElementOf, ownerOf, rectOf, rectsOf } from "./dom.ts";
import { eachChild, isElement, viewOf } from "./dom.ts";
import { outerClip, outerPlace } from "./outer.ts";
import { type Edges, type Place, type Sides } from "./place.ts";

export type { Edges };
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
  private readonly places = new Map<Document, Place>();

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

  /** Where the document's own viewport lies in the top viewport. */
  place(d: Document): Place {
    const known = this.places.get(d);
    if (known) return known;
    const frame = frameElementOf(d);
    const isIn = frame !== null && viewOf(d) !== null;
    const place = isIn ? this.place(ownerOf(frame)).of(frame, this.style(frame)) : outerPlace();
    this.places.set(d, place);
    return place;
  }

  /** The element's box in the top viewport; that of its children when its own is empty. */
  edges(e: Element): Edges {
    return this.place(ownerOf(e)).edges(this.own(e));
  }

  /** The element's box in the viewport of its own document; that of its children when it has none. */
  own(e: Element): Sides {
    const own = rectOf(e);
    return own.width > 0 && own.height > 0 ? own : (boxOfChildren(e, 3) ?? own);
  }

  /** Every separate box of the element (the lines of a wrapped link). */
  pieces(e: Element): Edges[] {
    const place = this.place(ownerOf(e));
    return Array.from(rectsOf(e), (rect) => place.edges(rect));
  }
}

function boxOfChildren(e: Element, depth: number): Sides | null {
  let union: Sides | null = null;
  if (depth === 0) return null;
  eachChild(e, (child) => {
    if (!isElement(child)) return;
    const rect = rectOf(child);
    const box = rect.width > 0 && rect.height > 0 ? rect : boxOfChildren(child, depth - 1);
    if (box) union = union ? join(union, box) : box;
  });
  return union;
}

function viewEdges(width: number, height: number): Edges {
  const clip = outerClip();
  const all = { left: 0, top: 0, right: width, bottom: height };
  return clip ? meet(outerPlace().edges(all), clip) : [0, 0, width, height];
}

const join = (a: Sides, b: Sides): Sides => ({
  left: Math.min(a.left, b.left),
  top: Math.min(a.top, b.top),
  right: Math.max(a.right, b.right),
  bottom: Math.max(a.bottom, b.bottom),
});

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

/** The viewport of a document, in itself. */
export const viewportOf = (d: Document): Sides => {
  const view = viewOf(d);
  return { left: 0, top: 0, right: view?.innerWidth ?? 0, bottom: view?.innerHeight ?? 0 };
};
