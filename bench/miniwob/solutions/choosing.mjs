// Tasks that are done by checking boxes, choosing options and moving sliders.

import { Stuck } from "../episode.mjs";
import { all, place, quoted, read } from "./reading.mjs";

const submit = (page) => page.button("Submit");

async function boxes(page) {
  const list = read(await page.instruction(), /^Select (.*) and click Submit/);
  const names = list === "nothing" ? [] : list.split(", ");
  const seen = await page.area();
  for (const name of names) await page.check(page.the(seen, "checkbox", name));
  await submit(page);
}

/** Words that mean nearly the same, a group a line; a group may be named by any of its words. */
const ALIKE = [
  "big large huge enormous gigantic", "small tiny little mini petite", "red scarlet crimson vermillion",
  "happy cheerful joyful gleeful delighted", "sad unhappy sorrowful miserable tragic",
  "angry mad furious irritated", "evil wicked immoral sinful corrupt depraved",
  "wrong incorrect mistaken erroneous", "real genuine actual", "strange odd peculiar unusual weird",
  "stop cease halt end finish", "scared terrified panicked fearful frightened afraid",
  "quiet calm peaceful serene mild", "old aged archaic", "love like adore favor",
  "kill murder assassinate", "keep retain preserve sustain maintain", "hide conceal camouflage",
  "hate despise loathe detest dislike", "funny humorous amusing comical laughable",
  "fat fleshy plump chubby", "stupid dumb dull unwise", "delicious savory delectable appetizing",
  "cut slice carve chop", "brave courageous fearless", "begin start initiate launch",
  "answer reply response", "television televisions TV TVs", "house home houses homes",
  "fire flame fires flames", "pig pork swine", "rabbit rabbits bunny bunnies",
  "car cars automobile automobiles vehicle vehicles", "water",
].map((line) => line.split(" "));

async function alike(page) {
  const asked = read(await page.instruction(), /similar to (.*) and click/).split(", ");
  const seen = await page.area();
  for (const box of all(seen, "checkbox")) {
    const group = ALIKE.find((words) => words.includes(box.name)) ?? [box.name];
    if (asked.some((word) => group.includes(word))) await page.check(box);
  }
  await submit(page);
}

async function option(page) {
  const name = read(await page.instruction(), /^Select (.*) and click Submit/);
  await page.check(page.the(await page.area(), "radio", name));
  await submit(page);
}

async function list(page) {
  const name = read(await page.instruction(), /^Select (.*) from the list and click Submit/);
  await page.select(page.the(await page.area(), "combobox"), name);
  await submit(page);
}

async function scrollList(page) {
  const names = read(await page.instruction(), /^Select (.*) from the scroll list/).split(", ");
  await page.select(page.the(await page.area(), "listbox"), ...names);
  await submit(page);
}

async function oddOrEven(page) {
  const seen = await page.area();
  const numbers = seen.filter((node) => /^-?\d+$/.test(node.name));
  for (const node of numbers) {
    const at = seen.indexOf(node);
    const isOdd = Math.abs(Number(node.name)) % 2 === 1;
    const button = isOdd
      ? seen.slice(0, at).findLast((each) => each.name === "Odd")
      : seen.slice(at).find((each) => each.name === "Even");
    await page.click(button);
  }
  await submit(page);
}

/** Moves a slider by its keys; the number that tells where it stands is read again each time. */
export async function slide(page, handle, wanted, standing) {
  if (handle === undefined) throw new Stuck(`no slider in\n${page.outline}`);
  for (let left = 400; left > 0; left--) {
    const now = await standing();
    if (now === wanted) return;
    await page.press(now < wanted ? "ArrowRight" : "ArrowLeft", handle);
  }
  throw new Stuck(`the slider does not come to ${wanted}`);
}

/** The handles of the page's sliders: they take the focus and the keys, and have no role. */
const handles = (page) =>
  page.parts(({ tag, width, height }) => tag === "span" && Math.abs(width - height) < 1 && width > 10 && width < 24);

async function slider(page) {
  const wanted = Number(read(await page.instruction(), /Select (-?\d+) with/));
  const [handle] = await handles(page);
  await slide(page, handle, wanted, async () => Number(await page.text("#val")));
  await submit(page);
}

async function sliders(page) {
  const wanted = JSON.parse(read(await page.instruction(), /combination (\[.*\])/));
  const found = await handles(page);
  for (const [at, value] of wanted.entries()) {
    await slide(page, found[at], value, async () => Number(await page.text(`#val-${at + 1}`)));
  }
  await submit(page);
}

async function sequence(page) {
  const instruction = await page.instruction();
  const wanted = Number(read(instruction, /Select (-?\d+) with/));
  const [handle] = await handles(page);
  const seen = await page.area();
  await slide(page, handle, wanted, async () => Number(await page.text("#val")));
  await page.check(all(seen, "checkbox")[place(instruction)]);
  await submit(page);
}

async function sequence2(page) {
  const instruction = await page.instruction();
  const [, radio, text] = instruction.match(/the (\d\w\w) radio .* the (\d\w\w) textbox/) ?? [];
  const seen = await page.area();
  await page.check(all(seen, "radio")[place(radio)]);
  await page.fill(all(seen, "textbox")[place(text)], quoted(instruction)[0]);
  await submit(page);
}

/** The list is opened, and the option clicked, as it is shown. */
async function sequence3(page) {
  const instruction = await page.instruction();
  const wanted = read(instruction, /Choose (.*) from the dropdown/);
  const seen = await page.area();
  await page.click(seen.find((node) => node.words.includes("clickable")));
  await page.still();
  await page.clickText(wanted);
  await page.button(quoted(instruction)[0]);
}

export const solutions = {
  "click-checkboxes": boxes,
  "click-checkboxes-large": boxes,
  "click-checkboxes-transfer": boxes,
  "click-checkboxes-soft": alike,
  "click-option": option,
  "choose-list": list,
  "click-scroll-list": scrollList,
  "odd-or-even": oddOrEven,
  "use-slider": slider,
  "use-slider-2": sliders,
  "form-sequence": sequence,
  "form-sequence-2": sequence2,
  "form-sequence-3": sequence3,
};
