// The accessible name of an element: what a person, or a screen reader, would call it.
//
// Follows the order of the accessible name computation where it matters and stops where it would
// let typing rename a field: the content of a field is never part of a name.

import { attr, byId, eachChild, firstOf, has, hasBox, isElement, isText } from "./dom.ts";
import { nextOf, nodeValueOf, tagOf } from "./dom.ts";
import type { Look, Name } from "./look.ts";
import { inputType, NAMED_BY_CONTENT, roleOf } from "./roles.ts";
import { collapse, cut, NAME_MAX, readable } from "./words.ts";

// Reading stops a little beyond what is kept: a name of a megabyte costs no more than a long one.
const CONTENT_MAX = NAME_MAX + 200;
const DEPTH_MAX = 60;

const NO_NAME: Name = { text: "", source: "none" };

/** The element's name, at most `NAME_MAX` characters. `role` spares asking for it again. */
export function nameOf(look: Look, e: Element, role?: string | null): Name {
  const known = look.names.get(e);
  if (known) return known;
  // A label that points back at what it names must find an answer, not a second round.
  look.names.set(e, NO_NAME);
  const found = compute(look, e, role);
  const text = cut(collapse(found.text), NAME_MAX);
  const name = text === "" ? NO_NAME : { text, source: found.source };
  look.names.set(e, name);
  return name;
}

function compute(look: Look, e: Element, role?: string | null): Name {
  const labelled = attr(e, "aria-labelledby");
  if (labelled !== null) {
    const text = textOfIds(look, e, labelled);
    if (text !== "") return { text, source: "label" };
  }
  const label = attr(e, "aria-label");
  if (label !== null && collapse(label) !== "") return { text: label, source: "attribute" };

  const native = nativeName(look, e, tagOf(e));
  if (native && collapse(native.text) !== "") return native;

  const own = role === undefined ? roleOf(look, e) : role;
  if (own !== null && NAMED_BY_CONTENT.has(own) && !isValueHolder(e)) {
    const text = contentOf(look, e);
    if (text !== "") return { text, source: "content" };
  }
  const hint = attr(e, "title") || attr(e, "placeholder") || attr(e, "aria-placeholder");
  return { text: hint ?? "", source: "attribute" };
}

const isValueHolder = (e: Element): boolean => /^(input|select|textarea)$/.test(tagOf(e));

function textOfIds(look: Look, e: Element, ids: string): string {
  const parts: string[] = [];
  for (const id of ids.split(/\s+/, 20)) {
    const target = id === "" ? null : byId(e, id);
    if (!target) continue;
    const label = attr(target, "aria-label");
    parts.push(label ?? (attr(target, "alt") || contentOf(look, target, true)));
  }
  return collapse(parts.join(" "));
}

function nativeName(look: Look, e: Element, tag: string): Name | null {
  switch (tag) {
    case "input":
      return inputName(look, e as HTMLInputElement);
    case "select":
    case "textarea":
    case "meter":
    case "progress":
    case "output":
      return labelName(look, e as HTMLInputElement);
    case "img":
    case "area":
      return { text: attr(e, "alt") ?? "", source: "attribute" };
    case "fieldset":
      return childName(look, e, "legend");
    case "table":
      return childName(look, e, "caption");
    case "figure":
      return childName(look, e, "figcaption");
    case "optgroup":
      return { text: attr(e, "label") ?? "", source: "attribute" };
    case "option":
      return { text: attr(e, "label") || (e as HTMLOptionElement).text, source: "content" };
    case "svg":
      return childName(look, e, "title");
  }
  return null;
}

function inputName(look: Look, e: HTMLInputElement): Name | null {
  const type = inputType(e);
  if (type === "submit" || type === "reset" || type === "button") {
    const standard = type === "submit" ? "Submit" : type === "reset" ? "Reset" : "";
    return { text: has(e, "value") ? e.value : standard, source: "attribute" };
  }
  if (type === "image") {
    return { text: attr(e, "alt") || attr(e, "title") || "Submit", source: "attribute" };
  }
  return labelName(look, e);
}

function labelName(look: Look, e: HTMLInputElement): Name | null {
  const labels = e.labels;
  if (!labels || labels.length === 0) return null;
  const parts: string[] = [];
  for (let i = 0; i < labels.length && i < 10; i += 1) {
    const label = labels[i];
    if (label) parts.push(attr(label, "aria-label") ?? contentOf(look, label, !hasBox(label)));
  }
  return { text: parts.join(" "), source: "label" };
}

function childName(look: Look, e: Element, tag: string): Name | null {
  for (let child = firstOf(e); child; child = nextOf(child)) {
    if (isElement(child) && tagOf(child) === tag) {
      return { text: contentOf(look, child, tag === "title"), source: "label" };
    }
  }
  return null;
}

/** The text an element shows, without what its fields hold, collapsed; cached for the look. */
export function contentOf(look: Look, e: Element, isHiddenToo = false): string {
  if (isHiddenToo) return collect(look, e, true);
  const known = look.texts.get(e);
  if (known !== undefined) return known;
  const text = collect(look, e, false);
  look.texts.set(e, text);
  return text;
}

function collect(look: Look, e: Element, isHiddenToo: boolean): string {
  const only = firstOf(e);
  if (only && isText(only) && nextOf(only) === null) {
    return collapse(nodeValueOf(only).slice(0, CONTENT_MAX * 4));
  }
  const gathered = { text: "" };
  gather(look, e, gathered, isHiddenToo, 0);
  return collapse(gathered.text);
}

const UNSHOWN = new Set(
  "datalist head iframe link meta noscript object option script select style template textarea".split(" "),
);

function gather(look: Look, e: Element, into: { text: string }, isHiddenToo: boolean, depth: number): void {
  if (depth > DEPTH_MAX) return;
  eachChild(e, (child) => {
    if (into.text.length > CONTENT_MAX) return;
    if (isText(child)) {
      into.text += readable(nodeValueOf(child).slice(0, CONTENT_MAX * 4)).replace(/[\s\u00a0]+/g, " ");
    } else if (isElement(child)) {
      gatherElement(look, child, into, isHiddenToo, depth);
    }
  });
}

function gatherElement(
  look: Look,
  e: Element,
  into: { text: string },
  isHiddenToo: boolean,
  depth: number,
): void {
  const tag = tagOf(e);
  if (UNSHOWN.has(tag)) return;
  if (tag === "br") return void (into.text += " ");
  if (!isHiddenToo && !isRead(look, e)) return;
  const label = attr(e, "aria-label");
  if (label !== null && collapse(label) !== "") return void (into.text += ` ${label} `);
  if (tag === "img" || tag === "input" || tag === "svg") {
    const isButton = tag === "input" && /^(button|submit|reset)$/.test(inputType(e));
    if (tag !== "input" || isButton) into.text += ` ${nameOf(look, e).text} `;
    return;
  }
  const isInline = isHiddenToo || look.style(e).display.startsWith("inline");
  if (!isInline || /^inline-/.test(isHiddenToo ? "" : look.style(e).display)) into.text += " ";
  gather(look, e, into, isHiddenToo, depth + 1);
  if (!isInline) into.text += " ";
}

/** Whether the element's text is read out: rendered, not hidden, not kept from assistive technology. */
function isRead(look: Look, e: Element): boolean {
  if (attr(e, "aria-hidden") === "true") return false;
  const style = look.style(e);
  if (!hasBox(e) && style.display !== "contents") return false;
  return style.visibility === "visible";
}
