// What fields hold, and the states of elements, as the outline shows them.

import { attr, childCountOf, clientHeightOf, clientWidthOf, firstElementOf, firstOf, flatParent } from "./dom.ts";
import { has, isBare, isHtml, matches, parentElementOf, queryAll, rectOf, scrollHeightOf } from "./dom.ts";
import { scrollWidthOf, tagOf, textContentOf } from "./dom.ts";
import type { Look } from "./look.ts";
import { CONTROLS, headingLevel, inputType, isEditingHost, isFocusable, roleOf } from "./roles.ts";
import { isSecret, wasSecret } from "./secret.ts";
import { collapse } from "./words.ts";

const NOT_TEXT = new Set("button checkbox color file hidden image radio range reset submit".split(" "));
const PART_MIN_PX = 8;
const SCROLL_MIN_PX = 16;
const SCROLLS = /auto|scroll/;
const BLANKS = /^[-–_\s]+(?=[\p{L}\p{N}])/u;
const NO_TYPING = new Set("date datetime-local month time week".split(" "));

/** Whether text can be entered into the element, by typing or by picking parts of a date. */
export function takesText(e: Element): boolean {
  const tag = tagOf(e);
  if (tag === "input") return !NOT_TEXT.has(inputType(e));
  return tag === "textarea" || isEditingHost(e);
}

/** Whether a caret stands in the element when it has the focus. */
export const hasCaret = (e: Element): boolean =>
  takesText(e) && !(tagOf(e) === "input" && NO_TYPING.has(inputType(e)));

/** A part of a date or a time that a page has made of plain elements, and sets by the keys it gets. */
export const isSection = (look: Look, e: Element): boolean =>
  roleOf(look, e) === "spinbutton" && tagOf(e) !== "input" && !takesText(e) && isFocusable(e);

/** Everything by which such a part says what it holds: `09`, `September`, `9`. */
export function sectionSays(e: Element): string[] {
  // Where no number is told, marks before the first digit are of the places that are still empty.
  const text = collapse(textContentOf(e));
  const shown = has(e, "aria-valuenow") ? text : text.replace(BLANKS, "");
  const all = [shown, attr(e, "aria-valuetext"), attr(e, "aria-valuenow")];
  return all.map((said) => collapse(said ?? "")).filter((said) => said !== "");
}

/** The content of a field as it is, secret or not: for comparing inside the page only. */
export function rawValue(e: Element): string | null {
  const tag = tagOf(e);
  if (tag === "input") {
    const type = inputType(e);
    if (type === "file") return fileNames(e as HTMLInputElement);
    if (type === "checkbox" || type === "radio" || type === "hidden") return null;
    return NOT_TEXT.has(type) && type !== "range" && type !== "color" ? null : (e as HTMLInputElement).value;
  }
  if (tag === "textarea") return (e as HTMLTextAreaElement).value;
  if (tag === "select") return chosenLabels(e as HTMLSelectElement).join(", ");
  const hasNone = isBare(e);
  if (!hasNone && isEditingHost(e)) return hostText(e);
  if (tag === "progress") return has(e, "value") ? String((e as HTMLProgressElement).value) : null;
  if (tag === "meter") return String((e as HTMLMeterElement).value);
  return hasNone ? null : attr(e, "aria-valuetext") ?? attr(e, "aria-valuenow") ?? ariaFieldText(e);
}

/** A widget with a text role that is no native field shows its own text as its value. */
function ariaFieldText(e: Element): string | null {
  const role = attr(e, "role");
  if (role !== "textbox" && role !== "searchbox" && role !== "combobox") return null;
  if (queryAll(e, "input,textarea,[contenteditable]").length > 0) return null;
  return collapse((e as HTMLElement).innerText ?? "");
}

/** The text of an editing host without the line breaks that end it. */
export const hostText = (e: Element): string => ((e as HTMLElement).innerText ?? "").replace(/[\r\n]+$/, "");

const fileNames = (e: HTMLInputElement): string => Array.from(e.files ?? [], (file) => file.name).join(", ");

export const optionLabel = (option: HTMLOptionElement): string =>
  collapse(attr(option, "label") || option.text);

// A select is an element with named properties too, but the page can only name options in it.
export const optionsOf = (e: HTMLSelectElement): HTMLOptionElement[] => Array.from(e.options);

export const chosenLabels = (e: HTMLSelectElement): string[] => Array.from(e.selectedOptions, optionLabel);

export const chosenValues = (e: HTMLSelectElement): string[] =>
  Array.from(e.selectedOptions, (option) => option.value);

/** The content of a field, or null when there is none or it is secret. */
export const shownValue = (e: Element): string | null => (isSecret(e) ? null : rawValue(e));

const truth = (e: Element, name: string): boolean | null => {
  const given = attr(e, name);
  if (given === null) return null;
  const word = given.toLowerCase();
  return word === "true" ? true : word === "false" ? false : null;
};

/** Whether a checkbox, radio, switch or pressed thing is on; null when the element has no such state. */
export function checkedState(look: Look, e: Element): "checked" | "unchecked" | "mixed" | null {
  if (tagOf(e) === "input") {
    const type = inputType(e);
    if (type !== "checkbox" && type !== "radio") return null;
    if ((e as HTMLInputElement).indeterminate) return "mixed";
    return (e as HTMLInputElement).checked ? "checked" : "unchecked";
  }
  const role = roleOf(look, e);
  if (!role || !/^(checkbox|radio|switch|menuitemcheckbox|menuitemradio|option|treeitem)$/.test(role)) {
    return null;
  }
  const word = attr(e, "aria-checked")?.toLowerCase();
  if (word === "mixed") return "mixed";
  if (word === "true") return "checked";
  if (word === "false") return "unchecked";
  return /^(checkbox|radio|switch|menuitemcheckbox|menuitemradio)$/.test(role) ? "unchecked" : null;
}

const CAN_BE_DISABLED = new Set("button input select textarea option optgroup fieldset".split(" "));

/** Disabled natively, by a fieldset, or by `aria-disabled` on itself. */
export function isDisabled(e: Element): boolean {
  const tag = tagOf(e);
  if (CAN_BE_DISABLED.has(tag) && matches(e, ":disabled")) return true;
  return truth(e, "aria-disabled") === true;
}

export function isReadonly(e: Element): boolean {
  const tag = tagOf(e);
  if ((tag === "input" || tag === "textarea") && (e as HTMLInputElement).readOnly) return true;
  return truth(e, "aria-readonly") === true;
}

/** The words for the element's states, in the order of the contract. */
export function statesOf(look: Look, e: Element, isClickable: boolean): string[] {
  const tag = tagOf(e);
  const isField = tag === "input" || tag === "textarea" || tag === "select";
  const states: string[] = [];
  if (!isField && tag !== "option" && tag !== "summary" && isBare(e)) {
    // Without attributes there is little left that it can be.
    if (isDisabled(e)) states.push("disabled");
    if (look.active === e) states.push("focused");
    if (wasSecret(e)) states.push("secret", (rawValue(e) ?? "") === "" ? "empty" : "filled");
    if (isClickable) states.push("clickable");
    return states;
  }
  const add = (holds: boolean | null, word: string): void => void (holds && states.push(word));
  add(isDisabled(e), "disabled");
  if (isField || has(e, "aria-readonly")) add(isReadonly(e), "readonly");
  add((isField && has(e, "required")) || truth(e, "aria-required"), "required");
  add(attr(e, "aria-invalid")?.toLowerCase() === "true", "invalid");
  const checked = checkedState(look, e);
  if (checked) states.push(checked);
  add(truth(e, "aria-pressed"), "pressed");
  const expanded = expandedState(e, tag);
  if (expanded !== null) states.push(expanded ? "expanded" : "collapsed");
  add(tag === "option" ? (e as HTMLOptionElement).selected : truth(e, "aria-selected"), "selected");
  add((tag === "select" && has(e, "multiple")) || truth(e, "aria-multiselectable"), "multiple");
  add(look.active === e, "focused");
  addFilling(e, add);
  add(truth(e, "aria-busy"), "busy");
  add(isClickable, "clickable");
  return states;
}

function addFilling(e: Element, add: (holds: boolean | null, word: string) => void): void {
  const isSecretField = isSecret(e);
  add(isSecretField, "secret");
  if (!takesText(e) && !isSecretField) return;
  const isFilled = (rawValue(e) ?? "") !== "";
  add(isFilled, "filled");
  add(!isFilled, "empty");
}

function expandedState(e: Element, tag: string): boolean | null {
  if (tag === "summary") {
    const owner = parentElementOf(e);
    return owner && tagOf(owner) === "details" ? has(owner, "open") : null;
  }
  return truth(e, "aria-expanded");
}

/** Whether the element reacts to a click although nothing but its look or an attribute says so. */
export function isClickable(look: Look, e: Element, role: string | null): boolean {
  if (role !== null && CONTROLS.has(role)) return false;
  const tag = tagOf(e);
  // A label passes its click on; it is no control of its own.
  if (tag === "html" || tag === "body" || tag === "label") return false;
  if (has(e, "onclick")) return true;
  // Of a leaf nothing else is asked; what holds something is asked again by what it holds.
  const style = firstElementOf(e) === null ? look.brief(e) : look.style(e);
  if (style.cursor !== "pointer") return false;
  const parent = parentElementOf(e);
  if (parent === null || look.style(parent).cursor !== "pointer") return true;
  return isPartOfItsOwn(e, tag) && !isInControl(look, parent);
}

/** An item or a picture in something clickable may well do something else than what is around it. */
function isPartOfItsOwn(e: Element, tag: string): boolean {
  if (tag === "li" || tag === "img" || tag === "svg") return true;
  if (firstOf(e) !== null || !isHtml(e)) return false;
  const box = rectOf(e);
  return box.width >= PART_MIN_PX && box.height >= PART_MIN_PX;
}

/** Whether a control takes every press on what is in it. */
function isInControl(look: Look, e: Element): boolean {
  for (let at: Element | null = e; at; at = flatParent(at)) {
    if (look.style(at).cursor !== "pointer") return false;
    if (CONTROLS.has(roleOf(look, at) ?? "")) return true;
  }
  return false;
}

/** What a person can do with an element that has no role to say so. */
export function usesOf(look: Look, e: Element, role: string | null): string[] {
  const uses: string[] = [];
  if (role !== null && CONTROLS.has(role)) return uses;
  const tab = attr(e, "tabindex");
  if (tab !== null && Number.parseInt(tab, 10) >= 0) uses.push("focusable");
  if (attr(e, "draggable") === "true") uses.push("draggable");
  if (isScrollable(look, e)) uses.push("scrollable");
  return uses;
}

/** Whether the element scrolls what is in it; the page itself is not meant. */
function isScrollable(look: Look, e: Element): boolean {
  const tag = tagOf(e);
  if (tag === "html" || tag === "body" || childCountOf(e) === 0) return false;
  const style = look.style(e);
  const isDown = SCROLLS.test(style.overflowY);
  const isAcross = SCROLLS.test(style.overflowX);
  if (!isDown && !isAcross) return false;
  const [width, height] = [clientWidthOf(e), clientHeightOf(e)];
  if (width < SCROLL_MIN_PX || height < SCROLL_MIN_PX) return false;
  return (
    (isDown && scrollHeightOf(e) - height >= SCROLL_MIN_PX) ||
    (isAcross && scrollWidthOf(e) - width >= SCROLL_MIN_PX)
  );
}

export const levelOf = (look: Look, e: Element): number | null =>
  roleOf(look, e) === "heading" ? headingLevel(e) : null;
