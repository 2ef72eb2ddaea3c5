// Tasks that are small sites: a menu to order from, a terminal, an editor, a market, a calendar.

import { Stuck } from "../episode.mjs";
import { pause } from "../../lib/processes.mjs";
import { distance } from "../picture.mjs";
import { pick } from "./dates.mjs";
import { all, minutes, read } from "./reading.mjs";

const submit = (page) => page.button("Submit");

/** The n-th `+` of the page belongs to the n-th dish. */
async function order(page) {
  const instruction = await page.instruction();
  const dishes = menu(await page.area());
  const names = instruction.match(/each item: (.*)$/)?.[1].split(", ");
  const [, count, kind] = instruction.match(/Order (\d+) items that are (.*)$/) ?? [];
  const plus = await page.found("+");
  const add = async (at) => page.click(plus[at].ref);
  if (names !== undefined) {
    for (const name of names) await add(dishes.findIndex((dish) => dish.name === name.trim()));
  } else {
    const at = dishes.findIndex((dish) => dish.kinds.includes(kind));
    for (let left = Number(count); left > 0; left--) await add(at);
  }
  await page.button("Order!");
}

function menu(seen) {
  const dishes = [];
  for (const node of seen.slice(1)) {
    if (node.role === "text" && /[a-z]/.test(node.name)) dishes.push({ name: node.name, kinds: [] });
    if (node.role === "img") dishes.at(-1)?.kinds.push(node.name);
  }
  return dishes;
}

async function terminal(page) {
  const instruction = await page.instruction();
  const ending = instruction.match(/extension (\.\S+)/)?.[1];
  const enter = async (command) => {
    await page.type(null, command);
    await page.press("Enter");
  };
  await page.clickText("terminal");
  await enter("ls");
  const lines = (await page.area()).map((node) => node.name);
  const files = lines[lines.findLastIndex((line) => /user\$ ls/.test(line)) + 1].split(" ");
  const file = files.find((name) => (ending === undefined ? !name.includes(".") : name.endsWith(ending)));
  if (file === undefined) throw new Stuck(`no file for ${ending} among ${files}`);
  await enter(`rm ${file}`);
}

/** Buys once the price is so far below that the next tick cannot lift it over. */
async function market(page) {
  const most = Number(read(await page.instruction(), /less than \$([\d.]+\d)/));
  const [button] = all(await page.area(), "button");
  const began = performance.now();
  for (let left = 600; left > 0; left--) {
    const price = Number(read(await page.text("#stock-price"), /\$([\d.]+)/));
    const seconds = (performance.now() - began) / 1_000;
    const margin = seconds < 5 ? 1.5 : seconds < 7 ? 0.8 : 0;
    if (price <= most - margin) return page.click(button);
    await pause(20);
  }
  throw new Stuck("never cheap enough");
}

const STYLES = { bold: 0, italics: 1, underlined: 2 };
const INKS = {
  red: [230, 0, 0], orange: [255, 153, 0], yellow: [255, 255, 0], green: [0, 138, 0], blue: [0, 102, 204],
  purple: [153, 51, 255],
};

async function editor(page) {
  const instruction = await page.instruction();
  const word = instruction.match(/give the text (.*) the (?:style|color)/)?.[1].trim();
  const style = instruction.match(/the style (\w+)/)?.[1];
  const seen = await page.area();
  const field = seen.find((node) => node.role === "textbox" && node.value !== null);
  await page.click(field);
  if (word === undefined) await page.press("ctrl+a");
  else await selectWord(page, field.value, word);
  if (style !== undefined) await page.click(all(seen, "button")[STYLES[style]]);
  else await ink(page, read(instruction, /color (\w+)/));
  await submit(page);
}

async function selectWord(page, text, word) {
  await page.press("ctrl+Home");
  for (let left = text.indexOf(word); left > 0; left--) await page.press("ArrowRight");
  for (let left = word.length; left > 0; left--) await page.press("shift+ArrowRight");
}

async function ink(page, name) {
  const [picker] = (await page.area()).filter((node) => node.words.includes("clickable"));
  await page.click(picker);
  await page.still();
  const cells = await page.parts(({ tag, width, height }) => tag === "span" && width >= 14 && width <= 18 && height >= 14 && height <= 18);
  const picture = await page.picture();
  const far = ({ x, y, width, height }) => distance(picture.at(x + width / 2, y + height / 2), INKS[name]);
  cells.sort((a, b) => far(a) - far(b));
  if (cells.length === 0) throw new Stuck("no colors to choose from");
  await page.click(cells[0]);
}

async function highlight(page) {
  const instruction = await page.instruction();
  const at = /\d/.test(instruction) ? Number(read(instruction, /(\d)(?:st|nd|rd|th)/)) - 1 : 0;
  const seen = await page.look({ within: "#randomText" });
  const [paragraph] = await page.found(seen.slice(1).filter((node) => node.role === "text")[at].name);
  const [x, y, width, height] = paragraph.box;
  await page.picture();
  await page.dragAt({ x: x + 0.5, y: y + 4 }, { x: x + width - 1, y: y + height - 2 }, "text");
  await submit(page);
}

async function resize(page) {
  const instruction = await page.instruction();
  const grows = instruction.includes("larger") ? 1 : -1;
  const [field] = await page.find({ role: "textbox" });
  const [x, y, width, height] = field.box;
  await page.picture();
  const corner = { x: Math.round(x + width - 4), y: Math.round(y + height - 4) };
  await page.dragAt(corner, { x: corner.x + 15 * grows, y: corner.y + 15 * grows }, "corner");
  await submit(page);
}

/** Types the beginning of an airport and takes what is offered for it, by the keys. */
async function airport(page, field, wanted) {
  await page.type(field, wanted);
  await page.still();
  const seen = await page.look();
  const offered = seen.filter((node, at) => node.role === "text" && seen[at - 1]?.role === "listitem");
  const isIt = ({ name }) => name.includes(`(${wanted})`) || name.startsWith(wanted);
  const at = offered.findIndex(isIt);
  if (at === -1) throw new Stuck(`no airport ${wanted} in\n${page.outline}`);
  for (let left = at + 1; left > 0; left--) await page.press("ArrowDown", field);
  await page.press("Enter", field);
}

async function flight(page) {
  const instruction = await page.instruction();
  const [, wanted, from, to, date] =
    instruction.match(/the (\w+) one-way flight from: (.*) to: (.*) on (\d+\/\d+\/\d+)/) ?? [];
  const fields = () => page.area().then((seen) => all(seen, "textbox"));
  await airport(page, (await fields())[0], from);
  await airport(page, (await fields())[1], to);
  await page.click((await fields())[2]);
  await page.still();
  await pick(page, date);
  await page.still();
  await page.button("Search");
  const seen = await page.area();
  const flights = all(seen, "button").filter(({ name }) => name.includes("$")).map((button) => ({
    button,
    price: Number(button.name.match(/\$(\d+)/)?.[1]),
    minutes: minutes(seen[seen.indexOf(button) - 1].name),
  }));
  if (flights.length === 0) throw new Stuck(`no flights in\n${page.outline}`);
  const by = wanted === "cheapest" ? "price" : "minutes";
  flights.sort((a, b) => a[by] - b[by]);
  await page.click(flights[0].button);
}

export const solutions = {
  "order-food": order,
  terminal,
  "stock-market": market,
  "text-editor": editor,
  "highlight-text": highlight,
  "highlight-text-2": highlight,
  "resize-textarea": resize,
  "book-flight": flight,
  "book-flight-nodelay": flight,
};
