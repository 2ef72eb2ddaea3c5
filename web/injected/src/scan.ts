// Every element of every tree that can be reached, in tree order, whether shown or not.

import { documents, frameDocument, isFrame, noteFrame, queryAll, shadowOf } from "./dom.ts";

function visit(root: Node, each: (e: Element) => void): void {
  for (const e of queryAll(root, "*")) {
    each(e);
    const shadow = shadowOf(e);
    if (shadow) visit(shadow, each);
    if (!isFrame(e)) continue;
    noteFrame(e);
    const inner = frameDocument(e);
    if (inner) visit(inner, each);
  }
}

function filter(rule: (e: Element) => boolean): Element[] {
  const found: Element[] = [];
  visit(document, (e) => void (rule(e) && found.push(e)));
  return found;
}

/** Every tree: documents and shadow roots. */
function roots(): Node[] {
  const found: Node[] = [];
  const add = (root: Node): void => {
    found.push(root);
    for (const e of queryAll(root, "*")) {
      const shadow = shadowOf(e);
      if (shadow) add(shadow);
    }
  };
  documents().forEach(add);
  return found;
}

export const everyElement = {
  filter,
  roots,
  hasOtherTrees: (): boolean => roots().length > 1,
};
