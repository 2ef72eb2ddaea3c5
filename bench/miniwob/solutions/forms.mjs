// Tasks that take a form with feedback: numbers, agreements, spinners, autocompletion.

import { Stuck } from "../episode.mjs";
import { all, clickable, minutes, quoted, read } from "./reading.mjs";

const submit = (page) => page.button("Submit");

async function spinner(page) {
  const wanted = read(await page.instruction(), /Select (-?\d+) with/);
  await page.fill(page.the(await page.area(), "spinbutton"), wanted);
  await submit(page);
}

/** Halves the numbers that are left by what the page says of each guess. */
async function guess(page) {
  let [low, high] = [0, 9];
  while (low <= high) {
    const middle = Math.floor((low + high) / 2);
    await page.fill(page.the(await page.area(), "spinbutton"), String(middle));
    await submit(page);
    const feedback = await page.text("#feedback");
    if (feedback.includes("higher")) low = middle + 1;
    else if (feedback.includes("lower")) high = middle - 1;
    else return;
  }
}

async function generate(page) {
  const instruction = await page.instruction();
  const bound = Number(instruction.match(/than (\d+)/)?.[1]);
  const holds = (number) => {
    if (instruction.includes("less")) return number < bound;
    if (instruction.includes("greater")) return number > bound;
    return (Math.abs(number) % 2 === 1) === instruction.includes("odd");
  };
  for (let left = 100; left > 0; left--) {
    await page.button("Generate");
    if (holds(Number(await page.text("#display-number")))) return submit(page);
  }
  throw new Stuck("no number held");
}

/** What is offered is chosen; what is not offered cannot be right. */
async function autocomplete(page) {
  const [start, end = ""] = quoted(await page.instruction());
  await page.type(page.the(await page.area(), "textbox"), start);
  await page.still();
  const seen = await page.look();
  const at = seen.findIndex((node) => node.role === "list");
  const offered = seen.slice(at).find((node) => node.name.startsWith(start) && node.name.endsWith(end));
  if (at === -1 || offered === undefined) throw new Stuck(`nothing offered: ${page.outline}`);
  await page.click(clickable(seen.slice(at), offered.name));
  await submit(page);
}

async function agreement(page) {
  const instruction = await page.instruction();
  if (/Click the cancel/.test(instruction)) return page.button("Cancel");
  const [name, button] = quoted(instruction);
  const [terms] = all(await page.area(), "textbox");
  for (let left = 60; left > 0; left--) {
    const outcome = await page.scroll(terms, "down", 1);
    if (outcome.status !== "OBSERVED") break;
  }
  await page.fill({ role: "textbox", name: "Name" }, name);
  await page.button(button);
}

/** Takes up every card, as only the one that is up can be read, and takes the greatest again. */
async function greatest(page) {
  const cards = async () => (await page.area()).filter((node) => /^\d+$/.test(node.name));
  const found = await cards();
  let best = { at: -1, value: -1 };
  for (const at of found.keys()) {
    await page.click(found[at]);
    const value = Number((await cards())[at].name);
    if (value > best.value) best = { at, value };
  }
  if (best.at !== found.length - 1) await page.click(found[best.at]);
  await submit(page);
}

async function ticket(page) {
  const wanted = read(await page.instruction(), /with the (.*)\./);
  const seen = await page.area();
  const tickets = all(seen, "button").map((button) => ({
    button,
    price: Number(button.name.match(/\$(\d+)/)?.[1]),
    minutes: minutes(seen[seen.indexOf(button) - 1].name),
  }));
  const by = wanted.includes("duration") ? "minutes" : "price";
  const sign = /longest|most/.test(wanted) ? -1 : 1;
  tickets.sort((a, b) => sign * (a[by] - b[by]));
  await page.click(tickets[0].button);
}

export const solutions = {
  "use-spinner": spinner,
  "guess-number": guess,
  "generate-number": generate,
  "use-autocomplete": autocomplete,
  "use-autocomplete-nodelay": autocomplete,
  "sign-agreement": agreement,
  "find-greatest": greatest,
  "buy-ticket": ticket,
};
