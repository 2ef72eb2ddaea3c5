// One walk over what the page shows, in tree order, for every reader of it.
//
// Crosses shadow roots, slots and same-origin frames. In the viewport scope a subtree whose box
// lies outside is dropped before any style in it is computed, unless something in it is known to be
// painted in view. It decides what is shown; what to make of it is the visitor's business.

import { attr, clientHeightOf, clientWidthOf, documents, elementsAt, flatChildren } from "./dom.ts";
import { firstOf, flatParent, frameDocument, fullscreenOf, rangeIn } from "./dom.ts";
import { has, hasBox, isElement, isText, nextOf, nodeValueOf, ownerOf, queryAll } from "./dom.ts";
import { rectOf, rootElementOf, tagOf } from "./dom.ts";
import { type Edges, isEmpty, type Look, meet } from "./look.ts";
import { roleOf } from "./roles.ts";

// LIMIT: deeper elements are counted, not read; the stack of the engine is not ours to exhaust.
export const DEPTH_MAX = 2000;

export interface Part {
  readonly e: Element;
  readonly role: string | null;
  readonly isBlock: boolean;
  /** In a line, but apart from the words around it (inline-block and the like). */
  readonly isSpaced: boolean;
  /** False where the element itself is hidden but something in it may not be. */
  readonly isShown: boolean;
}

export interface Visitor {
  /** Answers whether to go on into the element. */
  enter(part: Part): boolean;
  leave(part: Part): void;
  text(node: Text, parent: Element): void;
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
  dx: number;
  dy: number;
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
    "template title track"
  ).split(" "),
);
// Native inputs are laid transparent over their drawing so often that they count as shown.
const OVERLAID = /^(checkbox|radio|file|range)$/;
const BLOCK_TABLE = /^(t[dhr]|tbody|thead|tfoot|table|caption)$/;

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
    const [dx, dy] = this.look.offset(owner);
    const view = this.look.view;
    const isInModal = this.modal === null || isUnder(e, this.modal);
    return { dx, dy, flow: view, free: view, isFaded: false, isPartial: true, isInModal, isShown: true };
  }

  private element(e: Element, place: Place, depth: number): void {
    const tag = tagOf(e);
    if (IGNORED.has(tag)) return;
    if (depth > DEPTH_MAX) return this.visitor.tooDeep?.(e);

    let box: DOMRect | null = null;
    if (this.isView) {
      box = rectOf(e);
      if (box.width > 0 && box.height > 0 && this.isOut(e, box, place, this.look.view)) return;
    }
    const style = this.look.style(e);
    const display = style.display;
    if (!hasBox(e) && display !== "contents") {
      if (display !== "") this.visitor.hidden?.(e);
      return;
    }
    if (this.isLeftOut(e, place)) return;
    const isFaded = place.isFaded || style.opacity === "0";
    if (isFaded && !place.isFaded && !this.hasOverlaid(e)) return this.visitor.hidden?.(e);

    const position = box ? style.position : "";
    const clip = position === "fixed" ? this.look.view : position === "absolute" ? place.free : place.flow;
    if (box && clip !== this.look.view && box.width > 0 && box.height > 0) {
      if (this.isOut(e, box, place, clip)) return;
    }
    const isShown = style.visibility === "visible" && (!isFaded || isOverlaid(e, tag));
    const isSpaced = display.startsWith("inline-");
    const isBlock = BLOCK_TABLE.test(tag) || !(isSpaced || display === "inline" || display === "contents");
    const part: Part = { e, role: roleOf(this.look, e), isBlock, isSpaced, isShown };
    if (this.visitor.enter(part)) {
      const inner = this.inner(e, tag, place, box, style, position, clip, isFaded, isShown);
      if (tag === "iframe" || tag === "frame") this.frame(e, inner, depth);
      else if (tag !== "svg" && tag !== "select" && tag !== "textarea") this.children(e, inner, depth);
    }
    this.visitor.leave(part);
  }

  /** Whether the box is outside `clip`; tells the visitor so. */
  private isOut(e: Element, box: DOMRect, place: Place, clip: Edges): boolean {
    const { dx, dy } = place;
    const isBefore = box.bottom + dy <= clip[1] || box.right + dx <= clip[0];
    if (!isBefore && box.top + dy < clip[3] && box.left + dx < clip[2]) return false;
    this.kept ??= keptInView(this.look);
    if (this.kept.has(e)) return false;
    this.visitor.outside?.(e, isBefore ? "above" : "below");
    return true;
  }

  /** Kept from assistive technology, inert, or behind a modal dialog. */
  private isLeftOut(e: Element, place: Place): boolean {
    if (attr(e, "aria-hidden") === "true") return true;
    if (!this.rules.leaveInert) return false;
    const isBehind = !place.isInModal && e !== this.modal && !this.modals?.has(e);
    if (!isBehind && !has(e, "inert")) return false;
    this.visitor.hidden?.(e);
    return true;
  }

  private inner(
    e: Element,
    tag: string,
    place: Place,
    box: DOMRect | null,
    style: CSSStyleDeclaration,
    position: string,
    clip: Edges,
    isFaded: boolean,
    isShown: boolean,
  ): Place {
    const isInModal = place.isInModal || e === this.modal;
    const isRoot = tag === "html" || tag === "body";
    let flow = clip;
    let isPartial = false;
    if (box) {
      const edges = edgesAt(box, place);
      if (!isRoot && style.overflowX !== "visible" && !isEmpty(edges)) flow = meet(clip, edges);
      isPartial = !isInside(edges, flow) || isEmpty(edges);
    }
    const isAnchor = position !== "static" && position !== "";
    const free = isAnchor || (box !== null && style.transform !== "none") ? flow : place.free;
    return { dx: place.dx, dy: place.dy, flow, free, isFaded, isPartial, isInModal, isShown };
  }

  private children(e: Element, place: Place, depth: number): void {
    const moved = flatChildren(e);
    if (moved) {
      for (const child of moved) this.child(child, e, place, depth);
      return;
    }
    for (let child = firstOf(e); child; child = nextOf(child)) this.child(child, e, place, depth);
  }

  private child(child: Node, parent: Element, place: Place, depth: number): void {
    if (isText(child)) {
      if (!place.isShown || !place.isInModal) return;
      if (isBlank(nodeValueOf(child))) {
        this.visitor.text(child, parent);
      } else if (!this.rules.sliceText || !place.isPartial || this.isTextIn(child, place)) {
        this.visitor.text(child, parent);
      }
    } else if (isElement(child)) {
      this.element(child, place, depth + 1);
    }
  }

  private isTextIn(node: Text, place: Place): boolean {
    if (!this.isView) return true;
    if (!this.range || this.range.startContainer.ownerDocument !== ownerOf(node)) {
      this.range = rangeIn(ownerOf(node));
    }
    this.range.selectNodeContents(node);
    return !isEmpty(meet(edgesAt(this.range.getBoundingClientRect(), place), place.flow));
  }

  private frame(e: Element, place: Place, depth: number): void {
    const owner = frameDocument(e);
    const root = owner && rootElementOf(owner);
    if (!owner || !root) return;
    const [dx, dy] = this.look.offset(owner);
    const [width, height] = [clientWidthOf(e), clientHeightOf(e)];
    const flow = meet(place.flow, [dx, dy, dx + width, dy + height]);
    this.element(root, { ...place, dx, dy, flow, free: flow, isPartial: true }, depth + 1);
  }

  private hasOverlaid(e: Element): boolean {
    if (isOverlaid(e, tagOf(e))) return true;
    return queryAll(e, "input,select").some((inner) => isOverlaid(inner, tagOf(inner)));
  }

  private modalPath(): Set<Element> | null {
    for (const owner of documents()) this.modal = queryAll(owner, "dialog:modal").pop() ?? this.modal;
    if (!this.modal) return null;
    const path = new Set<Element>();
    for (let at = flatParent(this.modal); at; at = flatParent(at)) path.add(at);
    return path;
  }
}

const edgesAt = (r: DOMRect, place: Place): Edges => [
  r.left + place.dx,
  r.top + place.dy,
  r.right + place.dx,
  r.bottom + place.dy,
];

const isInside = (a: Edges, b: Edges): boolean =>
  a[0] >= b[0] && a[1] >= b[1] && a[2] <= b[2] && a[3] <= b[3];

const INK = /\S/;
export const isBlank = (text: string): boolean => !INK.test(text);

function isOverlaid(e: Element, tag: string): boolean {
  return tag === "select" || (tag === "input" && OVERLAID.test((e as HTMLInputElement).type));
}

function isUnder(e: Element, outer: Element): boolean {
  for (let at: Element | null = e; at; at = flatParent(at)) if (at === outer) return true;
  return false;
}

const PINNED_INLINE = '[style*="fixed" i],[style*="sticky" i]';
const TOP_LAYER = "dialog[open],[popover]:popover-open";

/**
 * Everything that holds something painted in view although its own box may lie elsewhere.
 *
 * LIMIT: an element pinned by a style sheet inside an out-of-view subtree is missed when it is away
 * from the nine sample points or ignores the pointer.
 */
function keptInView(look: Look): Set<Element> {
  const kept = new Set<Element>();
  const keep = (e: Element): void => {
    for (let at: Element | null = e; at && !kept.has(at); at = flatParent(at)) kept.add(at);
  };
  for (const owner of documents()) {
    const [dx, dy] = look.offset(owner);
    for (const y of [1, look.height / 2, look.height - 1]) {
      for (const x of [1, look.width / 2, look.width - 1]) {
        for (const e of elementsAt(owner, x - dx, y - dy)) keep(e);
      }
    }
    for (const e of queryAll(owner, PINNED_INLINE)) if (isPinnedIn(look, e)) keep(e);
    for (const e of queryAll(owner, TOP_LAYER)) keep(e);
    const full = fullscreenOf(owner);
    if (full) keep(full);
  }
  return kept;
}

function isPinnedIn(look: Look, e: Element): boolean {
  const [dx, dy] = look.offset(ownerOf(e));
  const box = rectOf(e);
  const edges: Edges = [box.left + dx, box.top + dy, box.right + dx, box.bottom + dy];
  return isEmpty(edges) || !isEmpty(meet(edges, look.view));
}

