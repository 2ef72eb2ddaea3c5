// A code of six boxes: each takes one digit and gives the focus to the next; a paste fills all.

import { put, saveButton } from "./saving.mjs";

const COUNT = 6;
const root = put(`<fieldset><legend>Access number</legend></fieldset>`);
const boxes = Array.from({ length: COUNT }, (_, at) => {
  const box = document.createElement("input");
  box.inputMode = "numeric";
  box.maxLength = 1;
  box.size = 1;
  box.setAttribute("aria-label", `Digit ${at + 1}`);
  return box;
});
root.querySelector("fieldset").append(...boxes);
for (const [at, box] of boxes.entries()) {
  box.addEventListener("input", () => {
    box.value = box.value.replace(/\D/g, "");
    if (box.value !== "") boxes[at + 1]?.focus();
  });
  box.addEventListener("keydown", (event) => {
    if (event.key === "Backspace" && box.value === "") boxes[at - 1]?.focus();
  });
  box.addEventListener("paste", (event) => {
    event.preventDefault();
    const digits = event.clipboardData.getData("text").replace(/\D/g, "");
    for (const [to, digit] of [...digits].entries()) if (boxes[at + to]) boxes[at + to].value = digit;
  });
}
saveButton(root, () => ({ digits: boxes.map((box) => box.value).join("") }));
