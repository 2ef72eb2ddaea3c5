// A board of cards that are dragged by the browser's own drag and drop; it saves at every drop.

import { put, save } from "./saving.mjs";

put(`<style>
  .board { display: flex; gap: 16px }
  .board section { width: 200px; min-height: 240px; border: 1px solid #888; padding: 8px }
  .board article { border: 1px solid #888; margin: 8px; padding: 8px; cursor: grab }
  </style><div class="board"></div>`);
const lanes = { "To do": ["Paint wall", "Buy nails"], Doing: ["Cut wood"], Done: [] };
const board = document.querySelector(".board");

function draw() {
  board.replaceChildren(...Object.entries(lanes).map(([name, cards]) => lane(name, cards)));
}

function lane(name, cards) {
  const section = document.createElement("section");
  section.setAttribute("role", "group");
  section.setAttribute("aria-label", name);
  section.innerHTML = "<h2></h2>";
  section.firstChild.textContent = name;
  section.append(...cards.map(card));
  section.addEventListener("dragover", (event) => event.preventDefault());
  section.addEventListener("drop", (event) => {
    event.preventDefault();
    const moved = event.dataTransfer.getData("text/plain");
    for (const each of Object.values(lanes)) {
      if (each.includes(moved)) each.splice(each.indexOf(moved), 1);
    }
    lanes[name].push(moved);
    draw();
    save({ lanes });
  });
  return section;
}

function card(name) {
  const article = document.createElement("article");
  article.draggable = true;
  article.tabIndex = 0;
  article.textContent = name;
  article.addEventListener("dragstart", (event) => event.dataTransfer.setData("text/plain", name));
  return article;
}

draw();
