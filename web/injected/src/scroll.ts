// What a wheel would scroll, and how far it is from its end.

import { clientHeightOf, clientWidthOf, flatParent, ownerOf, scrollHeightOf, scrollLeftOf } from "./dom.ts";
import { scrollTopOf, scrollWidthOf, tagOf, viewOf } from "./dom.ts";
import { hitAt, type Point } from "./hit.ts";
import { Look } from "./look.ts";
import { elementOf, refOf } from "./refs.ts";

export type Direction = "up" | "down" | "left" | "right";

interface Scroller {
  /** The element that scrolls; null for the page itself. */
  ref: string | null;
  x: number;
  y: number;
  /** How far it can still go. */
  left: number;
  width: number;
  height: number;
}

const SCROLLS = /auto|scroll|overlay/;
// A fraction of a pixel is left over at the end of some zoom levels.
const END_PX = 1;

/** The innermost thing at the point that can still go that way, else the innermost that scrolls. */
export function scroller(args: { point: Point; direction: Direction }): Scroller {
  const look = new Look();
  let first: Scroller | null = null;
  for (let at = hitAt(look, args.point); at; at = flatParent(at)) {
    const found = scrollerAt(look, at, args.direction);
    if (!found) continue;
    if (found.left > END_PX) return found;
    first ??= found;
  }
  return first ?? ofPage(args.direction);
}

/** Where something that scrolled stands now. */
export function scrolled(args: { ref: string | null; direction: Direction }): Scroller | null {
  if (args.ref === null) return ofPage(args.direction);
  const e = elementOf(args.ref);
  return e && measure(e, refOf(e), args.direction, clientWidthOf(e), clientHeightOf(e));
}

function scrollerAt(look: Look, e: Element, direction: Direction): Scroller | null {
  const tag = tagOf(e);
  const owner = ownerOf(e);
  if (tag === "body") return null;
  if (tag === "html") {
    if (owner === document) return ofPage(direction);
    const view = viewOf(owner);
    return view && measure(e, refOf(e), direction, view.innerWidth, view.innerHeight);
  }
  const style = look.style(e);
  const isDown = direction === "up" || direction === "down";
  const isField = tag === "textarea";
  if (!isField && !SCROLLS.test(isDown ? style.overflowY : style.overflowX)) return null;
  const room = isDown ? scrollHeightOf(e) - clientHeightOf(e) : scrollWidthOf(e) - clientWidthOf(e);
  return room > END_PX ? measure(e, refOf(e), direction, clientWidthOf(e), clientHeightOf(e)) : null;
}

function ofPage(direction: Direction): Scroller {
  const root = document.scrollingElement ?? document.documentElement;
  return measure(root, null, direction, window.innerWidth, window.innerHeight);
}

function measure(
  e: Element,
  ref: string | null,
  direction: Direction,
  width: number,
  height: number,
): Scroller {
  const [x, y] = [scrollLeftOf(e), scrollTopOf(e)];
  const left = {
    up: y,
    left: x,
    down: scrollHeightOf(e) - height - y,
    right: scrollWidthOf(e) - width - x,
  }[direction];
  return { ref, x, y, left: Math.max(0, left), width, height };
}
