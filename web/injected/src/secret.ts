// Which fields are secret, and the memory of those that once were.
//
// INVARIANT: a field's content leaves the page only through `values.ts` and `readback.ts`, and both
// ask here first. A field that was secret at any time this script saw stays secret for its life, so
// a "show password" button does not make its content readable.

import { attr, isBare, queryAll, tagOf } from "./dom.ts";
import { isEditingHost } from "./roles.ts";

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
  if (tag === "input" && (e as HTMLInputElement).type === "password") return true;
  const autocomplete = attr(e, "autocomplete");
  if (autocomplete !== null && TOKENS.test(autocomplete)) return true;
  return paintsDots(e);
}

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
