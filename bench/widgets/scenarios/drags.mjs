// Dragging, and rows that are not in the document until they are scrolled to.

import { button, on } from "./words.mjs";

const ROW = (name) => ({ role: ["button", "listitem"], name });
const dnd = on("dnd-kit", {});

const ofDnd = [
  dnd(
    "drag a row down",
    { rows: ["Bees", "Cats", "Dogs", "Ants", "Eels"] },
    (hand) => hand.drag(ROW("Ants"), ROW("Dogs")),
    { savesItself: true },
  ),
  dnd(
    "drag a row up",
    { rows: ["Eels", "Ants", "Bees", "Cats", "Dogs"] },
    (hand) => hand.drag(ROW("Eels"), ROW("Ants")),
    { savesItself: true },
  ),
  dnd(
    "move a row by keys",
    { rows: ["Bees", "Ants", "Cats", "Dogs", "Eels"] },
    async (hand) => {
      await hand.press("Space", ROW("Ants"));
      await hand.press("ArrowDown");
      await hand.press("Space");
    },
    { savesItself: true },
  ),
];

const board = on("board", {});
const CARD = (name) => ({ role: ["article", "listitem", "generic", "text", "StaticText"], name });
const LANE = (name) => ({ role: "group", name });

const ofBoard = [
  board(
    "drag a card into an empty lane",
    { lanes: { "To do": ["Buy nails"], Doing: ["Cut wood"], Done: ["Paint wall"] } },
    (hand) => hand.drag(CARD("Paint wall"), LANE("Done")),
    { savesItself: true },
  ),
  board(
    "drag a card onto a card",
    { lanes: { "To do": ["Paint wall"], Doing: ["Cut wood", "Buy nails"], Done: [] } },
    (hand) => hand.drag(CARD("Buy nails"), CARD("Cut wood")),
    { savesItself: true },
  ),
];

const list = on("react-window", {});

const ofList = [
  list("press in a row that is drawn", { marked: [7] }, (hand) => hand.click(button("Mark order 7")), {
    savesItself: true,
  }),
  list(
    "scroll to a row that is not drawn",
    { marked: [60] },
    async (hand) => {
      const row = button("Mark order 60");
      // A screen of the list at a time, until the row is there.
      for (let screens = 0; screens < 8 && !(await hand.shows(row)); screens++) {
        await hand.scroll({ role: "list", name: "Orders" }, "down", 1);
      }
      await hand.click(row);
    },
    { savesItself: true, tools: ["sidestick"] },
  ),
];

export const scenarios = [...ofDnd, ...ofBoard, ...ofList];
