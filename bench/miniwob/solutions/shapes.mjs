// Tasks on a drawing of shapes, letters and digits: what has a text is found by it, the rest is seen.

import { Stuck } from "../episode.mjs";
import { distance } from "../picture.mjs";
import { DRAWN, NAMED } from "./colors.mjs";
import { shapes } from "./dragging.mjs";
import { read } from "./reading.mjs";

const GLYPHS = [..."abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ1234567890"];
/** Large things are twenty pixels wide, small ones ten. */
const LARGE_PX = 14;

/**
 * @typedef {{name: string, type: "shape" | "letter" | "digit", color: string, size: "large" | "small", x: number, y: number}} Thing
 */

/** Returns everything that is drawn. @returns {Promise<Thing[]>} */
async function things(page, within) {
  const glyphs = await texts(page, within);
  const picture = await page.picture();
  const drawn = glyphs.map(({ glyph, box: [x, y, width, height] }) => ({
    name: glyph,
    type: /\d/.test(glyph) ? "digit" : "letter",
    color: inkIn(picture, { x, y, width, height }),
    size: height > LARGE_PX + 3 ? "large" : "small",
    x: x + width / 2,
    y: y + height / 2,
  }));
  const isNear = (a, b) => Math.abs(a - b) < 9;
  const isGlyph = ({ box }) =>
    drawn.some((each) => isNear(each.x, box.x + box.width / 2) && isNear(each.y, box.y + box.height / 2));
  const plain = shapes(picture, within).filter((each) => each.kind !== "frame" && !isGlyph(each));
  return [
    ...drawn,
    ...plain.map(({ color, box, kind }) => ({
      name: kind.slice(0, -1),
      type: "shape",
      color,
      size: box.width > LARGE_PX ? "large" : "small",
      x: box.x + box.width / 2,
      // Below the middle a triangle is surely inside of its box.
      y: box.y + box.height * 0.6,
    })),
  ];
}

async function texts(page, within) {
  const found = [];
  for (const glyph of GLYPHS) {
    for (const { box } of await page.found(glyph)) {
      if (box[1] >= within.y && box[1] < within.y + within.height) found.push({ glyph, box });
    }
  }
  return found;
}

/** Returns the color that most of a box is drawn in. */
function inkIn(picture, box) {
  const count = (name) => {
    let pixels = 0;
    for (let y = Math.floor(box.y); y < box.y + box.height; y++) {
      for (let x = Math.floor(box.x); x < box.x + box.width; x++) {
        if (distance(picture.at(x, y), NAMED[name]) < 60) pixels += 1;
      }
    }
    return pixels;
  };
  return DRAWN.map((name) => ({ name, pixels: count(name) })).sort((a, b) => b.pixels - a.pixels)[0].name;
}

/** Whether a thing is what some words say, such as `large red letter`. */
function fits(thing, words) {
  return words.every(
    (word) => word === "item" || [thing.name, thing.type, thing.color, thing.size].includes(word),
  );
}

const DRAWING = { x: 2, y: 52, width: 156, height: 150 };

async function clickOne(page) {
  const words = read(await page.instruction(), /Click on an? (.*)$/).split(" ");
  const thing = (await things(page, DRAWING)).find((each) => fits(each, words));
  if (thing === undefined) throw new Stuck(`no ${words.join(" ")}`);
  await page.clickAt({ x: Math.round(thing.x), y: Math.round(thing.y) }, words.join(" "));
}

async function count(page) {
  const words = read(await page.instruction(), /How many (.*)s are there/).split(" ");
  const found = (await things(page, { ...DRAWING, height: 124 })).filter((each) => fits(each, words));
  await page.button(String(found.length));
}

async function identify(page) {
  const [thing] = await things(page, { ...DRAWING, height: 70 });
  if (thing === undefined) throw new Stuck("nothing is drawn");
  const names = { letter: "Letter", digit: "Number" };
  await page.button(names[thing.type] ?? thing.name[0].toUpperCase() + thing.name.slice(1));
}

export const solutions = {
  "click-shape": clickOne,
  "count-shape": count,
  "identify-shape": identify,
};
