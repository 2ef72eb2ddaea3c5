// What a page does beside its document: it prints, takes the pointer or the whole screen, or leaves by
// itself.
// The driver is told at once, by a word, through a binding of this world that no page can see.

import { recorder } from "./recorder.ts";

type Tell = (word: string) => void;

const tell: Tell = (word) => {
  const binding = (globalThis as unknown as { sidestickAside?: Tell }).sidestickAside;
  if (typeof binding === "function") binding(word);
};

/** Begins to tell; a document that runs no scripts of its own does none of this. */
export function tellAsides(): void {
  const passive = { capture: true, passive: true };
  window.addEventListener("beforeprint", () => tell("print"), passive);
  document.addEventListener(
    "pointerlockchange",
    () => tell(document.pointerLockElement ? "pointer taken" : "pointer back"),
    passive,
  );
  document.addEventListener(
    "fullscreenchange",
    () => tell(document.fullscreenElement ? "screen taken" : "screen back"),
    passive,
  );
  const { navigation } = window as unknown as { navigation?: EventTarget };
  navigation?.addEventListener("navigate", (event) => {
    const { userInitiated } = event as unknown as { userInitiated?: boolean };
    // The last way it takes is the one that counts.
    if (recorder.act) tell(recorder.noteLeaving(userInitiated === true) ? "leaves by itself" : "leaves");
  });
}
