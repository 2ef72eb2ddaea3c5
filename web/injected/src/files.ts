// Files on their way into a page: what a file input holds, and whether a place takes a drop.

import { isConnected, tagOf } from "./dom.ts";

interface Chosen {
  is_input: boolean;
  connected: boolean;
  files: { name: string; size: number }[];
}

/** What the input of a file chooser holds; it need not be part of the document. */
export function chosenFiles(node: Element): Chosen {
  const input = tagOf(node) === "input" ? (node as HTMLInputElement) : null;
  const files = Array.from(input?.files ?? [], (file) => ({ name: file.name, size: file.size }));
  return { is_input: input !== null, connected: isConnected(node), files };
}

let over: Event | null = null;
let isWatching = false;

const note = (event: Event): void => {
  // What the page answered is known once the event has run its course.
  over = event;
};

/** Begins to note the page's answers to what is dragged over it. */
export function watchDrop(): Record<string, unknown> {
  over = null;
  if (!isWatching) {
    isWatching = true;
    window.addEventListener("dragover", note, { capture: true, passive: true });
  }
  return { ok: true };
}

/** Says whether the page answered the last of them by taking it. */
export function dropTaken(): Record<string, unknown> {
  const taken = over?.defaultPrevented ?? false;
  over = null;
  return { taken };
}
