// Whether an element is ready for an action at this moment, and if not, the first reason.

import { animations, attr, flatClosest, flatParent, tagOf } from "./dom.ts";
import { frame } from "./beat.ts";
import { misfit } from "./formats.ts";
import { isControl } from "./hit.ts";
import { Look } from "./look.ts";
import { inputType, isEditingHost, roleOf } from "./roles.ts";
import { checkedState, isDisabled, isReadonly, isSection, optionLabel, optionsOf, takesText } from "./values.ts";
import { isInert, type Sight } from "./visible.ts";
import { collapse, cut } from "./words.ts";

export interface Ready {
  ok: boolean;
  code: string | null;
  detail: string | null;
}

// Actions that change nothing in the element, so that its being disabled does not matter.
const PASSIVE = new Set("hover scroll read observe screenshot wait focus".split(" "));
const NEEDS_POINTER = new Set(
  "click double_click dblclick right_click hover drag check uncheck press_pointer".split(" "),
);
const SET_NOT_TYPED = new Set("color range date time month week datetime-local".split(" "));

const READY: Ready = { ok: true, code: null, detail: null };
const not = (code: string, detail: string): Ready => ({ ok: false, code, detail: cut(detail, 200) });

export function readiness(look: Look, e: Element, action: string, values: string[], sight: Sight): Ready {
  if (!PASSIVE.has(action)) {
    const disabled = disabledBy(look, e);
    if (disabled) return not("disabled", disabled);
  }
  if (isInert(e)) return not("inert", "behind a modal dialog or marked inert");
  if ((action === "fill" || action === "type") && isReadonly(e))
    return not("readonly", "the field is read-only");
  const kind = wrongKind(look, e, action, values);
  if (kind) return not("wrong_kind", kind);
  const value = unfitValue(e, action, values);
  if (value) return value;
  if (NEEDS_POINTER.has(action) && sight.ok && !sight.isByLabel && look.style(e).pointerEvents === "none") {
    // A control around it takes the press for it.
    const taker = flatClosest(e, (at) => look.style(at).pointerEvents !== "none" && isControl(look, at));
    if (!taker || isControl(look, e)) return not("pointer_none", "the element lets presses through");
  }
  return READY;
}

function disabledBy(look: Look, e: Element): string | null {
  for (let at: Element | null = e; at; at = flatParent(at)) {
    if (!isDisabled(at)) continue;
    if (attr(at, "aria-disabled") === "true") {
      return at === e ? "aria-disabled" : `aria-disabled on its ${tagOf(at)}`;
    }
    if (at === e) return "disabled";
    if (tagOf(at) !== "fieldset" && isControl(look, at)) return `its ${tagOf(at)} is disabled`;
  }
  return null;
}

function wrongKind(look: Look, e: Element, action: string, values: string[]): string | null {
  const tag = tagOf(e);
  const type = tag === "input" ? inputType(e) : null;
  const what = type ? `${tag} of type ${type}` : tag;
  switch (action) {
    case "fill":
      if (isSection(look, e)) return `${what} is set by the keyboard: type into it, or press the arrow keys on it`;
      if (isByKeys(look, e)) return `${what} is set by the keyboard: press the arrow keys on it, or drag it`;
      return takesText(e) || (type !== null && SET_NOT_TYPED.has(type)) ? null : `${what} takes no text`;
    case "type":
      return takesText(e) || isEditingInside(e) || isSection(look, e) ? null : `${what} takes no text`;
    case "check":
    case "uncheck":
      if (checkedState(look, e) === null) return `${what} cannot be checked`;
      if (action === "uncheck" && /^(radio|menuitemradio)$/.test(roleOf(look, e) ?? "")) {
        return "a radio button cannot be unchecked";
      }
      return null;
    case "select":
      if (tag !== "select") return notASelect(look, e, what);
      return values.length > 1 && !(e as HTMLSelectElement).multiple ? "it takes one option only" : null;
    case "upload":
      return type === "file" ? null : `${what} is not a file input`;
  }
  return null;
}

/** A slider or spinner that a page has made of plain elements. */
const isByKeys = (look: Look, e: Element): boolean =>
  !takesText(e) && tagOf(e) !== "input" && /^(slider|spinbutton|scrollbar)$/.test(roleOf(look, e) ?? "");

function notASelect(look: Look, e: Element, what: string): string {
  const role = roleOf(look, e) ?? "";
  if (role === "combobox") return `${what} is a combobox of the page's own: click it, then click the option`;
  if (role === "listbox") return `${what} is a listbox of the page's own: click its option`;
  return /^(option|menuitem)/.test(role) ? `${what} is an option: click it` : `${what} is not a select`;
}

const isEditingInside = (e: Element): boolean => flatClosest(e, isEditingHost) !== null;

function unfitValue(e: Element, action: string, values: string[]): Ready | null {
  if (action === "select" && tagOf(e) === "select") return unfitOption(e as HTMLSelectElement, values);
  const value = values[0];
  if (action !== "fill" || value === undefined || tagOf(e) !== "input") return null;
  const limits = { min: attr(e, "min"), max: attr(e, "max"), step: attr(e, "step") };
  const why = misfit(inputType(e), value, limits);
  return why === null ? null : not("invalid_value", why);
}

/** The enabled options with this visible label, else with this value; disabled ones if there are no others. */
function optionsFor(select: HTMLSelectElement, wanted: string): HTMLOptionElement[] {
  const all = optionsOf(select);
  const label = collapse(wanted);
  const named = all.filter((option) => optionLabel(option) === label);
  const found = named.length > 0 ? named : all.filter((option) => option.value === wanted);
  const enabled = found.filter((option) => !isDisabled(option));
  return enabled.length > 0 ? enabled : found;
}

/** The one option that is meant, or null when there is none or more than one. */
export function findOption(select: HTMLSelectElement, wanted: string): HTMLOptionElement | null {
  const [only, ...others] = optionsFor(select, wanted);
  return only && others.length === 0 ? only : null;
}

const NAMED_MAX = 8;

const listed = (words: string[]): string =>
  words.slice(0, NAMED_MAX).map((word) => `\`${cut(word, 30)}\``).join(", ") + (words.length > NAMED_MAX ? ", ..." : "");

function unfitOption(select: HTMLSelectElement, values: string[]): Ready | null {
  for (const value of values) {
    const named = optionsFor(select, value);
    if (named.length > 1) {
      const own = listed(named.map((option) => option.value));
      return not("option_missing", `${named.length} options are called \`${cut(value, 60)}\`; by value: ${own}`);
    }
    const [option] = named;
    if (!option) {
      const own = listed(optionsOf(select).map(optionLabel));
      return not("option_missing", `no option \`${cut(value, 60)}\`; it has ${own}`);
    }
    const group = option.parentElement;
    if (isDisabled(option) || (group && tagOf(group) === "optgroup" && isDisabled(group))) {
      return not("option_disabled", `option \`${cut(value, 100)}\` is disabled`);
    }
  }
  return null;
}

/** Whether the box still moves, looked at over two frames and only where an animation runs. */
export async function isMoving(e: Element): Promise<boolean> {
  if (!flatClosest(e, isAnimated)) return false;
  const before = new Look().edges(e);
  await frame();
  const between = new Look().edges(e);
  await frame();
  const after = new Look().edges(e);
  const differ = (a: readonly number[], b: readonly number[]): boolean =>
    a.some((edge, i) => Math.abs(edge - (b[i] ?? 0)) > 0.5);
  return differ(before, between) || differ(between, after);
}

const isAnimated = (e: Element): boolean => animations(e).some((at) => at.playState === "running");

export const MOVING: Ready = not("moving", "the element is moving");
