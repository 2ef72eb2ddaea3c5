// What fields hold, and the states of elements, as the outline shows them.

import { attr, firstElementOf, has, isBare, matches, parentElementOf, queryAll, tagOf } from "./dom.ts";
import type { Look } from "./look.ts";
import { CONTROLS, headingLevel, inputType, isEditingHost, roleOf } from "./roles.ts";
import { isSecret, wasSecret } from "./secret.ts";
import { collapse } from "./words.ts";

const NOT_TEXT = new Set("button checkbox color file hidden image radio range reset submit".split(" "));
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
  return parent === null || look.style(parent).cursor !== "pointer";
}

export const levelOf = (look: Look, e: Element): number | null =>
  roleOf(look, e) === "heading" ? headingLevel(e) : null;
