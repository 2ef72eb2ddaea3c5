// Tasks that are done by dragging: items of a list, boxes, shapes.

import { Stuck } from "../episode.mjs";
import { distance } from "../picture.mjs";
import { DRAWN, NAMED } from "./colors.mjs";
import { all, place, read } from "./reading.mjs";

/** Where the drawing of a task stands. */
const DRAWING = { x: 2, y: 52, width: 156, height: 150 };
/** How far past the middle of an item another is dragged. */
const PAST_PX = 6;
const items = async (page) => (await page.find({ role: "listitem" })).filter(({ box }) => box[1] >= 50);

async function dragItem(page) {
  const instruction = await page.instruction();
  const name = read(instruction, /^Drag (\S+) /);
  const found = await items(page);
  const names = await Promise.all(found.map((item) => page.textOf(item.ref)));
  const from = names.indexOf(name);
  if (from === -1) throw new Stuck(`no item ${name} among ${names}`);
  await past(page, found[from], found[goal(instruction, from)]);
}

/** Drags an item a little past the middle of another: a list gives way only then. */
async function past(page, from, to) {
  const [a, b] = [from, to].map(({ box: [x, y, width, height] }) => ({ x: x + width / 2, y: y + height / 2 }));
  await page.picture();
  const beyond = (axis) => Math.round(b[axis] + Math.sign(Math.round(b[axis] - a[axis])) * PAST_PX);
  await page.drag(from.ref, { to_x: beyond("x"), to_y: beyond("y") });
}

/** Returns the place an item is to come to. */
function goal(instruction, from) {
  if (/to the top\.$/.test(instruction)) return 0;
  if (/to the bottom\.$/.test(instruction)) return 4;
  if (/down by one position/.test(instruction)) return from + 1;
  if (/up by one position/.test(instruction)) return from - 1;
  if (/position\.$/.test(instruction)) return place(instruction);
  const steps = { up: -3, down: 3, left: -1, right: 1 };
  const [, step] = instruction.match(/(up|down|left|right) by one/) ?? [];
  if (step !== undefined) return from + steps[step];
  const row = ["top", "center", "bottom"].findIndex((word) => new RegExp(`to the ${word}`).test(instruction));
  const column = ["left", "center", "right"].findIndex((word) => new RegExp(`${word}\\.$`).test(instruction));
  return row * 3 + column;
}

/** Puts one number after the other at its place, as the list then stands. */
async function sort(page) {
  const read = async () => {
    const found = await items(page);
    const values = await Promise.all(found.map((item) => page.textOf(item.ref)));
    return found.map((item, at) => ({ ...item, value: Number(values[at]) }));
  };
  const count = (await read()).length;
  for (let at = 0; at < count; at++) {
    for (let left = 3; left > 0; left--) {
      const list = await read();
      const least = list.slice(at).reduce((a, b) => (b.value < a.value ? b : a));
      if (list[at] === least) break;
      await past(page, least, list[at]);
      await page.still();
    }
  }
  await page.button("Submit");
}

async function boxInBox(page) {
  const [small] = await page.found("s");
  const [large] = await page.found("L");
  await page.drag(small.ref, large.ref);
  await page.button("Submit");
}

/** The one shape of the drawing is dragged far enough to one side. */
async function shape(page) {
  const direction = read(await page.instruction(), /(left|right|up|down) then/);
  const [button] = all(await page.area(), "button");
  const [found] = await page.find({ role: "button" });
  const above = { ...DRAWING, height: found.box[1] - DRAWING.y - 2 };
  const picture = await page.picture();
  const [blob] = picture.blobs(above, (color) => distance(color, NAMED.white) > 60);
  if (blob === undefined) throw new Stuck("no shape");
  const from = middle(blob.box);
  const step = { left: [-30, 0], right: [30, 0], up: [0, -30], down: [0, 30] }[direction];
  await page.dragAt(from, { x: from.x + step[0], y: from.y + step[1] });
  await page.click(button);
}

const middle = ({ x, y, width, height }) => ({ x: Math.round(x + width / 2), y: Math.round(y + height / 2) });

/** Returns the shapes of a drawing, told apart by how much of their box they fill. */
export function shapes(picture, within) {
  return DRAWN.flatMap((color) =>
    picture
      .blobs(within, (each) => distance(each, NAMED[color]) < 60, { least: 40 })
      .map(({ box, size }) => ({ color, box, kind: kindOf(size / (box.width * box.height)) })),
  );
}

function kindOf(share) {
  if (share > 0.93) return "rectangles";
  if (share > 0.66) return "circles";
  return share > 0.35 ? "triangles" : "frame";
}

/** Drags each to a place of its own in the frame; pixels are taken from a new picture each time. */
async function into(page, moved, frame) {
  for (const [at, each] of moved.entries()) {
    await page.picture();
    const x = frame.x + 16 + ((at * 17) % (frame.width - 30));
    await page.dragAt(middle(each.box), { x: Math.round(x), y: Math.round(frame.y + frame.height / 2) });
  }
}

async function shapesIntoBox(page) {
  const kind = read(await page.instruction(), /Drag all (\S+) into/);
  const found = shapes(await page.picture(), { ...DRAWING, height: 158 });
  const [frame] = found.filter((each) => each.kind === "frame").sort((a, b) => b.box.width - a.box.width);
  await into(page, found.filter((each) => each.kind === kind), frame.box);
  await page.button("Submit");
}

async function shapesApart(page) {
  const what = read(await page.instruction(), /Drag all (.*) into the left/);
  const found = shapes(await page.picture(), { ...DRAWING, height: 158 });
  const frames = found.filter((each) => each.kind === "frame").sort((a, b) => a.box.x - b.box.x);
  const isLeft = (each) => each.kind === what || `${each.color} shapes` === what;
  const solid = found.filter((each) => each.kind !== "frame");
  await into(page, solid.filter(isLeft), frames[0].box);
  await into(page, solid.filter((each) => !isLeft(each)), frames.at(-1).box);
  await page.button("Submit");
}

export const solutions = {
  "drag-items": dragItem,
  "drag-items-grid": dragItem,
  "drag-sort-numbers": sort,
  "drag-box": boxInBox,
  "drag-circle": shape,
  "drag-single-shape": shape,
  "drag-shapes": shapesIntoBox,
  "drag-shapes-2": shapesApart,
};
