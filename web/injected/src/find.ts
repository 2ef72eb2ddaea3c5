// Finding elements by role, name, text and context, in tree order and without ordinals.

import { isEmpty, Look, meet, toBox } from "./look.ts";
import { clipOf } from "./hit.ts";
import { contentOf, nameOf } from "./names.ts";
import { refOf, remember, type Subject } from "./refs.ts";
import { CONTROLS, roleOf } from "./roles.ts";
import { isSecret } from "./secret.ts";
import { contextOf, subjectOf } from "./subject.ts";
import { isClickable, levelOf, shownValue, statesOf } from "./values.ts";
import { type Part, Walk } from "./walk.ts";
import { collapse, cut, fold, holdsWords } from "./words.ts";

const SHOWN_TEXT_MAX = 20_000;

export interface FindArgs {
  role: string | null;
  name: string | null;
  name_exact: boolean;
  text: string | null;
  near: string | null;
  scope: "viewport" | "document";
  limit: number;
}

interface Open {
  e: Element;
  text: string;
  hasMatch: boolean;
}

/** Collects what the walk shows: elements with a role, and the smallest elements with the text. */
class Finder {
  private readonly open: Open[] = [];
  private readonly order: Element[] = [];
  private readonly withText = new Set<Element>();
  private readonly wantedText: string | null;

  constructor(
    private readonly look: Look,
    private readonly args: FindArgs,
  ) {
    this.wantedText = args.text === null ? null : fold(args.text);
  }

  enter(part: Part): boolean {
    this.open.push({ e: part.e, text: "", hasMatch: false });
    if (part.isShown) this.order.push(part.e);
    // Searching in a secret would spell it out, one guess after the other.
    return !isSecret(part.e);
  }

  leave(part: Part): void {
    const own = this.open.pop();
    const outer = this.open[this.open.length - 1];
    if (!own || this.wantedText === null) return;
    const isMatch = !own.hasMatch && part.isShown && fold(own.text).includes(this.wantedText);
    if (isMatch) this.withText.add(part.e);
    if (!outer) return;
    outer.hasMatch ||= own.hasMatch || isMatch;
    if (outer.text.length < SHOWN_TEXT_MAX)
      outer.text += part.isBlock || part.isSpaced ? ` ${own.text} ` : own.text;
  }

  text(_node: Text, _parent: Element, value: string): void {
    const own = this.open[this.open.length - 1];
    if (own && this.wantedText !== null) own.text += value.slice(0, SHOWN_TEXT_MAX);
  }

  finish(): Element[] {
    return this.order.filter((e) => this.isMatch(e));
  }

  private isMatch(e: Element): boolean {
    const role = roleOf(this.look, e);
    const args = this.args;
    const hasRule = args.role !== null || args.name !== null || args.text !== null;
    if (args.role !== null && (role ?? "generic") !== args.role.toLowerCase()) return false;
    if (
      !hasRule &&
      (role === null || role === "none" || role === "document") &&
      !isClickable(this.look, e, role)
    )
      return false;
    if (args.name !== null && !this.isNamed(e, args.name)) return false;
    if (this.wantedText !== null && !this.showsText(e, role)) return false;
    return args.near === null || isNear(this.look, e, args.near);
  }

  private isNamed(e: Element, name: string): boolean {
    const own = nameOf(this.look, e).text;
    return this.args.name_exact ? collapse(own) === collapse(name) : fold(own) === fold(name);
  }

  private showsText(e: Element, role: string | null): boolean {
    if (this.withText.has(e)) return true;
    if (role === null || !(CONTROLS.has(role) || role === "heading")) return false;
    const content = `${contentOf(this.look, e)} ${nameOf(this.look, e, role).text}`;
    return fold(content).includes(this.wantedText ?? "");
  }
}

/** Whether `near` occurs as whole words in what tells the element apart. */
export function isNear(look: Look, e: Element, near: string): boolean {
  return contextOf(subjectOf(look, e)).some((part) => holdsWords(part, near));
}

export function find(args: FindArgs): Record<string, unknown> {
  const look = new Look();
  const finder = new Finder(look, args);
  new Walk(look, { scope: args.scope, leaveInert: false, sliceText: false }, finder).all();
  const found = finder.finish();
  const limit = Math.max(0, args.limit);
  return { matches: found.slice(0, limit).map((e) => describe(look, e)), total: found.length };
}

export function describe(look: Look, e: Element): Record<string, unknown> {
  const role = roleOf(look, e);
  const value = shownValue(e);
  return {
    ...named(look, e),
    box: toBox(look.edges(e)),
    in_viewport: !isEmpty(meet(look.edges(e), clipOf(look, e))),
    states: statesOf(look, e, isClickable(look, e, role)),
    value: value === null ? null : cut(value, 2000),
    level: levelOf(look, e),
  };
}

/** An element's ref and subject, remembered as what it was last shown to be. */
export function named(look: Look, e: Element): { ref: string; subject: Subject } {
  const ref = refOf(e);
  const subject = subjectOf(look, e);
  remember(ref, subject);
  return { ref, subject };
}
