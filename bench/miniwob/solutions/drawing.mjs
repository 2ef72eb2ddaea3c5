// Tasks on a drawing: points are found in the picture, and clicked or dragged to.

import { Stuck } from "../episode.mjs";
import { distance } from "../picture.mjs";
import { quoted } from "./reading.mjs";

/** What a page that pays by nearness pays for a point that is off by a pixel or two. */
export const ENOUGH = {
  "circle-center": 0.9,
  "find-midpoint": 0.9,
  "right-angle": 0.9,
  "bisect-angle": 0.9,
};

const DRAWING = { x: 2, y: 52, width: 150, height: 130 };
/** These pages draw a click this much right and below of where it was. */
const OFFSET_PX = 2;

const isBlack = (color) => distance(color, [0, 0, 0]) < 200;
const isBlue = ([red, green, blue]) => blue > 150 && red < 110 && green < 110;

/** Returns the middles of the dots of a color; lines between them are thinner and fall away. */
function dots(picture, holds) {
  const isSolid = (x, y) => [[0, 0], [1, 0], [-1, 0], [0, 1], [0, -1], [2, 0], [-2, 0], [0, 2], [0, -2]].every(
    ([dx, dy]) => holds(picture.at(x + dx, y + dy)),
  );
  return picture.blobs(DRAWING, (_, x, y) => isSolid(x, y)).map(({ x, y }) => ({ x, y }));
}

/** Returns the middle of all that is blue; a line may cross it. */
function blueDot(picture) {
  const parts = picture.blobs(DRAWING, isBlue);
  const size = parts.reduce((sum, part) => sum + part.size, 0);
  if (size === 0) throw new Stuck("no blue point");
  const mean = (axis) => parts.reduce((sum, part) => sum + part[axis] * part.size, 0) / size;
  return { x: mean("x"), y: mean("y") };
}

/** Clicks so that the page's mark comes to stand at a point. */
async function pointAt(page, { x, y }) {
  await page.clickAt({ x: Math.round(x - OFFSET_PX), y: Math.round(y - OFFSET_PX) }, "drawing");
  await page.button("Submit");
}

/** The button may cover the lower part of the circle; its top and its width tell where it is. */
async function circleCenter(page) {
  const [button] = await page.find({ role: "button" });
  const picture = await page.picture();
  const open = { ...DRAWING, height: Math.floor(button.box[1]) - DRAWING.y - 1 };
  const [circle] = picture.blobs(open, (color) => distance(color, [255, 255, 255]) > 30);
  if (circle === undefined) throw new Stuck("no circle");
  const { x, y, width } = circle.box;
  await pointAt(page, { x: x + width / 2, y: y + width / 2 });
}

async function midpoint(page) {
  const [a, b] = dots(await page.picture(), isBlack);
  if (b === undefined) throw new Stuck("not two points");
  await pointAt(page, { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 });
}

/** The point that is furthest from the edges on one side or the other of the line. */
async function rightAngle(page) {
  const picture = await page.picture();
  const [[black], vertex] = [dots(picture, isBlack), blueDot(picture)];
  const length = Math.hypot(black.x - vertex.x, black.y - vertex.y);
  const [dx, dy] = [-(black.y - vertex.y) / length, (black.x - vertex.x) / length];
  await pointAt(page, furthest(vertex, [[dx, dy], [-dx, -dy]]));
}

async function bisect(page) {
  const picture = await page.picture();
  const [[a, b], vertex] = [dots(picture, isBlack), blueDot(picture)];
  const unit = (point) => {
    const length = Math.hypot(point.x - vertex.x, point.y - vertex.y);
    return [(point.x - vertex.x) / length, (point.y - vertex.y) / length];
  };
  const [[ax, ay], [bx, by]] = [unit(a), unit(b)];
  const length = Math.hypot(ax + bx, ay + by);
  await pointAt(page, furthest(vertex, [[(ax + bx) / length, (ay + by) / length]]));
}

/** Returns the point of the drawing that lies furthest from another in one of some directions. */
function furthest(from, directions) {
  const isIn = ({ x, y }) => x > DRAWING.x + 5 && x < DRAWING.x + 143 && y > DRAWING.y + 5 && y < DRAWING.y + 118;
  let best = from;
  for (const [dx, dy] of directions) {
    let far = 0;
    const at = (length) => ({ x: from.x + dx * length, y: from.y + dy * length });
    while (isIn(at(far + 1))) far += 1;
    if (Math.hypot(at(far).x - from.x, at(far).y - from.y) > Math.hypot(best.x - from.x, best.y - from.y)) best = at(far);
  }
  return best;
}

async function line(page) {
  const isVertical = (await page.instruction()).includes("vertical");
  const picture = await page.picture();
  const [dot] = picture.blobs({ x: 4, y: 54, width: 146, height: 106 }, ([red, green, blue]) => red > 90 && blue > 90 && green < 60, { least: 10 });
  if (dot === undefined) throw new Stuck("no point");
  const [x, y] = [Math.round(dot.x), Math.round(dot.y)];
  const from = isVertical ? { x, y: Math.max(y - 35, 56) } : { x: Math.max(x - 40, 6), y };
  const to = isVertical ? { x, y: Math.min(y + 35, 158) } : { x: Math.min(x + 40, 146), y };
  await page.dragAt(from, to, "drawing");
  await page.button("Submit");
}

/** The numbers are covered once the first was clicked; where they stood is remembered. */
async function ascending(page) {
  const places = [];
  for (const number of ["1", "2", "3", "4", "5"]) {
    const [found] = await page.found(number);
    if (found === undefined) throw new Stuck(`no ${number}`);
    const [x, y, width, height] = found.box;
    places.push({ x: Math.round(x + width / 2), y: Math.round(y + height / 2) });
  }
  for (const [at, point] of places.entries()) {
    await page.picture();
    await page.clickAt(point, `number ${at + 1}`);
  }
}

/** The round button in the middle unfolds the menu; its items are texts of the drawing. */
async function pie(page) {
  const [item] = quoted(await page.instruction());
  await page.picture();
  await page.clickAt({ x: 80, y: 130 }, "menu");
  await page.still();
  const [found] = await page.found(item);
  if (found === undefined) throw new Stuck(`no item ${item}`);
  const [x, y, width, height] = found.box;
  await page.picture();
  await page.clickAt({ x: Math.round(x + width / 2), y: Math.round(y + height / 2) }, item);
}

export const solutions = {
  "circle-center": circleCenter,
  "find-midpoint": midpoint,
  "right-angle": rightAngle,
  "bisect-angle": bisect,
  "draw-line": line,
  "ascending-numbers": ascending,
  "click-pie": pie,
  "click-pie-nodelay": pie,
};
