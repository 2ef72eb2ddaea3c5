// What the driver knows of the frame this script's document is shown in, and the script cannot.
//
// A document of another origin cannot see where its frame lies, how much of it shows, or who put it
// there. The driver asks the script of the document above and hands that on with every call.

import { type Edges, type Matrix, Place } from "./place.ts";

export interface Outer {
  /** Where the document's own viewport starts in the top viewport. */
  x: number;
  y: number;
  /** How it lies there, where it is not only moved. */
  map: Matrix | null;
  /** By how much the frames above zoom it. */
  zoom: number;
  /** Whether that is known at all. */
  is_known: boolean;
  /** The part of the top viewport that the frames above leave of it. */
  clip: Edges;
  /** The origin of the nearest document above that has one. */
  origin: string | null;
}

const TOP = Place.moved(0, 0);

let outer: Outer | null = null;
let place = TOP;

export function placeIn(given: Outer | null | undefined): void {
  if (!given) return;
  outer = given;
  if (!given.is_known) place = Place.unknown(given.clip);
  else place = given.map
    ? Place.mapped(given.map, given.zoom, given.clip)
    : Place.moved(given.x, given.y, given.zoom);
}

/** Where this script's document lies in the top viewport. */
export const outerPlace = (): Place => place;
export const outerClip = (): Edges | null => outer?.clip ?? null;
export const outerOrigin = (): string | null => outer?.origin ?? null;
