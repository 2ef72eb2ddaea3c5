// The boxes a picture must not show: secret fields, and text that contains a known secret.
//
// Looks at everything that may be painted, not only at what assistive technology gets.

import { documents, isText, nodeValueOf, ownerOf, queryAll, rangeIn, rootElementOf } from "./dom.ts";
import { type Box, type Edges, isEmpty, Look, meet, toBox } from "./look.ts";
import { recorder } from "./recorder.ts";
import { documentId } from "./refs.ts";
import { everyElement } from "./scan.ts";
import { isSecret } from "./secret.ts";
import { rawValue } from "./values.ts";
import { attr, bodyOf, typeOf } from "./dom.ts";

const GROW_PX = 2;
const FIELDS = 'input,textarea,select,[contenteditable],[role="textbox" i],[placeholder],[title]';

export function boxesToMask(args: { secrets: string[] }): Record<string, unknown> {
  const look = new Look();
  const secrets = args.secrets.filter((secret) => secret !== "");
  const boxes: Box[] = [];
  let values = 0;
  const add = (edges: Edges): void => {
    const seen = meet(grow(edges), look.view);
    if (!isEmpty(edges) && !isEmpty(seen)) boxes.push(toBox(seen));
  };
  for (const root of everyElement.roots()) {
    for (const field of queryAll(root, FIELDS)) {
      values = mixed(values, `${rawValue(field) ?? ""}|${(field as HTMLInputElement).checked}`);
      if (isSecret(field) || holdsSecret(field, secrets)) add(look.edges(field));
    }
    if (secrets.length > 0) for (const edges of textBoxes(look, root, secrets)) add(edges);
  }
  recorder.flush();
  const { act, version } = recorder;
  const touched = act !== null && act.version < version;
  return { boxes, document: documentId, version, touched, values, steady: isSteady() };
}

/** A number that changes with the text; it is compared here and now, and kept nowhere. */
function mixed(number: number, text: string): number {
  let all = number;
  for (let at = 0; at < text.length; at += 1) all = (Math.imul(all, 31) + text.charCodeAt(at)) | 0;
  return all;
}

/** Whether nothing is painted that changes without the recorder's notice. */
function isSteady(): boolean {
  return documents().every(
    (owner) =>
      !queryAll(owner, "canvas,video,object,embed,iframe,frame").some(() => true) &&
      !owner.getAnimations().some((at) => at.playState === "running"),
  );
}

const grow = (e: Edges): Edges => [e[0] - GROW_PX, e[1] - GROW_PX, e[2] + GROW_PX, e[3] + GROW_PX];

function holdsSecret(field: Element, secrets: string[]): boolean {
  const shown = `${rawValue(field) ?? ""} ${attr(field, "placeholder") ?? ""}`;
  return secrets.some((secret) => shown.includes(secret));
}

/** Boxes of every run of text that spells a secret, even across elements. */
function* textBoxes(look: Look, root: Node, secrets: string[]): Generator<Edges> {
  const nodes: { node: Text; start: number }[] = [];
  let all = "";
  const owner = ownerOf(root);
  const top = typeOf(root) === 9 ? (bodyOf(owner) ?? rootElementOf(owner)) : root;
  if (!top) return;
  const walker = Document.prototype.createTreeWalker.call(owner, top, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (!isText(node)) continue;
    nodes.push({ node, start: all.length });
    all += nodeValueOf(node);
  }
  const place = look.place(owner);
  for (const secret of secrets) {
    for (let at = all.indexOf(secret); at >= 0; at = all.indexOf(secret, at + 1)) {
      for (const rect of rectsOf(owner, nodes, at, at + secret.length)) {
        yield place.edges(rect);
      }
    }
  }
}

function rectsOf(
  owner: Document,
  nodes: { node: Text; start: number }[],
  from: number,
  to: number,
): DOMRect[] {
  const rects: DOMRect[] = [];
  const range = rangeIn(owner);
  for (const { node, start } of nodes) {
    const length = nodeValueOf(node).length;
    if (start + length <= from) continue;
    if (start >= to) break;
    range.setStart(node, Math.max(0, from - start));
    range.setEnd(node, Math.min(length, to - start));
    rects.push(...Array.from(range.getClientRects()));
  }
  return rects;
}
