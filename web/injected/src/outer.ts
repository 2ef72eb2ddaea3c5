// What the driver knows of the frame this script's document is shown in, and the script cannot.
//
// A document of another origin cannot see where its frame lies, how much of it shows, or who put it
// there. The driver asks the script of the document above and hands that on with every call.

/** Left, top, right, bottom. */
type Edges = readonly [number, number, number, number];

export interface Outer {
  /** Where the document's own viewport starts in the top viewport. */
  x: number;
  y: number;
  /** The part of the top viewport that the frames above leave of it. */
  clip: Edges;
  /** The origin of the nearest document above that has one. */
  origin: string | null;
}

let outer: Outer | null = null;

export function placeIn(given: Outer | null | undefined): void {
  if (given) outer = given;
}

export const outerPlace = (): Outer | null => outer;
