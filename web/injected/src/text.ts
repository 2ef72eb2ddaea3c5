// The page's text: a line per block, the cells of a row joined by tabs, fields masked.

import { tagOf } from "./dom.ts";
import { Look } from "./look.ts";
import { elementOf } from "./refs.ts";
import { isSecret } from "./secret.ts";
import { isCellRole } from "./table.ts";
import { inputType } from "./roles.ts";
import { rawValue, takesText } from "./values.ts";
import { type Part, Walk } from "./walk.ts";
import { readable } from "./words.ts";

const MASK = "••••";

export class TextVisitor {
  readonly lines: string[] = [];
  private line = "";
  private rows = 0;

  enter(part: Part): boolean {
    const isCell = isCellRole(part.role);
    if (part.role === "row") this.endLine();
    if (isCell && this.rows > 0) this.line = this.line === "" ? "" : `${this.line.trimEnd()}\t`;
    else if (part.isBlock && !(this.rows > 0 && part.role !== "row")) this.endLine();
    else if (part.isBlock || part.isSpaced) this.line += " ";
    if (part.role === "row") this.rows += 1;
    if (tagOf(part.e) === "br") this.rows > 0 ? (this.line += " ") : this.endLine();
    const isField = takesText(part.e) || isSecret(part.e);
    if (part.isShown && (isField || /^(input|select)$/.test(tagOf(part.e)))) this.field(part.e);
    return !isField;
  }

  leave(part: Part): void {
    if (part.isSpaced) this.line += " ";
    if (part.role === "row") {
      this.rows -= 1;
      this.endLine();
    } else if (part.isBlock && this.rows === 0) {
      this.endLine();
    }
  }

  text(_node: Text, _parent: Element, value: string): void {
    const text = readable(value).replace(/[\s\u00a0]+/g, " ");
    this.line += /[\s]$/.test(this.line) ? text.trimStart() : text;
  }

  finish(): string {
    this.endLine();
    return this.lines.join("\n");
  }

  private field(e: Element): void {
    const isButton = tagOf(e) === "input" && /^(button|submit|reset)$/.test(inputType(e));
    const value = rawValue(e);
    if (isButton) this.line += (e as HTMLInputElement).value;
    else if (value !== null && value !== "") this.line += MASK;
  }

  private endLine(): void {
    const line = this.line
      .replace(/ +/g, " ")
      .replace(/ ?\t ?/g, "\t")
      .trim();
    if (line !== "") this.lines.push(line);
    this.line = "";
  }
}

/** The visible text of the viewport, of the whole document, or of one element. */
export function visibleText(look: Look, scope: "viewport" | "document", e: Element | null): string {
  const visitor = new TextVisitor();
  const walk = new Walk(look, { scope, leaveInert: false, sliceText: true }, visitor);
  if (e) walk.within(e);
  else walk.all();
  return visitor.finish();
}

export function text(args: { ref: string | null; max_chars: number }): Record<string, unknown> {
  const look = new Look();
  const e = args.ref === null ? null : elementOf(args.ref);
  if (args.ref !== null && !e) return { text: "", truncated: false, total_chars: 0, found: false };
  const whole = visibleText(look, e ? "document" : "viewport", e);
  const kept = wholeLines(whole, Math.max(0, args.max_chars));
  return { text: kept, truncated: kept.length < whole.length, total_chars: whole.length, found: true };
}

/** As many complete lines as fit; a first line that does not fit alone is cut. */
export function wholeLines(all: string, max: number): string {
  if (all.length <= max) return all;
  const end = all.lastIndexOf("\n", max);
  return end > 0 ? all.slice(0, end) : all.slice(0, max);
}
