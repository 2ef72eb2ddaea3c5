// A reading of the viewport for comparison: what each element shows, by element.
//
// Holds what the outline would show and nothing else, so that class flips, hover rings, ripples and
// empty elements cannot make a difference. Secret values are compared in here and never returned.

import { flatParent, isFrame } from "./dom.ts";
import { Look } from "./look.ts";
import { contentOf, nameOf } from "./names.ts";
import { NAMED_BY_CONTENT } from "./roles.ts";
import { isMaskedNow, isSecret } from "./secret.ts";
import { rawValue, statesOf } from "./values.ts";
import { type Part, Walk } from "./walk.ts";
import { collapse, fold, hasWord } from "./words.ts";

const TEXT_MAX = 2000;

export interface Entry {
  readonly e: Element;
  readonly parent: Element | null;
  role: string;
  name: string;
  text: string;
  states: string;
  raw: string | null;
  isSecret: boolean;
}

export interface Reading {
  entries: Map<Element, Entry>;
  /** Subtrees that were out of view: what is in them did not appear when it scrolls into view. */
  outside: Set<Element>;
  blind: Set<string>;
  hosts: Element[];
}

// Containers whose coming and going is that of what they hold.
const SILENT = new Set(
  (
    "none generic rowgroup row list paragraph group document main banner contentinfo navigation " +
    "complementary region form figure table grid treegrid separator definition term blockquote " +
    "caption code emphasis strong presentation section article search feed"
  ).split(" "),
);
// Not shown: their focus ring, and the filling that goes with a value that is shown.
const UNCOMPARED = new Set("focused clickable filled empty".split(" "));

class Reader {
  readonly reading: Reading = { entries: new Map(), outside: new Set(), blind: new Set(), hosts: [] };
  private folds = 0;
  private readonly folded: boolean[] = [];

  constructor(private readonly look: Look) {}

  enter(part: Part): boolean {
    const { e, role } = part;
    let isFolded = false;
    if (part.isShown) {
      this.note(e, part.tag);
      if (role !== null && !SILENT.has(role)) {
        const entry = this.add(e, role);
        isFolded = NAMED_BY_CONTENT.has(role) && this.namesContent(e, entry);
      }
    }
    this.folded.push(isFolded);
    if (isFolded) this.folds += 1;
    return role !== "textbox" && role !== "searchbox";
  }

  leave(): void {
    if (this.folded.pop()) this.folds -= 1;
  }

  text(_node: Text, parent: Element, all: string): void {
    if (this.folds > 0) return;
    const value = all.length > TEXT_MAX ? all.slice(0, TEXT_MAX) : all;
    if (!hasInk(value)) return;
    const known = this.reading.entries.get(parent);
    if (known) known.text += ` ${value}`;
    else this.reading.entries.set(parent, blank(parent, "text", value));
  }

  outside(e: Element): void {
    this.reading.outside.add(e);
  }

  finish(): Reading {
    for (const entry of this.reading.entries.values()) entry.text = collapse(entry.text);
    return this.reading;
  }

  private add(e: Element, role: string): Entry {
    const secret = isSecret(e);
    const entry: Entry = {
      e,
      parent: flatParent(e),
      role,
      name: nameOf(this.look, e, role).text,
      text: "",
      states: this.states(e, secret),
      raw: rawValue(e),
      isSecret: secret,
    };
    const earlier = this.reading.entries.get(e);
    if (earlier) entry.text = earlier.text;
    this.reading.entries.set(e, entry);
    return entry;
  }

  private states(e: Element, secret: boolean): string {
    const all = statesOf(this.look, e, false);
    const words = all.filter((word) => !UNCOMPARED.has(word) || (secret && word !== "focused"));
    // An eye button changes what is seen of a secret, and nothing else.
    if (secret && !isMaskedNow(e)) words.push("shown");
    return words.join(" ");
  }

  private namesContent(e: Element, entry: Entry): boolean {
    const content = contentOf(this.look, e);
    return content === entry.name || !hasWord(content) || fold(entry.name).includes(fold(content));
  }

  private note(e: Element, tag: string): void {
    if (tag.includes("-") || isFrame(e, tag)) {
      this.reading.hosts.push(e);
    } else if (tag === "canvas" || tag === "video" || tag === "embed" || tag === "object") {
      this.reading.blind.add(tag);
    } else if (tag === "img" || tag === "svg") {
      this.reading.blind.add(tag === "img" ? "image" : "svg");
    }
  }
}

const INK = /\S/;
const hasInk = (text: string): boolean => INK.test(text);

const blank = (e: Element, role: string, text: string): Entry => ({
  e,
  parent: flatParent(e),
  role,
  name: "",
  text,
  states: "",
  raw: null,
  isSecret: false,
});

/** Reads what the viewport shows at this instant. */
export function takeReading(look: Look): Reading {
  const reader = new Reader(look);
  const rules = { scope: "viewport", leaveInert: false, sliceText: false } as const;
  new Walk(look, rules, reader).all();
  return reader.finish();
}
