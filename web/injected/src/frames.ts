// Frames whose documents this script cannot read: of another origin, sandboxed, or in a process of
// their own. The driver reaches them by the scripts they have themselves; this one says where they lie.

import { clientHeightOf, clientWidthOf, frameDocument, frameElements, hasBox, isFrame, ownerOf } from "./dom.ts";
import { clipOf, type Cover, coverOf, hitAt, type Point, reaches } from "./hit.ts";
import { type Edges, Look, meet } from "./look.ts";
import type { Matrix } from "./place.ts";
import { type Expect, holdsNow } from "./predicate.ts";
import { elementOf, refOf } from "./refs.ts";
import { originOf } from "./resolve.ts";

const FRAMES_MAX = 100;
const SIZE_MIN_PX = 2;

interface FramePlace {
  ref: string;
  x: number;
  y: number;
  map: Matrix | null;
  zoom: number;
  is_known: boolean;
  clip: Edges;
  origin: string;
}

/** Every frame that is shown and cannot be read, and where its viewport lies in the top one. */
export function frames(): { frames: FramePlace[]; total: number } {
  const look = new Look();
  const found: FramePlace[] = [];
  let total = 0;
  for (const e of frameElements()) {
    if (!hasBox(e) || frameDocument(e) || !isFrame(e)) continue;
    const [width, height] = [clientWidthOf(e), clientHeightOf(e)];
    if (width < SIZE_MIN_PX || height < SIZE_MIN_PX) continue;
    total += 1;
    if (found.length < FRAMES_MAX) found.push(placeOf(look, e, width, height));
  }
  return { frames: found, total };
}

function placeOf(look: Look, e: Element, width: number, height: number): FramePlace {
  const style = look.style(e);
  const place = look.place(ownerOf(e)).of(e, style);
  const right = width - (parseFloat(style.paddingLeft) || 0) - (parseFloat(style.paddingRight) || 0);
  const bottom = height - (parseFloat(style.paddingTop) || 0) - (parseFloat(style.paddingBottom) || 0);
  const clip = meet(place.edges({ left: 0, top: 0, right, bottom }), clipOf(look, e));
  const { dx: x, dy: y, map, zoom, isKnown } = place;
  return { ref: refOf(e), x, y, map, zoom, is_known: isKnown, clip, origin: originOf(ownerOf(e)) };
}

/** Which of the points of the top viewport reach the frame, and what covers it where none does. */
export function reach(args: { ref: string; points: Point[] }): { at: number | null; cover: Cover | null } {
  const look = new Look();
  const e = elementOf(args.ref);
  let cover: Element | null = null;
  if (!e) return { at: null, cover: null };
  for (let at = 0; at < args.points.length; at += 1) {
    const point = args.points[at];
    const hit = point ? hitAt(look, point) : null;
    if (reaches(look, e, hit)) return { at, cover: null };
    cover ??= hit;
  }
  return { at: null, cover: cover && coverOf(look, cover) };
}

export const expectHolds = (args: { expect: Expect | null }): { held: boolean } => ({
  held: holdsNow(new Look(), args.expect, null),
});
