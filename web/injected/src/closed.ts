// Elements that may host a closed shadow tree, for the driver to reach into.
//
// A closed root cannot be seen from here. Each reading suspects what paints and does not say with
// what; the driver opens each suspect once and hands the root over.
//
// LIMIT: a host that is no custom element and shows children of its own beside its closed root is not
// found. Nothing in a page tells it from its neighbors: measuring what children leave of each box costs
// as much again as the reading, and a list of all roots from the browser grows with the document.

import { firstOf, isText, nextOf, nodeValueOf, rectOf, shadowOf, tagOf } from "./dom.ts";
import { everyElement } from "./scan.ts";

const SUSPECTS_MAX = 100;
const SIZE_MIN_PX = 8;
const HOSTS = /^(article|aside|blockquote|body|div|footer|h[1-6]|header|main|nav|p|section|span)$/;
const INK = /\S/;

const asked = new WeakSet<Element>();
let suspects: Element[] = [];

/** Looks at an element that a reading has come to: a custom element, or one with nothing in it. */
export function suspectHost(e: Element, tag: string): void {
  if (tag.includes("-")) return suspect(e);
  const child = firstOf(e);
  if (child !== null && !(isText(child) && nextOf(child) === null && !INK.test(nodeValueOf(child)))) return;
  if (!HOSTS.test(tag)) return;
  const box = rectOf(e);
  if (box.width >= SIZE_MIN_PX && box.height >= SIZE_MIN_PX) suspect(e);
}

/** Notes the host of what is in no flat tree: a shadow root without a slot for it hides it. */
export function suspect(e: Element): void {
  if (suspects.length >= SUSPECTS_MAX || asked.has(e) || shadowOf(e)) return;
  asked.add(e);
  suspects.push(e);
}

export const suspectsLeft = (): number => suspects.length;

/** Hands the suspects over, each only once; `all` suspects in every tree first. */
export function takeSuspects(args: { all: boolean }): Element[] {
  if (args.all) everyElement.filter((e) => (suspectHost(e, tagOf(e)), false));
  const found = suspects;
  suspects = [];
  return found;
}
