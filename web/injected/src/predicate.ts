// Expectations: named conditions of the page, checked at one instant.

import { attr, flatClosest, rootElementOf, textContentOf, titleOf } from "./dom.ts";
import type { Look } from "./look.ts";
import { nameOf } from "./names.ts";
import { elementOf } from "./refs.ts";
import { everyElement } from "./scan.ts";
import { roleOf } from "./roles.ts";
import { isSecret } from "./secret.ts";
import { visibleText } from "./text.ts";
import { checkedState, rawValue } from "./values.ts";
import { isPerceivable } from "./visible.ts";
import { collapse, fold } from "./words.ts";

export interface Expect {
  kind: "text" | "gone" | "value" | "url" | "appeared" | "checked" | "title";
  value: string | null;
  role: string | null;
  name: string | null;
}

export function holdsNow(look: Look, expect: Expect | null, target: Element | null): boolean {
  if (!expect) return false;
  const value = expect.value ?? "";
  switch (expect.kind) {
    case "text":
      return showsText(look, value);
    case "gone":
      return !showsText(look, value);
    case "url":
      return urlMatches(location.href, value);
    case "title":
      return collapse(titleOf(document)).includes(collapse(value));
    case "appeared":
      return matching(look, expect.role ?? value, expect.name).length > 0;
    case "value":
      return subjectsOf(look, expect, target).some((e) => holdsValue(e, value));
    case "checked":
      return subjectsOf(look, expect, target).some((e) => isCheckedAs(look, e, value));
  }
}

/** Whether the page shows the text anywhere; the viewport is read first because it is cheap. */
export function showsText(look: Look, value: string): boolean {
  const wanted = collapse(value);
  if (wanted === "") return false;
  if (collapse(visibleText(look, "viewport", null)).includes(wanted)) return true;
  const root = rootElementOf(document);
  const first = wanted.split(" ")[0] ?? wanted;
  // What is nowhere in the markup need not be looked for, unless it may lie in another tree.
  if (root && !textContentOf(root).includes(first) && !hasOtherTrees()) return false;
  return collapse(visibleText(look, "document", null)).includes(wanted);
}

const hasOtherTrees = (): boolean => everyElement.hasOtherTrees();

/** `*` stands for any run of characters; without one the pattern may occur anywhere. */
export function urlMatches(url: string, pattern: string): boolean {
  if (!pattern.includes("*")) return url.includes(pattern);
  const source = pattern
    .split("*")
    .map((part) => part.replace(/[.+?^${}()|[\]\\]/g, "\\$&"))
    .join(".*");
  return new RegExp(`^${source}$`).test(url);
}

/** The elements shown anywhere with this role and, if given, this name. */
export function matching(look: Look, role: string, name: string | null): Element[] {
  const wantedRole = role.toLowerCase();
  const wantedName = name === null ? null : fold(name);
  return everyElement.filter((e) => {
    if (roleOf(look, e) !== wantedRole) return false;
    if (wantedName !== null && fold(nameOf(look, e, wantedRole).text) !== wantedName) return false;
    return isPerceivable(look, e);
  });
}

function subjectsOf(look: Look, expect: Expect, target: Element | null): Element[] {
  if (expect.role !== null) return matching(look, expect.role, expect.name);
  const e = target ?? look.active;
  return e ? [e] : [];
}

// A secret's content is not confirmed either: repeated guesses would spell it out.
const holdsValue = (e: Element, value: string): boolean =>
  !isSecret(e) && collapse(rawValue(e) ?? "") === collapse(value);

function isCheckedAs(look: Look, e: Element, value: string): boolean {
  const own = flatClosest(e, (at) => checkedState(look, at) !== null) ?? e;
  const state = checkedState(look, own) ?? (attr(own, "aria-pressed") === "true" ? "checked" : "unchecked");
  return state === (value === "false" ? "unchecked" : "checked");
}

export const targetOf = (ref: string | null): Element | null => (ref === null ? null : elementOf(ref));
