// Elements that may host a closed shadow tree, for the driver to reach into.
//
// A closed root cannot be seen from here. The driver opens each candidate once and hands the root over.

import { firstOf, hasBox, isElement, isText, nextOf, nodeValueOf, rectOf, shadowOf, tagOf } from "./dom.ts";
import { Look } from "./look.ts";
import { everyElement } from "./scan.ts";
import { isBlank } from "./walk.ts";

const CANDIDATES_MAX = 100;
const HOSTS = /^(article|aside|blockquote|body|div|footer|h[1-6]|header|main|nav|p|section|span)$/;

const asked = new WeakSet<Element>();

/** Custom elements, and elements that paint what their children do not explain; each only once. */
export function closedCandidates(): Element[] {
  const look = new Look();
  const found = everyElement.filter((e) => !asked.has(e) && isCandidate(look, e));
  const kept = found.slice(0, CANDIDATES_MAX);
  for (const e of kept) asked.add(e);
  return kept;
}

function isCandidate(look: Look, e: Element): boolean {
  const tag = tagOf(e);
  const isCustom = tag.includes("-");
  if ((!isCustom && !HOSTS.test(tag)) || shadowOf(e) || !hasBox(e)) return false;
  if (isCustom) return true;
  const child = firstOf(e);
  const isBare = child === null || (isText(child) && isBlank(nodeValueOf(child)) && nextOf(child) === null);
  if (isBare) {
    const box = rectOf(e);
    return box.width >= 8 && box.height >= 8;
  }
  // An element outside the flat tree has no style at all: a shadow root without a slot hides it.
  return isElement(child) && look.style(child).display === "";
}
