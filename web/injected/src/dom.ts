// Reads of the DOM that a page cannot bend.
//
// The isolated world protects our prototypes, but not against named elements: a form's and a
// document's own properties are shadowed by controls and images with that name, in every world.
// Everything read from an element of unknown kind goes through the prototype's own getter.

const node = Node.prototype;
const element = Element.prototype;
const documentProto = Document.prototype;

function getterOf(proto: object, name: string): () => unknown {
  const get = Object.getOwnPropertyDescriptor(proto, name)?.get;
  if (!get) throw new Error(`the browser has no ${name}`);
  return get;
}

// One literal function per getter: a shared one would be a single, megamorphic call site.
const parentGet = getterOf(node, "parentNode");
const firstGet = getterOf(node, "firstChild");
const lastGet = getterOf(node, "lastChild");
const nextGet = getterOf(node, "nextSibling");
const previousGet = getterOf(node, "previousSibling");
const typeGet = getterOf(node, "nodeType");
const valueGet = getterOf(node, "nodeValue");
const textGet = getterOf(node, "textContent");
const connectedGet = getterOf(node, "isConnected");
const ownerGet = getterOf(node, "ownerDocument");
const localNameGet = getterOf(element, "localName");
const shadowGet = getterOf(element, "shadowRoot");
const slotGet = getterOf(element, "assignedSlot");
const firstElementGet = getterOf(element, "firstElementChild");
const nextElementGet = getterOf(element, "nextElementSibling");
const childCountGet = getterOf(element, "childElementCount");
const idGet = getterOf(element, "id");
const clientLeftGet = getterOf(element, "clientLeft");
const clientTopGet = getterOf(element, "clientTop");
const clientWidthGet = getterOf(element, "clientWidth");
const clientHeightGet = getterOf(element, "clientHeight");
const scrollWidthGet = getterOf(element, "scrollWidth");
const scrollHeightGet = getterOf(element, "scrollHeight");
const scrollLeftGet = getterOf(element, "scrollLeft");
const scrollTopGet = getterOf(element, "scrollTop");
const viewGet = getterOf(documentProto, "defaultView");
const rootElementGet = getterOf(documentProto, "documentElement");
const bodyGet = getterOf(documentProto, "body");
const activeGet = getterOf(documentProto, "activeElement");
const titleGet = getterOf(documentProto, "title");
const readyStateGet = getterOf(documentProto, "readyState");
const fullscreenGet = getterOf(documentProto, "fullscreenElement");

export const parentOf = (n: Node): Node | null => parentGet.call(n) as Node | null;
export const firstOf = (n: Node): ChildNode | null => firstGet.call(n) as ChildNode | null;
export const lastOf = (n: Node): ChildNode | null => lastGet.call(n) as ChildNode | null;
export const nextOf = (n: Node): ChildNode | null => nextGet.call(n) as ChildNode | null;
export const previousOf = (n: Node): ChildNode | null => previousGet.call(n) as ChildNode | null;
export const typeOf = (n: Node): number => typeGet.call(n) as number;
export const nodeValueOf = (n: Node): string => (valueGet.call(n) as string | null) ?? "";
export const textContentOf = (n: Node): string => (textGet.call(n) as string | null) ?? "";
export const isConnected = (n: Node): boolean => connectedGet.call(n) as boolean;
export const ownerOf = (n: Node): Document =>
  typeOf(n) === 9 ? (n as Document) : (ownerGet.call(n) as Document);
export const tagOf = (e: Element): string => localNameGet.call(e) as string;
export const firstElementOf = (e: Element): Element | null => firstElementGet.call(e) as Element | null;
export const nextElementOf = (e: Element): Element | null => nextElementGet.call(e) as Element | null;
export const childCountOf = (e: Element): number => childCountGet.call(e) as number;
export const idOf = (e: Element): string => idGet.call(e) as string;
export const clientLeftOf = (e: Element): number => clientLeftGet.call(e) as number;
export const clientTopOf = (e: Element): number => clientTopGet.call(e) as number;
export const clientWidthOf = (e: Element): number => clientWidthGet.call(e) as number;
export const clientHeightOf = (e: Element): number => clientHeightGet.call(e) as number;
export const scrollWidthOf = (e: Element): number => scrollWidthGet.call(e) as number;
export const scrollHeightOf = (e: Element): number => scrollHeightGet.call(e) as number;
export const scrollLeftOf = (e: Element): number => scrollLeftGet.call(e) as number;
export const scrollTopOf = (e: Element): number => scrollTopGet.call(e) as number;
export const viewOf = (d: Document): Window | null => viewGet.call(d) as Window | null;
export const rootElementOf = (d: Document): Element | null => rootElementGet.call(d) as Element | null;
export const bodyOf = (d: Document): Element | null => bodyGet.call(d) as Element | null;
export const titleOf = (d: Document): string => titleGet.call(d) as string;
export const readyStateOf = (d: Document): string => readyStateGet.call(d) as string;
export const fullscreenOf = (d: Document): Element | null => fullscreenGet.call(d) as Element | null;
const activeElementOf = (d: Document): Element | null => activeGet.call(d) as Element | null;

const getAttribute = element.getAttribute;
const hasAttribute = element.hasAttribute;
const hasAnyAttribute = element.hasAttributes;
const getBox = element.getBoundingClientRect;
const getBoxes = element.getClientRects;
const matchesSelector = element.matches;
const closestElement = element.closest;
const checkVisible = element.checkVisibility;
const animationsOf = element.getAnimations;
const contains = node.contains;
const comparePosition = node.compareDocumentPosition;
const rootNode = node.getRootNode;
const queryElement = element.querySelectorAll;
const queryDocument = documentProto.querySelectorAll;
const queryFragment = DocumentFragment.prototype.querySelectorAll;
const pointsInDocument = documentProto.elementsFromPoint;
const pointInDocument = documentProto.elementFromPoint;
const newRange = documentProto.createRange;
const firstInElement = element.querySelector;
const firstInDocument = documentProto.querySelector;
const firstInFragment = DocumentFragment.prototype.querySelector;
const tagsInDocument = documentProto.getElementsByTagName;
const idInDocument = documentProto.getElementById;
const idInFragment = DocumentFragment.prototype.getElementById;

export const attr = (e: Element, name: string): string | null => getAttribute.call(e, name);
export const has = (e: Element, name: string): boolean => hasAttribute.call(e, name);
/** Whether the element has no attribute at all, so that none need be asked for. */
export const isBare = (e: Element): boolean => !hasAnyAttribute.call(e);
export const rectOf = (e: Element): DOMRect => getBox.call(e);
export const rectsOf = (e: Element): DOMRectList => getBoxes.call(e);
export const matches = (e: Element, selector: string): boolean => matchesSelector.call(e, selector);
export const closest = (e: Element, selector: string): Element | null => closestElement.call(e, selector);
export const isHtml = (e: Element): boolean => e instanceof HTMLElement;
/** Whether the element has a box: false for display none, contents, and skipped contents. */
export const hasBox = (e: Element): boolean => checkVisible.call(e);
const SHOWN: CheckVisibilityOptions = { opacityProperty: true, visibilityProperty: true };
/** Whether the element has a box and neither opacity nor visibility hides it: one native call. */
export const isPlainlyShown = (e: Element): boolean => checkVisible.call(e, SHOWN);
export const animations = (e: Element): Animation[] => animationsOf.call(e);
export const holds = (outer: Node, inner: Node): boolean => contains.call(outer, inner);
export const positionOf = (a: Node, b: Node): number => comparePosition.call(a, b);
export const rootOf = (n: Node): Node => rootNode.call(n);

export function queryAll(root: Node, selector: string): Element[] {
  const type = typeOf(root);
  const query = type === 9 ? queryDocument : type === 11 ? queryFragment : queryElement;
  return Array.from((query as typeof queryElement).call(root as Element, selector));
}

/** The first match in tree order; far cheaper than all of them where one is enough. */
export function queryFirst(root: Node, selector: string): Element | null {
  const type = typeOf(root);
  const query = type === 9 ? firstInDocument : type === 11 ? firstInFragment : firstInElement;
  return (query as typeof firstInElement).call(root as Element, selector);
}

/** Every element with the tag; in a document from the browser's own index of it. */
export const allTagged = (root: Node, tag: string): Element[] =>
  typeOf(root) === 9 ? Array.from(tagsInDocument.call(root as Document, tag)) : queryAll(root, tag);

export const elementsAt = (d: Document, x: number, y: number): Element[] => pointsInDocument.call(d, x, y);
export const elementAt = (d: Document, x: number, y: number): Element | null => pointInDocument.call(d, x, y);
export const rangeIn = (d: Document): Range => newRange.call(d);

/** Finds an element by its id in the tree (document or shadow tree) that `near` belongs to. */
export function byId(near: Node, id: string): Element | null {
  const root = rootOf(near);
  const type = typeOf(root);
  if (type === 9) return idInDocument.call(root as Document, id);
  return type === 11 ? idInFragment.call(root as DocumentFragment, id) : null;
}

export const parentElementOf = (n: Node): Element | null => {
  const parent = parentOf(n);
  return parent !== null && typeOf(parent) === 1 ? (parent as Element) : null;
};

export const isElement = (n: Node | null): n is Element => n !== null && typeOf(n) === 1;
export const isText = (n: Node): n is Text => typeOf(n) === 3 || typeOf(n) === 4;

/** Closed shadow roots that the driver has handed over, by host. */
const adopted = new WeakMap<Element, ShadowRoot>();
let hasAdopted = false;

export function adoptRoot(root: ShadowRoot): void {
  adopted.set(root.host, root);
  hasAdopted = true;
}

export const shadowOf = (e: Element): ShadowRoot | null =>
  (shadowGet.call(e) as ShadowRoot | null) ?? (hasAdopted ? (adopted.get(e) ?? null) : null);

/** The slot that shows the element, in an open or an adopted shadow tree. */
function slotOf(n: Node): Element | null {
  const slot = isElement(n) ? (slotGet.call(n) as Element | null) : null;
  if (slot) return slot;
  const parent = parentOf(n);
  const root = parent && isElement(parent) ? shadowOf(parent) : null;
  if (!root) return null;
  for (const candidate of queryAll(root, "slot")) {
    if ((candidate as HTMLSlotElement).assignedNodes().includes(n as Element)) return candidate;
  }
  return null;
}

const FRAMES_MAX = 200;
const FRAME_TAGS = ["iframe", "frame", "object", "embed"] as const;
// What an `embed` may show that is a document, as far as its type says.
const DOCUMENT_TYPE = /^(text\/|application\/xhtml|image\/svg)/i;

/** Whether the element shows a document, of whatever origin. */
export function isFrame(e: Element, tag = tagOf(e)): boolean {
  if (tag === "iframe" || tag === "frame") return true;
  if (tag === "object") return contentWindowOf(e) !== null && !showsInstead(e);
  if (tag !== "embed") return false;
  // LIMIT: of one whose document is of another origin only its type can be asked.
  const type = attr(e, "type");
  return embeddedDocument(e) !== null || (type !== null && DOCUMENT_TYPE.test(type));
}

const objectWindowGet = getterOf(HTMLObjectElement.prototype, "contentWindow");
const objectDocumentGet = getterOf(HTMLObjectElement.prototype, "contentDocument");

const contentWindowOf = (e: Element): Window | null => objectWindowGet.call(e) as Window | null;

/** Whether an object shows what is in it, because it cannot show what it names. */
function showsInstead(e: Element): boolean {
  if (firstOf(e) === null) return false;
  const all = rangeIn(ownerOf(e));
  all.selectNodeContents(e);
  return all.getClientRects().length > 0;
}

/** The document of a frame element, or null when it cannot be read. */
export function frameDocument(e: Element): Document | null {
  const tag = tagOf(e);
  try {
    if (tag === "iframe" || tag === "frame") return (e as HTMLIFrameElement).contentDocument;
    if (tag === "object") return isFrame(e) ? (objectDocumentGet.call(e) as Document | null) : null;
  } catch {
    return null;
  }
  return tag === "embed" ? embeddedDocument(e) : null;
}

/** The document of an `embed`, which only the window around it gives away. */
function embeddedDocument(e: Element): Document | null {
  const view = viewOf(ownerOf(e));
  for (let at = 0; view && at < Math.min(view.length, FRAMES_MAX); at += 1) {
    try {
      const inner = view[at];
      if (inner?.frameElement === e) return inner.document;
    } catch {
      // Of another origin.
    }
  }
  return null;
}

/** The frame element that shows the document, or null at the top of what can be reached. */
export function frameElementOf(d: Document): Element | null {
  if (d === document) return null;
  try {
    return viewOf(d)?.frameElement ?? null;
  } catch {
    return null;
  }
}

/** The parent in the flat tree, across slots, shadow hosts and frames. */
export function flatParent(n: Node): Element | null {
  const parent = parentOf(n);
  if (parent === null) return null;
  const type = typeOf(parent);
  if (type === 11) return (parent as ShadowRoot).host ?? null;
  if (type === 9) return frameElementOf(parent as Document);
  if (shadowOf(parent as Element)) return slotOf(n) ?? (parent as Element);
  return parent as Element;
}

/** The children in the flat tree: of the shadow root, of what is slotted, or its own. */
export function flatChildren(e: Element, tag = tagOf(e)): Node[] | null {
  const root = shadowOf(e);
  if (root) return listOf(root);
  if (tag === "slot") {
    const assigned = (e as HTMLSlotElement).assignedNodes();
    if (assigned.length > 0) return assigned;
  }
  return null;
}

function listOf(n: Node): Node[] {
  const list: Node[] = [];
  for (let child = firstOf(n); child; child = nextOf(child)) list.push(child);
  return list;
}

/** Calls `visit` for each child in the flat tree. */
export function eachChild(e: Element, visit: (child: Node) => void): void {
  const moved = flatChildren(e);
  if (moved) {
    for (const child of moved) visit(child);
    return;
  }
  for (let child = firstOf(e); child; child = nextOf(child)) visit(child);
}

/** Whether `outer` is `inner` or above it in the flat tree. */
export function flatHolds(outer: Element, inner: Element): boolean {
  for (let e: Element | null = inner; e; e = flatParent(e)) if (e === outer) return true;
  return false;
}

/** The nearest element, itself included, for which `rule` holds, upward in the flat tree. */
export function flatClosest(e: Element, rule: (e: Element) => boolean): Element | null {
  for (let at: Element | null = e; at; at = flatParent(at)) if (rule(at)) return at;
  return null;
}

/** The element that has the focus, down through frames and shadow trees; null for the body. */
export function activeElement(): Element | null {
  let active = activeElementOf(document);
  for (;;) {
    if (active === null) return null;
    const inner = frameDocument(active);
    const root = shadowOf(active);
    const next: Element | null = inner ? activeElementOf(inner) : root ? root.activeElement : null;
    if (next === null || next === active) break;
    active = next;
  }
  const tag = tagOf(active);
  if (tag !== "body" && tag !== "html") return active;
  // The body of a document that is an editor as a whole.
  return has(active, "contenteditable") || ownerOf(active).designMode === "on" ? active : null;
}

/** Frames met in shadow trees, where no document finds them. */
const framesInShadow = new Set<Element>();

function isInShadow(e: Element): boolean {
  const root = rootOf(e);
  return typeOf(root) === 11;
}

/** Notes a frame that a walk has come to. */
export function noteFrame(e: Element): void {
  if (isInShadow(e)) framesInShadow.add(e);
}

/** Every frame element of the documents that can be reached, and of the shadow trees a walk has met. */
export function frameElements(): Element[] {
  const found = [...framesInShadow].filter(isConnected);
  for (const owner of documents()) found.push(...framesIn(owner));
  return found;
}

/** What may show a document in the document. */
const framesIn = (owner: Document): Element[] => FRAME_TAGS.flatMap((tag) => allTagged(owner, tag));

/** The document and every same-origin frame document below it, in tree order. */
export function documents(): Document[] {
  const found: Document[] = [document];
  for (const frame of framesInShadow) {
    const inner = isConnected(frame) ? frameDocument(frame) : null;
    if (inner && rootElementOf(inner)) found.push(inner);
    else if (!isConnected(frame)) framesInShadow.delete(frame);
  }
  for (let at = 0; at < found.length && found.length < FRAMES_MAX; at += 1) {
    const owner = found[at];
    if (!owner) break;
    for (const frame of framesIn(owner)) {
      const inner = frameDocument(frame);
      if (inner && rootElementOf(inner)) found.push(inner);
    }
  }
  return found;
}
