// What an act on an element can be expected to change: what is in its row, form or dialog, and what
// it says that it controls (BR-146).

import { attr, byId, closest, holds } from "./dom.ts";

const holdsOrIs = (outer: Node, inner: Node): boolean => outer === inner || holds(outer, inner);

const REACH =
  "tr,li,form,fieldset,dialog,[role=row],[role=listitem],[role=dialog],[role=group],[role=menu],[role=listbox]";

/** Whether the element lies in the row, form or dialog of what was acted on, or is controlled by it. */
export function isReached(e: Element, target: Element | null): boolean {
  if (!target) return false;
  if (holdsOrIs(target, e)) return true;
  const around = closest(target, REACH);
  if (around && holdsOrIs(around, e)) return true;
  for (const name of ["aria-controls", "aria-owns", "aria-describedby"]) {
    for (const id of (attr(target, name) ?? "").split(/\s+/, 5)) {
      const controlled = id === "" ? null : byId(target, id);
      if (controlled && holdsOrIs(controlled, e)) return true;
    }
  }
  return false;
}
