// Which fields are secret, and the memory of those that once were.
//
// INVARIANT: a field's content leaves the page only through `values.ts` and `readback.ts`, and both
// ask here first. A field that was secret at any time this script saw stays secret for its life, so
// a "show password" button does not make its content readable.

import { attr, isBare, queryAll, tagOf } from "./dom.ts";
import { inputType, isEditingHost } from "./roles.ts";

const ever = new WeakSet<Element>();

const TOKENS = /(?:^|\s)(?:current-password|new-password|one-time-code|cc-\S+)(?=\s|$)/i;

const SELECTOR =
  'input[type="password" i],[autocomplete*="password" i],[autocomplete*="one-time-code" i],' +
  '[autocomplete*="cc-" i]';

export const isSecretAutocomplete = (value: string): boolean => TOKENS.test(value);

/** Whether the element was secret when it was last looked at, or before. */
export const wasSecret = (e: Element): boolean => ever.has(e);

/** Whether the content of the element must never be returned. */
export function isSecret(e: Element): boolean {
  if (ever.has(e)) return true;
  if (!isSecretNow(e)) return false;
  ever.add(e);
  return true;
}

function isSecretNow(e: Element): boolean {
  const tag = tagOf(e);
  const isField = tag === "input" || tag === "textarea" || tag === "select";
  if (!isField && (isBare(e) || (!isEditingHost(e) && attr(e, "role") !== "textbox"))) return false;
  if (isPassword(e)) return true;
  const autocomplete = attr(e, "autocomplete");
  if (autocomplete !== null && TOKENS.test(autocomplete) && !isSearch(e, autocomplete)) return true;
  return paintsDots(e);
}

const isPassword = (e: Element): boolean => tagOf(e) === "input" && inputType(e) === "password";

/** Widgets keep the browser's own list away from the box that searches theirs by calling it a password. */
const isSearch = (e: Element, autocomplete: string): boolean =>
  tagOf(e) === "input" &&
  inputType(e) === "search" &&
  attr(e, "role") === "combobox" &&
  autocomplete.trim().toLowerCase() === "new-password";

/** Whether the content of a secret field is drawn as dots at this moment. */
export const isMaskedNow = (e: Element): boolean => isPassword(e) || paintsDots(e);

function paintsDots(e: Element): boolean {
  const drawn = getComputedStyle(e).getPropertyValue("-webkit-text-security");
  return drawn !== "" && drawn !== "none";
}

export function rememberSecret(e: Element): void {
  ever.add(e);
}

/** Marks the secret fields of a tree, so that one switched to plain text later is known. */
export function markSecrets(root: Node): void {
  for (const e of queryAll(root, SELECTOR)) isSecret(e);
}
