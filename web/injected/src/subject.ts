// The subject of an element: role, tag, name and what tells it apart from its namesakes.
//
// Worked out against the live element, so that a value is never told under a neighbour's header.

import { allTagged, attr, firstOf, flatParent, has, hasBox, holds, isBare, isElement, isText } from "./dom.ts";
import { nextOf, nodeValueOf, positionOf, previousOf, queryAll, rectOf, rootOf, tagOf } from "./dom.ts";
import type { Around, Headings, Look } from "./look.ts";
import { contentOf, nameOf } from "./names.ts";
import { CONTROLS, headingLevel, roleOf } from "./roles.ts";
import type { Subject } from "./refs.ts";
import { placeOf } from "./table.ts";
import { firstIndex } from "./walk.ts";
import { collapse, cut, fold, hasLetter } from "./words.ts";

const CONTEXT_MAX = 200;
const SIBLINGS_MAX = 30;
const CLIMB_MAX = 4;
const CONTAINER_MAX = 12;
const BOUNDARY = /^(li|fieldset|form|article|section|main|aside|nav|dialog|table|tr|td|th|body|dd|figure)$/;
const ASIDE = new Set("dialog nav aside footer".split(" "));
const BOUNDARY_ROLE = /^(listitem|group|row|article|region|dialog|cell|gridcell|toolbar|radiogroup)$/;

export function subjectOf(look: Look, e: Element): Subject {
  const role = roleOf(look, e);
  const name = nameOf(look, e, role).text;
  const place = placeOf(look, e);
  return {
    role: role === null || role === "none" ? "generic" : role,
    tag: tagOf(e),
    name: name === "" ? null : name,
    row: place?.row ?? null,
    column: place?.column ?? null,
    label: place ? null : (labelOf(look, e, name) ?? containerOf(look, e, name)),
    heading: headingOf(look, e),
  };
}

/** The context parts that are there, in order. */
export const contextOf = (s: Subject): string[] =>
  [s.row, s.column, s.label, s.heading].filter((part): part is string => part !== null);

/** The words right before the element in its row, list item, group or block. */
function labelOf(look: Look, e: Element, name: string): string | null {
  const role = roleOf(look, e);
  if (role === "heading" || role === "iframe") return null;
  let at: Element | null = e;
  for (let climbed = 0; at && climbed < CLIMB_MAX; climbed += 1) {
    const found = wordsBefore(look, at);
    if (found === null) return null;
    if (found !== "") return fold(found) === fold(name) ? null : cut(found, CONTEXT_MAX);
    at = flatParent(at);
    if (!at || BOUNDARY.test(tagOf(at)) || BOUNDARY_ROLE.test(attr(at, "role") ?? "")) return null;
  }
  return null;
}

const CONTAINERS = new Set("menu menubar listbox group radiogroup toolbar tabpanel tree dialog alertdialog".split(" "));

/** What the menu, list or group around a control is called: its own name says whose it is. */
function containerOf(look: Look, e: Element, name: string): string | null {
  const role = roleOf(look, e);
  if (role === null || !CONTROLS.has(role)) return null;
  for (let at = flatParent(e), climbed = 0; at && climbed < CONTAINER_MAX; at = flatParent(at), climbed += 1) {
    if (isBare(at) || (!has(at, "aria-label") && !has(at, "aria-labelledby"))) continue;
    const around = roleOf(look, at);
    if (around === null || !CONTAINERS.has(around)) continue;
    const found = nameOf(look, at, around).text;
    return found === "" || fold(found) === fold(name) ? null : cut(found, CONTEXT_MAX);
  }
  return null;
}

/** The nearest words among the siblings before `e`; null where another group of controls ends. */
function wordsBefore(look: Look, e: Element): string | null {
  // What stands somewhere else than in its place in the text has no words before it.
  if (isOutOfFlow(look, e)) return null;
  const parent = flatParent(e);
  const isGroup = parent !== null && isGroupLike(parent);
  let node = previousOf(e);
  for (let seen = 0; node && seen < SIBLINGS_MAX; seen += 1, node = previousOf(node)) {
    if (isText(node)) {
      const text = collapse(nodeValueOf(node).slice(-2000));
      if (hasLetter(text)) return text;
    } else if (isElement(node)) {
      const role = roleOf(look, node);
      if ((role !== null && CONTROLS.has(role)) || !hasBox(node) || isOutOfFlow(look, node)) continue;
      // A paragraph above is not about what follows it; words beside it in the same row are.
      if (!isGroup && !isBeside(look, node, e)) return null;
      const text = contentOf(look, node);
      if (!hasLetter(text)) continue;
      // A neighbour with controls of its own is another group; its words are not about this one.
      return queryAll(node, "button,input,select,textarea,a[href]").length > 0 ? null : text;
    }
  }
  return "";
}

const isOutOfFlow = (look: Look, e: Element): boolean => /^(absolute|fixed)$/.test(look.style(e).position);

const isGroupLike = (e: Element): boolean =>
  /^(li|fieldset|dd)$/.test(tagOf(e)) || /^(listitem|group|row)$/.test(attr(e, "role") ?? "");

function isBeside(look: Look, before: Element, e: Element): boolean {
  if (look.style(before).display.startsWith("inline")) return true;
  const a = rectOf(before);
  const b = rectOf(e);
  return a.top < b.bottom && b.top < a.bottom && a.height > 0;
}

/** What the element stands in, itself included; worked out once per element and look. */
function aroundOf(look: Look, e: Element): Around {
  const path: Element[] = [];
  let at: Element | null = e;
  let around: Around | undefined;
  for (; at; at = flatParent(at)) {
    around = look.around.get(at);
    if (around) break;
    path.push(at);
  }
  let outer: Around = around ?? { pin: null, heading: null, dialog: null, aside: null };
  for (let i = path.length - 1; i >= 0; i -= 1) {
    const inner = path[i];
    if (!inner) continue;
    const tag = tagOf(inner);
    const position = look.style(inner).position;
    const isPin = position === "fixed" || position === "sticky";
    const isHeading = roleOf(look, inner) === "heading";
    if (isPin || isHeading || ASIDE.has(tag)) {
      outer = {
        pin: isPin ? inner : outer.pin,
        heading: isHeading ? inner : outer.heading,
        dialog: tag === "dialog" ? inner : outer.dialog,
        aside: ASIDE.has(tag) ? inner : outer.aside,
      };
    }
    look.around.set(inner, outer);
  }
  return outer;
}

/** The box that keeps the element in view whatever the page scrolls to, or null. */
export const pinnedBy = (look: Look, e: Element): Element | null => aroundOf(look, e).pin;

/** The closest visible heading above; for pinned things only one in the same box. */
function headingOf(look: Look, e: Element): string | null {
  const { pin, dialog, heading: own } = aroundOf(look, e);
  const level = own ? headingLevel(own) : 7;
  for (let at: Element | null = e; at;) {
    const root = rootOf(at);
    const found = headingBefore(look, root, at, level, pin ?? dialog);
    if (found) {
      const text = contentOf(look, found);
      return text === "" ? null : cut(text, CONTEXT_MAX);
    }
    at = flatParentOfRoot(root);
  }
  return null;
}

function flatParentOfRoot(root: Node): Element | null {
  let top: Node | null = firstOf(root);
  while (top && !isElement(top)) top = nextOf(top);
  return top ? flatParent(top) : null;
}

const HEADING_TAGS = ["h1", "h2", "h3", "h4", "h5", "h6"];

/** The headings of a tree: one list in tree order for each tag, and one for the role. */
function headingsOf(look: Look, root: Node): Headings[] {
  let lists = look.headings.get(root);
  if (!lists) {
    const found = HEADING_TAGS.map((tag) => allTagged(root, tag));
    found.push(queryAll(root, "[role=heading]"));
    lists = found.filter((all) => all.length > 0).map((all) => ({ all, last: -1 }));
    look.headings.set(root, lists);
  }
  return lists;
}

/** The place in the list of the last heading before `e`, or -1. */
function lastBefore(list: Headings, e: Element): number {
  const { all } = list;
  const isAfter = (index: number): boolean => {
    const heading = all[index];
    return !heading || (positionOf(heading, e) & 4) === 0 || holds(heading, e);
  };
  // Whoever asks goes through the tree in order: mostly the answer is that of the time before.
  const { last } = list;
  const isSame = isAfter(last + 1) && (last < 0 || !isAfter(last));
  if (!isSame) list.last = firstIndex(all.length, isAfter) - 1;
  return list.last;
}

/** The last heading before `e` that ranks above `level` and is about it. */
function headingBefore(
  look: Look,
  root: Node,
  e: Element,
  level: number,
  pin: Element | null,
): Element | null {
  let best: Element | null = null;
  for (const list of headingsOf(look, root)) {
    const { all } = list;
    for (let i = lastBefore(list, e), seen = 0; i >= 0 && seen < 50; i -= 1, seen += 1) {
      const heading = all[i];
      if (!heading) break;
      if (best && (positionOf(heading, best) & 4) !== 0) break;
      if (headingLevel(heading) >= level || !isHeadingFor(look, heading, e, pin)) continue;
      best = heading;
      break;
    }
  }
  return best;
}

function isHeadingFor(look: Look, heading: Element, e: Element, pin: Element | null): boolean {
  if (!hasBox(heading)) return false;
  if (pin && rootOf(pin) === rootOf(e) && !holds(pin, heading)) return false;
  const { aside } = aroundOf(look, heading);
  return aside === null || holds(aside, e);
}
