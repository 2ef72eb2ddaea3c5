// The outline: a compact tree of what the page shows, with refs for what can be acted on.
//
// What is left out is counted. Containers without a role or a name add no depth; the rows of a table
// carry their plain cells as text, so that a cell costs no node.

import { attr, byId, documents, firstOf, flatHolds, frameDocument, hasBox, isFrame, isText, matches } from "./dom.ts";
import { nextOf, nodeValueOf, ownerOf, parentElementOf, queryAll, rangeIn, rectOf, rootElementOf } from "./dom.ts";
import { scrollHeightOf, scrollWidthOf, tagOf, textContentOf, titleOf } from "./dom.ts";
import { suspectsLeft } from "./closed.ts";
import { Look } from "./look.ts";
import { contentOf, nameOf } from "./names.ts";
import { documentId, elementOf, numbers, ownPrefix, refOf, remember, type Subject } from "./refs.ts";
import { CONTROLS, CONTROL_SELECTOR, headingLevel, inputType, NAMED_BY_CONTENT, roleOf } from "./roles.ts";
import { isSecret, wasSecret } from "./secret.ts";
import { contextOf, subjectOf } from "./subject.ts";
import { cellsOf, isCellRole, isHeaderRow, isTableRole, type Table, tableOf } from "./table.ts";
import { chosenLabels, isClickable, shownValue, statesOf, takesText, usesOf } from "./values.ts";
import { firstIndex, isDrawing, type Part, Walk } from "./walk.ts";
import { cut, fold, hasWord, readable } from "./words.ts";

const VALUE_MAX = 2000;
const TEXT_MAX = 4000;
const OPTIONS_MAX = 20;
const ROW_ROOM = 60;
const WORDS_MAX = 200;
const PICTURE_MIN_PX = 32;

export interface Extra {
  level?: number;
  href?: string;
  options?: string[];
  options_total?: number;
  rows?: number;
  cols?: number;
  first?: number;
  last?: number;
  cells?: Cell[];
  columns?: string[];
  label?: string;
  src_origin?: string;
  input?: string;
  subject?: Partial<Subject>;
}

export type Cell = { t: string } | { i: number };

export interface OutlineNode {
  d: number;
  r: string;
  n: string;
  ref: string | null;
  s: string[];
  v: string | null;
  x?: Extra;
}

export interface OutlineArgs {
  scope: "viewport" | "document";
  within: string | null;
  query: string | null;
  nodes_max: number;
  chars_max: number;
}

/** What the outline keeps of an element it has entered, until it leaves it. */
interface Open {
  node: OutlineNode | null;
  at: number;
  isFolded: boolean;
  isListed: boolean;
  table: Table | null;
}

// Roles that are shown only when something names them.
const IF_NAMED = new Set("group figure banner contentinfo img rowgroup term definition".split(" "));
const NEVER = new Set(
  (
    "none separator caption paragraph emphasis strong code mark deletion insertion subscript " +
    "superscript time blockquote rowgroup document generic"
  ).split(" "),
);
// Roles beside the controls that are worth a ref: a place to look into, or something to point at.
const MORE_REFS = new Set("dialog alertdialog img iframe canvas video audio".split(" "));
const CONTEXT = ["name", "row", "column", "label", "heading"] as const;
const OWN_CONTENT = new Set("textbox searchbox canvas video audio progressbar meter".split(" "));

/** For what adds no node and folds nothing. */
const NOTHING: Open = { node: null, at: 0, isFolded: false, isListed: false, table: null };

export class Builder {
  readonly nodes: OutlineNode[] = [];
  readonly omitted = { above: 0, below: 0, hidden: 0, frames: 0, rows: 0, canvas: 0, chars: 0, controls: 0 };
  readonly blind = new Set<string>();
  isTruncated = false;
  private readonly open: Open[] = [];
  private depth = 0;
  private chars = 0;
  private folds = 0;
  private run = "";
  private readonly tables: { table: Table; node: OutlineNode }[] = [];

  constructor(
    private readonly look: Look,
    private readonly args: OutlineArgs,
    private readonly labelling: Set<Element>,
  ) {}

  enter(part: Part): boolean {
    const { e, role, tag } = part;
    if (part.isBlock) this.flush();
    else if (tag === "br" || part.isSpaced) this.run += " ";
    if (part.isShown && this.chars !== Infinity) {
      const isClick = isClickable(this.look, e, role);
      if (!isClick && this.plainCell(part)) {
        this.open.push(NOTHING);
        return false;
      }
      if (this.isOffered(part)) return this.enterShown(part, isClick);
      this.omitted.hidden += 1;
      this.open.push(NOTHING);
      return false;
    }
    this.open.push(NOTHING);
    // Beyond the budget text and controls are counted; nothing more gets a ref.
    if (part.isShown) this.noteBlind(e, tag, role);
    if (part.isShown && (matches(e, CONTROL_SELECTOR) || isClickable(this.look, e, role))) {
      this.omitted.controls += 1;
    }
    return true;
  }

  /** A widget for readers alone has no size: what is painted in its stead is told, it is not. */
  private isOffered({ e, role, tag }: Part): boolean {
    if (role === null || !CONTROLS.has(role) || /^(input|select|textarea|option)$/.test(tag)) return true;
    if (/^(button|a|area)$/.test(tag)) return true;
    const [left, top, right, bottom] = this.look.edges(e);
    return right - left > 1 && bottom - top > 1;
  }

  private enterShown({ e, role, tag }: Part, isClick: boolean): boolean {
    const open: Open = { node: null, at: 0, isFolded: false, isListed: false, table: null };
    this.open.push(open);
    this.noteBlind(e, tag, role);
    const uses = isClick || this.folds === 0 ? usesOf(this.look, e, role) : [];
    const shown = this.shownRole(e, role, isClick || uses.length > 0);
    if (shown !== null) {
      this.flush();
      open.node = this.describe(e, shown, isClick, uses);
      open.at = this.nodes.length;
      open.isListed = this.push(open.node);
      this.depth += 1;
      if (isTableRole(shown)) this.openTable(open, e);
      if (shown === "row") this.openRow(open.node, e);
    }
    open.isFolded = this.isFolding(e, tag, shown, open.node, uses);
    if (open.isFolded) this.folds += 1;
    if (tag === "label") this.showHiddenControl(e);
    return !(shown !== null && OWN_CONTENT.has(shown));
  }

  /**
   * Puts a cell with nothing but one text straight into its row, as `closeCell` would in the end.
   *
   * Answers false where anything about it needs a closer look, the budget among it.
   */
  private plainCell({ e, role, tag, isBare }: Part): boolean {
    if (tag !== "td" || !isBare || role !== "cell" || this.tables.length === 0) return false;
    // In the viewport a text may be out of view although its cell is not.
    if (this.folds > 0 || this.args.scope === "viewport") return false;
    const only = firstOf(e);
    if (only !== null && (!isText(only) || nextOf(only) !== null)) return false;
    if (this.look.active === e || wasSecret(e)) return false;
    const own = this.openRowNode()?.x?.cells;
    const value = only ? nodeValueOf(only) : "";
    if (!own || value.length > TEXT_MAX) return false;
    const text = shownText(value);
    const cost = (this.depth + 1 + role.length + 8) * 2 + text.length;
    const isFull = this.nodes.length + 1 >= this.args.nodes_max + ROW_ROOM;
    if (isFull || this.chars + cost > this.args.chars_max) return false;
    this.chars += text.length + 3;
    own.push({ t: text });
    return true;
  }

  leave(part: Part): void {
    const open = this.open.pop();
    if (!open) return;
    if (open.node || part.isBlock) this.flush();
    else if (part.isSpaced) this.run += " ";
    if (open.isFolded) this.folds -= 1;
    if (!open.node) return;
    this.depth -= 1;
    if (open.table) this.tables.pop();
    if (isCellRole(open.node.r)) this.closeCell(open);
    else if (open.node.r === "row") this.closeRow(open, part.e);
  }

  text(node: Text, _parent: Element, value: string): void {
    if (this.folds > 0) return;
    if (this.run.length > TEXT_MAX) this.omitted.chars += value.length;
    else this.run += value.length > TEXT_MAX * 2 ? this.visibleSlice(node, value) : value;
  }

  outside(e: Element, side: "above" | "below"): void {
    this.omitted[side] += 1;
    const tag = tagOf(e);
    if (tag === "tr" || tag === "li" || /^(row|listitem)$/.test(attr(e, "role") ?? "")) {
      this.omitted.rows += 1;
    }
  }

  hidden(e: Element): void {
    if (matches(e, CONTROL_SELECTOR)) this.omitted.hidden += 1;
    this.omitted.hidden += queryAll(e, CONTROL_SELECTOR).length;
  }

  tooDeep(e: Element): void {
    this.isTruncated = true;
    this.omitted.chars += textContentOf(e).length;
  }

  finish(): void {
    this.flush();
  }

  /** The role to list the element under, or null when it adds no node. */
  private shownRole(e: Element, role: string | null, isClick: boolean): string | null {
    const isInner = this.folds > 0 && (role === null || !CONTROLS.has(role)) && !isClick;
    if (role === null || NEVER.has(role)) {
      if (tagOf(e) === "svg" && this.folds === 0 && isDrawing(e)) return "img";
      return isClick && !isInner ? "generic" : null;
    }
    if (isInner) return null;
    if (role === "option" || role === "listbox") return tagOf(e) === "datalist" ? null : role;
    if (role === "row" || isCellRole(role)) return this.tables.length > 0 ? role : isClick ? "generic" : null;
    if (isTableRole(role) && !tableOf(this.look, e)) return null;
    if (IF_NAMED.has(role) && nameOf(this.look, e, role).text === "") {
      if (isClick) return role === "img" ? "img" : "generic";
      // A picture nobody described may carry what the page is about.
      return role === "img" && tagOf(e) === "img" && isLarge(e) ? "img" : null;
    }
    return role;
  }

  private describe(e: Element, role: string, isClick: boolean, uses: string[] = []): OutlineNode {
    const look = this.look;
    const isUsed = isClick || uses.some((use) => use !== "scrollable");
    const isNamedSo = role === "generic" ? attr(e, "role") === null : isUsed && !isCellRole(role);
    const name = isCellRole(role) || role === "row" ? ownLabel(e) : nameOf(look, e, role).text;
    const states = [...statesOf(look, e, isClick), ...uses];
    const needsRef = CONTROLS.has(role) || MORE_REFS.has(role) || states.length > 0;
    const value = shownValue(e);
    const node: OutlineNode = {
      d: this.depth,
      r: role,
      n: isNamedSo && name === "" && role !== "row" ? this.wordsOf(e, uses) : name,
      ref: null,
      s: states,
      v: value === null ? null : cut(value, VALUE_MAX),
    };
    if (value !== null && value.length > VALUE_MAX) this.omitted.chars += value.length - VALUE_MAX;
    const extra = this.extraOf(e, role);
    if (extra) node.x = extra;
    if (needsRef) this.nameIn(node, e);
    return node;
  }

  /** What something without a name is called: what it says, unless it holds more than a line. */
  private wordsOf(e: Element, uses: string[]): string {
    return uses.includes("scrollable") ? "" : contentOf(this.look, e).slice(0, WORDS_MAX);
  }

  /** Gives the node its ref, and its subject where that says more than role and name. */
  private nameIn(node: OutlineNode, e: Element): void {
    const subject = subjectOf(this.look, e);
    node.ref = refOf(e);
    remember(node.ref, subject);
    if (subject.role === node.r && subject.name === node.n && contextOf(subject).length === 0) return;
    const said: Partial<Subject> = { role: subject.role, tag: subject.tag };
    for (const part of CONTEXT) {
      const word = subject[part];
      if (word !== null) said[part] = word;
    }
    if (node.x) node.x.subject = said;
    else node.x = { subject: said };
  }

  private extraOf(e: Element, role: string): Extra | null {
    const tag = tagOf(e);
    if (role === "heading") return { level: headingLevel(e) };
    if (tag === "a" || tag === "area") {
      const href = (e as HTMLAnchorElement).href;
      return typeof href === "string" && href !== "" ? { href: cut(href, 2000) } : null;
    }
    if (tag === "select") {
      const select = e as HTMLSelectElement;
      const labels = isSecret(e) ? [] : chosenLabels(select).slice(0, OPTIONS_MAX);
      return { options: labels.map((label) => cut(label, 200)), options_total: select.options.length };
    }
    if (tag === "input") {
      const type = inputType(e);
      return /^(text|checkbox|radio|submit|button|reset|search|range|number)$/.test(type)
        ? null
        : { input: type };
    }
    if (isFrame(e)) return this.frameExtra(e);
    return null;
  }

  private frameExtra(e: Element): Extra | null {
    if (frameDocument(e)) return null;
    this.omitted.frames += 1;
    this.blind.add("frame");
    try {
      const address = attr(e, tagOf(e) === "object" ? "data" : "src") ?? "";
      return { src_origin: new URL(address, ownerOf(e).baseURI).origin };
    } catch {
      return { src_origin: "null" };
    }
  }

  /** Whether the element's own text is told by its node (or by the field it labels) already. */
  private isFolding(
    e: Element,
    tag: string,
    shown: string | null,
    node: OutlineNode | null,
    uses: string[],
  ): boolean {
    if (tag === "label") {
      const control = (e as HTMLLabelElement).control;
      return control !== null && nameOf(this.look, control).source === "label";
    }
    if (tag === "legend" || tag === "caption" || tag === "figcaption") return this.isParentName(e);
    if (this.labelling.has(e) && shown === null) return true;
    if (!node || shown === null) return false;
    if (uses.includes("scrollable")) return false;
    const isUsed = uses.length > 0 || node.s.includes("clickable");
    const isNamedSo = shown === "generic" || (isUsed && !NAMED_BY_CONTENT.has(shown));
    if (isNamedSo) return node.n !== "" && node.n.length < WORDS_MAX && node.n === contentOf(this.look, e);
    if (!NAMED_BY_CONTENT.has(shown)) return false;
    const name = nameOf(this.look, e, shown);
    if (name.source === "content") return true;
    const content = contentOf(this.look, e);
    return !hasWord(content) || fold(name.text).includes(fold(content));
  }

  private isParentName(e: Element): boolean {
    const parent = parentElementOf(e);
    return parent !== null && nameOf(this.look, parent).source === "label";
  }

  /** A checkbox that is not rendered, but stands behind a label that is. */
  private showHiddenControl(e: Element): void {
    const control = (e as HTMLLabelElement).control;
    if (!control || hasBox(control) || tagOf(control) !== "input") return;
    if (!/^(checkbox|radio|file)$/.test(inputType(control))) return;
    this.flush();
    this.push(this.describe(control, roleOf(this.look, control) ?? "checkbox", false));
  }

  private noteBlind(e: Element, tag: string, role: string | null): void {
    if (role === "canvas") {
      this.omitted.canvas += 1;
      this.blind.add("canvas");
    } else if (tag === "video" || ((tag === "embed" || tag === "object") && !isFrame(e))) {
      this.blind.add(tag);
    } else if (tag === "img" || tag === "svg") {
      const box = rectOf(e);
      // Smaller drawings are icons; what they say is said by the control they stand in.
      if (box.width >= 48 && box.height >= 48) this.blind.add(tag === "img" ? "image" : "svg");
    }
  }

  private openTable(open: Open, e: Element): void {
    const table = tableOf(this.look, e);
    if (!table) return;
    open.table = table;
    if (open.node) this.tables.push({ table, node: open.node });
    const given = parseInt(attr(e, "aria-rowcount") ?? "", 10);
    const rows = given > 0 ? given : table.rows.length - table.headers;
    const extra: Extra = { rows, cols: table.columnCount, ...open.node?.x };
    if (table.columns.some((text) => text !== "")) extra.columns = table.columns;
    if (open.node) open.node.x = extra;
    this.chars += table.columns.join("").length;
  }

  private openRow(node: OutlineNode, e: Element): void {
    node.x = { ...node.x, cells: [] };
    const inner = this.tables[this.tables.length - 1];
    const extra = inner?.node.x;
    if (!inner || !extra) return;
    const given = parseInt(attr(e, "aria-rowindex") ?? "", 10);
    const index = given > 0 ? given : (inner.table.indexByRow.get(e) ?? -1) - inner.table.headers + 1;
    if (index < 1) return;
    node.x.first = index;
    extra.first = Math.min(extra.first ?? index, index);
    extra.last = Math.max(extra.last ?? index, index);
  }

  /** Folds a cell into its row: as text, as its only child, or as a node of its own. */
  private closeCell(open: Open): void {
    const cell = open.node;
    if (!cell) return;
    const row = this.openRowNode();
    const own = row?.x?.cells;
    if (!own || !row) return;
    if (!open.isListed) return void own.push({ t: "…" });

    const inner = this.nodes.slice(open.at + 1);
    let hasText = true;
    let hasRows = false;
    let direct = 0;
    for (const node of inner) {
      if (node.r !== "text") hasText = false;
      if (node.d === cell.d + 1) direct += 1;
      // Rows inside name their cells by index; taking a node out before them would shift those.
      if (node.x?.cells !== undefined) hasRows = true;
    }
    if (hasText) {
      const text = cell.n === "" ? inner.map((node) => node.n).join(" ") : cell.n;
      this.drop(open.at + (cell.ref === null ? 0 : 1));
      this.chars += text.length + 3;
      if (cell.ref === null) return void own.push({ t: text });
      cell.n = text;
    }
    if (direct === 1 && cell.ref === null && !hasRows) {
      this.nodes.splice(open.at, 1);
      this.chars -= costOf(cell);
      for (const node of inner) node.d -= 1;
    }
    own.push({ i: own.filter((at) => "i" in at).length });
  }

  /** Takes back every node from `at` on. */
  private drop(at: number): void {
    for (const node of this.nodes.splice(at)) this.chars -= costOf(node);
  }

  private openRowNode(): OutlineNode | null {
    const up = this.open.findLast((at) => at.node?.r === "row");
    return up?.node ?? null;
  }

  private closeRow(open: Open, e: Element): void {
    const row = open.node;
    const cells = row?.x?.cells;
    if (!row || !cells) return;
    if (this.nodes.length > this.args.nodes_max) this.cutEnd();
    if (open.isListed) this.placeCells(open.at, row.d + 1, cells);
    if (cells.length === 0) delete row.x;
    const isBare = open.isListed && this.nodes.length === open.at + 1 && row.ref === null;
    // The table node tells the headers already.
    if (isBare && (isHeaderRow(this.look, e) || cellsOf(e).length === 0)) this.drop(open.at);
  }

  /** Ends the outline in the middle of a row. */
  private cutEnd(): void {
    this.isTruncated = true;
    this.chars = Infinity;
    for (const node of this.nodes.splice(this.args.nodes_max)) {
      this.omitted.chars += node.n.length;
      if (node.ref !== null) this.omitted.controls += 1;
    }
  }

  /** Turns the number of a row's child into its index among all nodes. */
  private placeCells(row: number, depth: number, cells: Cell[]): void {
    const children: number[] = [];
    for (let at = row + 1; at < this.nodes.length; at += 1) {
      if (this.nodes[at]?.d === depth) children.push(at);
    }
    cells.forEach((cell, at) => {
      if (!("i" in cell)) return;
      const index = children[cell.i];
      cells[at] = index === undefined ? { t: "…" } : { i: index };
    });
  }

  private flush(): void {
    const run = this.run;
    if (run === "") return;
    this.run = "";
    const text = shownText(run);
    if (text === "") return;
    this.push({ d: this.depth, r: "text", n: text, ref: null, s: [], v: null });
  }

  /** Adds a node unless the budget is spent; answers whether it did. */
  private push(node: OutlineNode): boolean {
    const cost = costOf(node);
    // Cells are taken back when their row is folded; until then they need room.
    const room = this.tables.length > 0 ? ROW_ROOM : 0;
    if (this.nodes.length >= this.args.nodes_max + room || this.chars + cost > this.args.chars_max) {
      this.isTruncated = true;
      this.omitted.chars += node.n.length + (node.v?.length ?? 0);
      if (node.ref !== null) this.omitted.controls += 1;
      // Once something is left out everything after it is: a tree with holes would mislead.
      this.chars = Infinity;
      return false;
    }
    this.chars += cost;
    this.nodes.push(node);
    return true;
  }

  /** The part of a very long text that lies in the viewport. */
  private visibleSlice(node: Text, value: string): string {
    const place = this.look.place(ownerOf(node));
    if (this.args.scope === "document" || !place.isMoved) {
      this.omitted.chars += Math.max(0, value.length - TEXT_MAX);
      return value.slice(0, TEXT_MAX);
    }
    const range = rangeIn(ownerOf(node));
    const { dy } = place;
    const edgeAt = (at: number): DOMRect => {
      range.setStart(node, at);
      range.setEnd(node, Math.min(at + 1, value.length));
      return range.getBoundingClientRect();
    };
    const start = firstIndex(value.length, (at) => edgeAt(at).bottom + dy > this.look.view[1]);
    const end = firstIndex(value.length, (at) => at > start && edgeAt(at).top + dy >= this.look.view[3]);
    this.omitted.chars += value.length - Math.min(end - start, TEXT_MAX);
    return value.slice(start, Math.min(end, start + TEXT_MAX));
  }
}

function isLarge(e: Element): boolean {
  const box = rectOf(e);
  return box.width >= PICTURE_MIN_PX && box.height >= PICTURE_MIN_PX;
}

/** About how many characters the node takes when it is written out. */
const costOf = (node: OutlineNode): number =>
  node.d + node.r.length + node.n.length + (node.v?.length ?? 0) + 8;

const UNEVEN = /[^\S ]| {2}/;
const SPACES = /\s+/g;

/** Text without icon glyphs, every run of white space one space. */
function shownText(text: string): string {
  const clean = readable(text);
  return (UNEVEN.test(clean) ? clean.replace(SPACES, " ") : clean).trim();
}

const ownLabel = (e: Element): string => cut(attr(e, "aria-label") ?? "", 200);

/** Elements that name a field by `aria-labelledby`: their text is that field's name. */
export function fieldLabels(): Set<Element> {
  const found = new Set<Element>();
  for (const owner of documents()) {
    for (const field of queryAll(owner, "[aria-labelledby]")) {
      if (!takesText(field) && tagOf(field) !== "select" && tagOf(field) !== "input") continue;
      for (const id of (attr(field, "aria-labelledby") ?? "").split(/\s+/, 5)) {
        const label = id === "" ? null : byId(field, id);
        if (label) found.add(label);
      }
    }
  }
  return found;
}

export function outline(args: OutlineArgs): Record<string, unknown> {
  const look = new Look();
  const builder = new Builder(look, args, fieldLabels());
  const rules = { scope: args.scope, leaveInert: true, sliceText: true };
  const walk = new Walk(look, rules, builder);
  for (const e of rootsOf(args.within) ?? []) walk.within(e);
  if (args.within === null) walk.all();
  builder.finish();
  const nodes = args.query === null ? builder.nodes : matching(builder.nodes, args.query);
  return {
    document: documentId,
    url: location.href,
    title: titleOf(document),
    ...pageFacts(look),
    nodes,
    truncated: builder.isTruncated,
    omitted: builder.omitted,
    focus: look.active ? refOf(look.active) : null,
    blind: [...builder.blind].sort(),
    suspects: suspectsLeft(),
    own: ownPrefix(),
    ...numbers(),
  };
}

/** The outermost elements that `within` names: a ref, or a selector. */
function rootsOf(within: string | null): Element[] | null {
  if (within === null) return null;
  if (/^(f\d+)?e\d+$/.test(within)) {
    const e = elementOf(within);
    return e ? [e] : [];
  }
  const found: Element[] = [];
  for (const owner of documents()) {
    for (const e of queryAll(owner, within)) {
      if (!found.some((outer) => flatHolds(outer, e))) found.push(e);
    }
  }
  return found;
}

/** The nodes that hold the text, with the nodes above them and the cells of their rows. */
function matching(nodes: OutlineNode[], query: string): OutlineNode[] {
  const wanted = fold(query);
  const kept = new Set<number>();
  const path: number[] = [];
  nodes.forEach((node, index) => {
    while (path.length > 0 && (nodes[path[path.length - 1] ?? 0]?.d ?? 0) >= node.d) path.pop();
    path.push(index);
    const cells = node.x?.cells ?? [];
    const texts = cells.map((cell) => ("t" in cell ? cell.t : ""));
    const own = [node.n, node.v ?? "", ...texts, ...(node.x?.options ?? [])].join(" ");
    if (!fold(own).includes(wanted)) return;
    path.forEach((at) => kept.add(at));
    for (const cell of cells) if ("i" in cell) kept.add(cell.i);
  });
  const places = new Map([...kept].sort((a, b) => a - b).map((old, index) => [old, index]));
  return nodes.filter((_, index) => kept.has(index)).map((node) => withPlaces(nodes, node, places));
}

function withPlaces(nodes: OutlineNode[], node: OutlineNode, places: Map<number, number>): OutlineNode {
  if (!node.x?.cells) return node;
  const cells = node.x.cells.map((cell): Cell => {
    if (!("i" in cell)) return cell;
    const index = places.get(cell.i);
    return index === undefined ? { t: nodes[cell.i]?.n ?? "" } : { i: index };
  });
  return { ...node, x: { ...node.x, cells } };
}

export function pageFacts(look: Look): Record<string, unknown> {
  const root = rootElementOf(document);
  return {
    viewport: { width: look.width, height: look.height },
    scroll: { x: Math.round(window.scrollX), y: Math.round(window.scrollY) },
    page: { width: root ? scrollWidthOf(root) : 0, height: root ? scrollHeightOf(root) : 0 },
  };
}
