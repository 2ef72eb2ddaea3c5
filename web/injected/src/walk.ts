// One walk over what the page shows, in tree order, for every reader of it.
//
// Crosses shadow roots, slots and same-origin frames. In the viewport scope a subtree whose box
// lies outside is dropped before any style in it is computed, unless something in it is known to be
// painted in view. It decides what is shown; what to make of it is the visitor's business.

import {
  allTagged,
  attr,
  childCountOf,
  documents,
  elementsAt,
  flatChildren,
} from "./dom.ts";
import { firstOf, flatParent, frameDocument, fullscreenOf, rangeIn } from "./dom.ts";
import {
  has,
  hasBox,
  isElement,
  isFrame,
  isPlainlyShown,
  matches,
  nextElementOf,
  nextOf,
  nodeValueOf,
  noteFrame,
  ownerOf,
  parentElementOf,
  previousOf,
  queryAll,
} from "./dom.ts";
import { firstElementOf, isBare, rectOf, rootElementOf, shadowOf, tagOf, typeOf } from "./dom.ts";
import { suspect, suspectHost } from "./closed.ts";
import { type Edges, isEmpty, type Look, meet, viewportOf } from "./look.ts";
import type { Place as DocumentPlace } from "./place.ts";
import { roleIn } from "./roles.ts";

// LIMIT: deeper elements are counted, not read; the stack of the engine is not ours to exhaust.
export const DEPTH_MAX = 800;

/** An element the walk has come to. How it is laid out is asked of the browser only on demand. */
export class Part {
  private display: string | null = null;

  constructor(
    private readonly look: Look,
    readonly e: Element,
    readonly tag: string,
    readonly role: string | null,
    /** False where the element itself is hidden but something in it may not be. */
    readonly isShown: boolean,
    /** Has no attribute at all. */
    readonly isBare: boolean,
  ) {}

  get isBlock(): boolean {
    if (BLOCK_TABLE.has(this.tag)) return true;
    const display = this.displayed();
    return !(display === "inline" || display === "contents" || display.startsWith("inline-"));
  }

  /** In a line, but apart from the words around it (inline-block and the like). */
  get isSpaced(): boolean {
    return this.displayed().startsWith("inline-");
  }

  private displayed(): string {
    return (this.display ??= this.look.style(this.e).display);
  }
}

export interface Visitor {
  /** Answers whether to go on into the element. */
  enter(part: Part): boolean;
  leave(part: Part): void;
  text(node: Text, parent: Element, value: string): void;
  /** A subtree out of view, on the side given. */
  outside?(e: Element, side: "above" | "below"): void;
  /** A subtree hidden from sight. */
  hidden?(e: Element): void;
  tooDeep?(e: Element): void;
}

export interface Rules {
  scope: "viewport" | "document";
  /** Leave out what a modal dialog or `inert` makes unreachable. */
  leaveInert: boolean;
  /** Leave out text nodes whose own box is out of view in an element that is partly in view. */
  sliceText: boolean;
}

interface Place {
  /** Where the document lies that is walked. */
  at: DocumentPlace;
  /** What clips content in flow, and content positioned absolutely. */
  flow: Edges;
  free: Edges;
  isFaded: boolean;
  isPartial: boolean;
  isInModal: boolean;
  isShown: boolean;
}

const IGNORED = new Set(
  (
    "base col colgroup datalist head link meta noembed noframes noscript param rp script source style " +
    "template title track " +
    // What an SVG defines and does not draw.
    "clipPath defs desc filter linearGradient marker mask metadata pattern radialGradient symbol"
  ).split(" "),
);
// Native inputs are laid transparent over their drawing so often that they count as shown.
const OVERLAID = /^(checkbox|radio|file|range)$/;
// Fewer rows are measured one by one.
const ROWS_MIN = 64;
const ITEMS_MIN = 1000;
const ITEMS_SAMPLED = 64;
// Items beside each other in a line start at the same height.
const ITEMS_MARGIN = 50;
const BLOCK_TABLE = new Set("td th tr tbody thead tfoot table caption".split(" "));

export class Walk {
  private kept: Set<Element> | null = null;
  private readonly isView: boolean;
  private readonly modals: Set<Element> | null;
  private modal: Element | null = null;
  private range: Range | null = null;

  constructor(
    private readonly look: Look,
    private readonly rules: Rules,
    private readonly visitor: Visitor,
  ) {
    this.isView = rules.scope === "viewport";
    this.modals = rules.leaveInert ? this.modalPath() : null;
  }

  /** Walks the whole document. */
  all(): void {
    const root = rootElementOf(document);
    if (root) this.element(root, this.start(document, root), 0);
  }

  /** Walks one element, whatever clips it from outside. */
  within(e: Element): void {
    this.element(e, this.start(ownerOf(e), e), 0);
  }

  private start(owner: Document, e: Element): Place {
    const at = this.look.place(owner);
    const view = this.look.view;
    const isInModal = this.modal === null || isUnder(e, this.modal);
    return { at, flow: view, free: view, isFaded: false, isPartial: true, isInModal, isShown: true };
  }

  private element(e: Element, place: Place, depth: number): void {
    const tag = tagOf(e);
    if (IGNORED.has(tag)) return;
    if (depth > DEPTH_MAX) return this.visitor.tooDeep?.(e);

    let box: Edges | null = null;
    let hasArea = false;
    if (this.isView) {
      const rect = rectOf(e);
      const { width, height } = rect;
      hasArea = width > 0 && height > 0;
      box = place.at.edges(rect);
      if (hasArea && this.isOut(e, box, this.look.view)) return;
    }
    const isPlain = isPlainlyShown(e);
    if (!isPlain && !hasBox(e)) {
      const { display } = this.look.style(e);
      if (display !== "contents") {
        if (display !== "") this.visitor.hidden?.(e);
        else this.suspectAbove(e);
        return;
      }
    }
    const hasNone = isBare(e);
    if (this.isLeftOut(e, place, hasNone)) return;
    const isFaded = !isPlain && (place.isFaded || this.look.style(e).opacity === "0");
    if (isFaded && !place.isFaded && !this.hasOverlaid(e)) return this.visitor.hidden?.(e);

    const view = this.look.view;
    // Where nothing clips but the viewport it does not matter how the element is positioned.
    const isClipped = place.flow !== view || place.free !== view;
    const position = box && isClipped ? this.look.style(e).position : "";
    const clip = position === "fixed" ? view : position === "absolute" ? place.free : place.flow;
    if (box && clip !== view && hasArea) {
      if (this.isOut(e, box, clip)) return;
    }
    const isVisible = isPlain || this.look.style(e).visibility === "visible";
    const isShown = isVisible && (!isFaded || isOverlaid(e, tag));
    const part = new Part(this.look, e, tag, roleIn(this.look, e, tag, hasNone), isShown, hasNone);
    suspectHost(e, tag);
    if (this.visitor.enter(part)) {
      const inner = this.inner(e, tag, place, box, clip, isFaded, isShown);
      if (isFrame(e, tag)) this.frame(e, inner, depth);
      else if (tag === "svg" ? isDrawing(e) : tag !== "select" && tag !== "textarea") {
        this.children(e, tag, inner, depth);
      }
    }
    this.visitor.leave(part);
  }

  /** Whether the box is outside `clip`; tells the visitor so. */
  private isOut(e: Element, box: Edges, clip: Edges): boolean {
    const isBefore = box[3] <= clip[1] || box[2] <= clip[0];
    if (!isBefore && box[1] < clip[3] && box[0] < clip[2]) return false;
    // An element with nothing but text in it holds nothing that could be pinned elsewhere.
    if (hasElements(e)) {
      this.kept ??= keptInView(this.look);
      if (this.kept.has(e)) return false;
    }
    this.visitor.outside?.(e, isBefore ? "above" : "below");
    return true;
  }

  /** Kept from assistive technology, inert, or behind a modal dialog. */
  private isLeftOut(e: Element, place: Place, hasNone: boolean): boolean {
    if (!hasNone && attr(e, "aria-hidden") === "true") return true;
    if (!this.rules.leaveInert) return false;
    const isBehind = !place.isInModal && e !== this.modal && !this.modals?.has(e);
    if (!isBehind && (hasNone || !has(e, "inert"))) return false;
    this.visitor.hidden?.(e);
    return true;
  }

  private inner(
    e: Element,
    tag: string,
    place: Place,
    box: Edges | null,
    clip: Edges,
    isFaded: boolean,
    isShown: boolean,
  ): Place {
    const isInModal = place.isInModal || e === this.modal;
    if (!box && !place.isPartial && isInModal === place.isInModal) {
      if (isFaded === place.isFaded && isShown === place.isShown) return place;
    }
    let flow = clip;
    let free = place.free;
    let isPartial = false;
    if (box) {
      const canClip = tag !== "html" && tag !== "body" && firstElementOf(e) !== null;
      const hasRoom = !isEmpty(box);
      if (canClip && hasRoom && this.look.style(e).overflowX !== "visible") flow = meet(clip, box);
      isPartial = !hasRoom || !isInside(box, flow);
      if (flow !== free && isAnchor(this.look.style(e))) free = flow;
    }
    return { at: place.at, flow, free, isFaded, isPartial, isInModal, isShown };
  }

  private children(e: Element, tag: string, place: Place, depth: number): void {
    const moved = flatChildren(e, tag);
    if (moved) {
      for (const child of moved) this.child(child, e, place, depth);
      return;
    }
    if (this.isView && this.longList(e, tag, place, depth)) return;
    for (let child = firstOf(e); child; child = nextOf(child)) this.child(child, e, place, depth);
  }

  /**
   * Walks a long list whose items lie in order, measuring some instead of all of them.
   *
   * Answers false where there is no such order: then every child is measured.
   * LIMIT: in a list of a thousand and more, an item that a style sheet takes out of the order is
   * missed unless it is among those measured or painted at a sample point.
   */
  private longList(e: Element, tag: string, place: Place, depth: number): boolean {
    const count = childCountOf(e);
    // In a frame that is turned, items that follow each other need not lie below each other.
    if (!place.at.isMoved) return false;
    const isSection = tag === "tbody" || tag === "table";
    if (count < (isSection ? ROWS_MIN : ITEMS_MIN)) return false;
    const items: Element[] = [];
    for (let child = firstElementOf(e); child; child = nextElementOf(child)) items.push(child);
    const isRows = isSection && items.every((item) => tagOf(item) === "tr");
    if (!(isRows ? this.areRows(items) : count >= ITEMS_MIN && this.areInOrder(items))) return false;

    const topOf = (index: number): number => (items[index] ? rectOf(items[index]).top + place.at.dy : Infinity);
    const margin = isRows ? 1 : ITEMS_MARGIN;
    const start = Math.max(0, firstIndex(count, (i) => topOf(i + 1) > place.flow[1]) - margin);
    const end = Math.min(count, firstIndex(count, (i) => topOf(i) >= place.flow[3]) + margin);
    const first = items[0];
    if (first && hasElements(first)) this.kept ??= keptInView(this.look);
    for (let i = 0; i < count; i += 1) {
      const item = items[i];
      if (!item) continue;
      if ((i >= start && i < end) || this.kept?.has(item)) this.withTextBefore(item, e, place, depth);
      else this.visitor.outside?.(item, i < start ? "above" : "below");
    }
    return true;
  }

  /** Walks an item and the text nodes right before it. */
  private withTextBefore(item: Element, parent: Element, place: Place, depth: number): void {
    const before: Node[] = [];
    for (let at = previousOf(item); at && !isElement(at); at = previousOf(at)) before.unshift(at);
    for (const node of before) this.child(node, parent, place, depth);
    this.element(item, place, depth + 1);
  }

  /** Rows of a table section lie in order by definition, unless taken out of it. */
  private areRows(items: Element[]): boolean {
    return [items[0], items[items.length - 1]].every((item) => {
      const style = item && this.look.style(item);
      return style?.display === "table-row" && style.position === "static" && style.transform === "none";
    });
  }

  /** Whether items taken from all over the list lie one below the other, as far as can be told. */
  private areInOrder(items: Element[]): boolean {
    let top = -Infinity;
    for (let i = 0; i < ITEMS_SAMPLED; i += 1) {
      const item = items[Math.floor((i * (items.length - 1)) / (ITEMS_SAMPLED - 1))];
      const box = item && rectOf(item);
      if (!box || box.height === 0 || box.top < top) return false;
      if (!/^(static|relative)$/.test(this.look.style(item).position)) return false;
      top = box.top;
    }
    return true;
  }

  private child(child: Node, parent: Element, place: Place, depth: number): void {
    const type = typeOf(child);
    if (type === 1) return this.element(child as Element, place, depth + 1);
    if ((type !== 3 && type !== 4) || !place.isShown || !place.isInModal) return;
    const text = child as Text;
    const value = nodeValueOf(text);
    const isSliced = this.rules.sliceText && place.isPartial && !isBlank(value);
    if (!isSliced || this.isTextIn(text, place)) this.visitor.text(text, parent, value);
  }

  /** What has no style at all is hidden by a shadow tree that cannot be seen. */
  private suspectAbove(e: Element): void {
    const parent = parentElementOf(e);
    if (parent) suspect(parent);
  }

  private isTextIn(node: Text, place: Place): boolean {
    if (!this.isView) return true;
    if (!this.range || this.range.startContainer.ownerDocument !== ownerOf(node)) {
      this.range = rangeIn(ownerOf(node));
    }
    this.range.selectNodeContents(node);
    return !isEmpty(meet(place.at.edges(this.range.getBoundingClientRect()), place.flow));
  }

  private frame(e: Element, place: Place, depth: number): void {
    noteFrame(e);
    const owner = frameDocument(e);
    const root = owner && rootElementOf(owner);
    if (!owner || !root) return;
    const at = this.look.place(owner);
    const flow = meet(place.flow, at.edges(viewportOf(owner)));
    this.element(root, { ...place, at, flow, free: flow, isPartial: true }, depth + 1);
  }

  private hasOverlaid(e: Element): boolean {
    if (isOverlaid(e, tagOf(e))) return true;
    return queryAll(e, "input,select").some((inner) => isOverlaid(inner, tagOf(inner)));
  }

  private modalPath(): Set<Element> | null {
    for (const owner of documents()) this.modal = openDialogs(owner).findLast(isModal) ?? this.modal;
    if (!this.modal) return null;
    const path = new Set<Element>();
    for (let at = flatParent(this.modal); at; at = flatParent(at)) path.add(at);
    return path;
  }
}

const hasElements = (e: Element): boolean =>
  firstElementOf(e) !== null || shadowOf(e) !== null || tagOf(e) === "slot";

/** Whether what is positioned absolutely in the element is placed by it. */
const isAnchor = (style: CSSStyleDeclaration): boolean =>
  style.position !== "static" || style.transform !== "none";

const isInside = (a: Edges, b: Edges): boolean =>
  a[0] >= b[0] && a[1] >= b[1] && a[2] <= b[2] && a[3] <= b[3];

/** The first index below `length` for which a rule that stays true holds. */
export function firstIndex(length: number, rule: (index: number) => boolean): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (rule(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

// Smaller drawings are icons. LIMIT: one with more parts than this is not looked into.
const DRAWING_MIN_PX = 48;
const DRAWING_PARTS_MAX = 3000;

/** Whether an SVG is large enough to show words and parts that can be used. */
export function isDrawing(e: Element): boolean {
  const box = rectOf(e);
  if (box.width < DRAWING_MIN_PX || box.height < DRAWING_MIN_PX) return false;
  return allTagged(e, "*").length <= DRAWING_PARTS_MAX;
}

const INK = /\S/;
export const isBlank = (text: string): boolean => !INK.test(text);

function isOverlaid(e: Element, tag: string): boolean {
  return tag === "select" || (tag === "input" && OVERLAID.test((e as HTMLInputElement).type));
}

function isUnder(e: Element, outer: Element): boolean {
  for (let at: Element | null = e; at; at = flatParent(at)) if (at === outer) return true;
  return false;
}

const PINNED_INLINE = /fixed|sticky/i;
const openDialogs = (owner: Document): Element[] => allTagged(owner, "dialog").filter((e) => has(e, "open"));
const isModal = (e: Element): boolean => matches(e, ":modal");

/**
 * Everything that holds something painted in view although its own box may lie elsewhere.
 *
 * LIMIT: an element pinned by a style sheet inside an out-of-view subtree is missed when it is away
 * from the nine sample points or ignores the pointer.
 */
function keptInView(look: Look): Set<Element> {
  const kept = new Set<Element>();
  const [left, top, right, bottom] = look.view;
  const keep = (e: Element): void => {
    for (let at: Element | null = e; at && !kept.has(at); at = flatParent(at)) kept.add(at);
  };
  for (const owner of documents()) {
    const place = look.place(owner);
    if (!place.isKnown) continue;
    for (const y of [top + 1, (top + bottom) / 2, bottom - 1]) {
      for (const x of [left + 1, (left + right) / 2, right - 1]) {
        for (const e of elementsAt(owner, ...place.into(x, y))) keep(e);
      }
    }
    for (const e of queryAll(owner, "[style]")) {
      if (PINNED_INLINE.test(attr(e, "style") ?? "") && isPinnedIn(look, e)) keep(e);
    }
    openDialogs(owner).forEach(keep);
    for (const e of queryAll(owner, "[popover]")) if (matches(e, ":popover-open")) keep(e);
    const full = fullscreenOf(owner);
    if (full) keep(full);
  }
  return kept;
}

function isPinnedIn(look: Look, e: Element): boolean {
  const edges = look.place(ownerOf(e)).edges(rectOf(e));
  return isEmpty(edges) || !isEmpty(meet(edges, look.view));
}
