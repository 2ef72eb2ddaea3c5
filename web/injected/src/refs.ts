// Refs: short names for elements, and what each element meant when it was last shown.
//
// INVARIANT: a number is given once. A ref stays with its element while the element lives, is never
// given to another, and is never looked up again by name: `look_alike` only tells, it does not act.

import { attr, frameElementOf, isConnected, ownerOf, viewOf } from "./dom.ts";

export interface Subject {
  role: string;
  tag: string;
  name: string | null;
  row: string | null;
  column: string | null;
  label: string | null;
  heading: string | null;
}

// LIMIT: beyond this many refs those of elements that no longer exist forget what they meant.
const REFS_MAX = 50_000;

const refByElement = new WeakMap<Element, string>();
const elementByRef = new Map<string, WeakRef<Element>>();
const meaningByRef = new Map<string, Subject>();
const frameNumbers = new WeakMap<Document, number>();

let refNext = 1;
let frameNext = 1;
// The frame this script's own document is shown in, where the script above cannot read it.
let ownFrame = "";
let sweepAt = REFS_MAX;
let hasBegun = false;

export const documentId = makeId();

function makeId(): string {
  const bytes = new Uint8Array(12);
  crypto.getRandomValues(bytes);
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Sets where numbers start; only the first call for a document counts. */
export function beginNumbers(refStart: number, frameStart: number, own: string | null): void {
  if (hasBegun) return;
  hasBegun = true;
  ownFrame = own ?? "";
  refNext = Math.max(refNext, Math.floor(refStart) || 1);
  frameNext = Math.max(frameNext, Math.floor(frameStart) || 1);
}

export const numbers = (): { ref_next: number; frame_next: number } => ({
  ref_next: refNext,
  frame_next: frameNext,
});

/** What every ref of this script begins with, in a frame that the script above cannot read. */
export const ownPrefix = (): string | null => (ownFrame === "" ? null : ownFrame);

/** Gives the next frame number away, to a frame that this script cannot read. */
export function takeFrameNumber(): number {
  frameNext += 1;
  return frameNext - 1;
}

export function refOf(e: Element): string {
  const known = refByElement.get(e);
  if (known !== undefined) return known;
  const ref = `${framePrefix(ownerOf(e))}e${refNext}`;
  refNext += 1;
  refByElement.set(e, ref);
  elementByRef.set(ref, new WeakRef(e));
  if (elementByRef.size > sweepAt) sweep();
  return ref;
}

function framePrefix(d: Document): string {
  if (d === document) return ownFrame;
  let number = frameNumbers.get(d);
  if (number === undefined) {
    number = frameNext;
    frameNext += 1;
    frameNumbers.set(d, number);
  }
  return ownFrame === "" ? `f${number}` : `${ownFrame}.${number}`;
}

function sweep(): void {
  for (const [ref, weak] of elementByRef) {
    if (weak.deref()) continue;
    elementByRef.delete(ref);
    meaningByRef.delete(ref);
  }
  sweepAt = Math.max(REFS_MAX, elementByRef.size * 2);
}

/** The element of a ref, or null when it is in none of the documents shown at this moment. */
export function elementOf(ref: string): Element | null {
  const e = elementByRef.get(ref)?.deref() ?? null;
  return e && isShownDocument(e) ? e : null;
}

function isShownDocument(e: Element): boolean {
  if (!isConnected(e)) return false;
  for (let owner = ownerOf(e); owner !== document;) {
    const frame = frameElementOf(owner);
    if (!frame || !isConnected(frame) || viewOf(owner)?.document !== owner) return false;
    owner = ownerOf(frame);
  }
  return true;
}

export function remember(ref: string, subject: Subject): void {
  meaningByRef.set(ref, subject);
}

export const lastMeaning = (ref: string): Subject | null => meaningByRef.get(ref) ?? null;

/** Whether two subjects say the same; used for drift and for look-alikes. */
export const sameMeaning = (a: Subject, b: Subject): boolean =>
  a.role === b.role &&
  a.name === b.name &&
  a.row === b.row &&
  a.column === b.column &&
  a.label === b.label &&
  a.heading === b.heading;

/** The words by which a cover is named in a refusal. */
export const elementId = (e: Element): string | null => attr(e, "id")?.slice(0, 100) || null;
