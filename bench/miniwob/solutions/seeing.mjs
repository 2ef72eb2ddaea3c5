// Tasks whose answer is seen, not read: colors, counts, icons, points of a grid.

import { Stuck } from "../episode.mjs";
import { distance, hsl } from "../picture.mjs";
import { NAMED } from "./colors.mjs";
import { quoted, read } from "./reading.mjs";

/** Where the instruction stands. */
const QUERY = { x: 0, y: 0, width: 160, height: 50 };

const centre = ({ x, y, width, height }) => [x + width / 2, y + height / 2];

/** Returns the color of the box in the instruction: what lies in a black frame on the yellow ground. */
async function askedColor(page, picture) {
  const boxes = (await page.find({ role: "generic" })).filter(
    ({ box: [x, y, width, height] }) => y < QUERY.height && x < QUERY.width && width === height && width >= 10 && width < 60,
  );
  if (boxes.length === 0) throw new Stuck("no box in the instruction");
  const [x, y, width, height] = boxes[0].box;
  return picture.at(x + width / 2, Math.min(y + height / 2, QUERY.height - 3));
}

async function color(page) {
  const name = (await page.instruction()).match(/Click on the (\w+) colored/)?.[1];
  const boxes = await page.parts(({ tag, width, height }) => tag === "div" && width === 52 && height === 52);
  const picture = await page.picture();
  const wanted = name === undefined ? await askedColor(page, picture) : NAMED[name];
  const far = (box) => distance(picture.at(...centre(box)), wanted);
  boxes.sort((a, b) => far(a) - far(b));
  await page.click(boxes[0]);
}

async function shades(page) {
  const hue = { red: 0, green: 120, blue: 240 }[read(await page.instruction(), /shades of (\w+)/)];
  const boxes = await page.parts(({ tag, width, height }) => tag === "span" && width === 12 && height === 12);
  const picture = await page.picture();
  for (const box of boxes) {
    const turned = Math.abs(hsl(picture.at(...centre(box))).hue - hue);
    if (Math.min(turned, 360 - turned) < 60) await page.click(box);
  }
  await page.button("Submit");
}

const hex = (rgb) => rgb.map((part) => part.toString(16).padStart(2, "0")).join("").toUpperCase();

async function wheel(page) {
  const name = read(await page.instruction(), /Select (\w+) with/);
  await fillColor(page, NAMED[name]);
}

async function wheel2(page) {
  await fillColor(page, await askedColor(page, await page.picture()));
}

async function fillColor(page, rgb) {
  await page.fill(page.the(await page.area(), "textbox"), hex(rgb));
  await page.button("Submit");
}

async function addition(page) {
  const blocks = await page.parts(({ tag, width, height }) => tag === "span" && width === 12 && height === 12);
  await page.fill(page.the(await page.area(), "textbox"), String(blocks.length));
  await page.button("Submit");
}

/** How many corners a drawn polygon has: which wave its outline follows as one goes around it. */
async function sides(page) {
  const picture = await page.picture();
  const [canvas] = await page.find({ role: "canvas" }).then((found) => found.filter(({ box }) => box[0] < 160));
  const [x, y, width, height] = canvas?.box ?? [2, 52, 150, 100];
  const within = { x: Math.ceil(x), y: Math.ceil(y), width, height };
  const [outline] = picture.blobs(within, (each) => distance(each, [255, 255, 255]) > 300);
  const radii = new Map();
  const [cx, cy] = [x + 75, y + 50];
  for (const [px, py] of outline.pixels) {
    const turn = Math.round(((Math.atan2(py - cy, px - cx) / Math.PI) * 180 + 360) % 360);
    radii.set(turn, Math.max(radii.get(turn) ?? 0, Math.hypot(px - cx, py - cy)));
  }
  const mean = [...radii.values()].reduce((sum, each) => sum + each, 0) / radii.size;
  const strength = (count) => {
    let [real, imaginary] = [0, 0];
    for (const [turn, length] of radii) {
      const radius = length - mean;
      real += radius * Math.cos((turn * count * Math.PI) / 180);
      imaginary += radius * Math.sin((turn * count * Math.PI) / 180);
    }
    return Math.hypot(real, imaginary);
  };
  const counts = [3, 4, 5, 6, 7].sort((a, b) => strength(b) - strength(a));
  await page.button(String(counts[0]));
}

async function coordinate(page) {
  const [, column, row] = (await page.instruction()).match(/\((-?\d),(-?\d)\)/) ?? [];
  const picture = await page.picture();
  const within = { x: 2, y: 52, width: 156, height: 152 };
  const dots = picture.blobs(within, ([red, , blue]) => blue > 180 && red < 90, { least: 20 });
  if (dots.length !== 25) throw new Stuck(`${dots.length} points`);
  const sorted = (axis) => dots.map((dot) => dot[axis]).sort((a, b) => a - b);
  const x = sorted("x")[(Number(column) + 2) * 5 + 2];
  const y = sorted("y")[(2 - Number(row)) * 5 + 2];
  await page.clickAt({ x: Math.round(x), y: Math.round(y) }, "point");
}

/** Items of the menu, or of the menu in it; an item that is named by its icon is looked for by it. */
async function iconMenu(page) {
  const [, name] = quoted(await page.instruction());
  await page.button("Menu");
  const own = (await page.find({ role: "generic" })).find(
    ({ subject, box }) => subject.tag === "span" && box[1] < QUERY.height && box[2] === 16 && box[3] === 16,
  );
  for (const opening of [undefined, "Playback"]) {
    if (opening !== undefined) {
      await page.hover(page.the(await page.area(), "menuitem", opening));
      await page.still();
    }
    const item = name === undefined ? await byIcon(page, own) : await byName(page, name);
    if (item !== undefined) return page.click(item);
  }
  throw new Stuck(`no item ${name ?? "with the icon"}`);
}

async function byName(page, name) {
  return (await page.area()).find((node) => node.role === "menuitem" && node.name === name);
}

async function byIcon(page, own) {
  const icons = await page.parts(({ tag, width, height }) => tag === "span" && width === 16 && height === 16);
  const picture = await page.picture();
  const ink = (x, y) => hsl(picture.at(x, y)).lightness < 0.45;
  const differ = (icon) => {
    let count = 0;
    for (let dy = 0; dy < 16; dy++) {
      for (let dx = 0; dx < 16; dx++) {
        const [a, b] = [ink(own.box[0] + dx, own.box[1] + dy), ink(Math.round(icon.x) + dx, Math.round(icon.y) + dy)];
        if (a !== b) count += 1;
      }
    }
    return count;
  };
  const [best] = icons.map((icon) => ({ icon, count: differ(icon) })).sort((a, b) => a.count - b.count);
  return best !== undefined && best.count < 20 ? best.icon : undefined;
}

/** Every hover tells how near it was; what is left that fits all of it is looked at next. */
async function hotCold(page) {
  const [area] = await page.parts(({ width, height }) => width > 150 && width < 158 && height > 120 && height < 130);
  let left = [];
  for (let x = 5; x < 155; x++) for (let y = 55; y < 170; y++) left.push([x, y]);
  const reach = { HOT: [0, 5], WARM: [5, 10], COLD: [10, 40], "ICE COLD": [40, 999] };
  const inside = ([x, y]) => x > area.x + 1 && x < area.x + area.width - 1 && y > area.y + 1 && y < area.y + area.height - 1;
  for (let turn = 40; turn > 0 && left.length > 0; turn--) {
    const open = left.filter(inside);
    const next = open[Math.floor(page.random() * open.length)];
    await page.picture();
    await page.hover({ x: next[0], y: next[1], label: "area" });
    const said = await page.text("#display");
    if (said === "HOT") {
      await page.picture();
      return page.clickAt({ x: next[0], y: next[1] }, "area");
    }
    const [from, to] = reach[said] ?? [0, 999];
    left = left.filter(([x, y]) => {
      const far = Math.hypot(x - next[0], y - next[1]);
      return far >= from - 1 && far < to + 1;
    });
  }
  throw new Stuck("nowhere hot");
}

/** The example is a picture of the boxes: 4 columns, 7 rows, the light ones checked. */
async function numberBoxes(page) {
  const boxes = (await page.find({ role: "checkbox" })).sort((a, b) => a.box[1] - b.box[1] || a.box[0] - b.box[0]);
  const picture = await page.picture();
  const beside = { x: 80, y: 52, width: 79, height: 124 };
  const [frame] = picture.blobs(beside, (each) => hsl(each).lightness < 0.25);
  if (frame === undefined) throw new Stuck("no example");
  const [cellWidth, cellHeight] = [(frame.box.width - 5) / 4, (frame.box.height - 6) / 7];
  for (const [at, { ref }] of boxes.entries()) {
    const x = frame.box.x + 2 + cellWidth * ((at % 4) + 0.5);
    const y = frame.box.y + 3 + cellHeight * (Math.floor(at / 4) + 0.5);
    if (hsl(picture.at(x, y)).lightness > 0.8) await page.check(ref);
  }
  await page.button("Submit");
}

export const solutions = {
  "click-color": color,
  "click-shades": shades,
  "use-colorwheel": wheel,
  "use-colorwheel-2": wheel2,
  "visual-addition": addition,
  "count-sides": sides,
  "grid-coordinate": coordinate,
  "click-menu-2": iconMenu,
  "hot-cold": hotCold,
  "number-checkboxes": numberBoxes,
};
