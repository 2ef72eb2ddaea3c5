// Tasks in lists, trees and pages of results.

import { Stuck } from "../episode.mjs";
import { place, quoted, read } from "./reading.mjs";

/** Opens the folders, which have a mark before their name, until the name is there. */
async function tree(page) {
  const [name] = quoted(await page.instruction());
  const opened = new Set();
  for (let left = 20; left > 0; left--) {
    const [found] = (await page.found(name)).filter((match) => match.subject.tag === "span");
    if (found !== undefined) return page.click(found.ref);
    const marks = await page.parts(({ tag, width, height }) => tag === "div" && width === 16 && height === 16);
    const mark = marks.find((each) => !opened.has(each.ref));
    if (mark === undefined) break;
    opened.add(mark.ref);
    await page.click(mark);
    await page.still();
  }
  throw new Stuck(`no ${name}`);
}

async function phoneBook(page) {
  const instruction = await page.instruction();
  const name = read(instruction, /Find (.*) in the contact/);
  const what = read(instruction, /click on their (.*)\./);
  for (let left = 10; left > 0; left--) {
    const seen = await page.area();
    if (seen.some((node) => node.role === "heading" && node.name === name)) {
      const label = seen.findIndex((node) => what.toLowerCase().startsWith(node.name.toLowerCase().replace(":", "")) && node.name !== "");
      return page.click(seen.slice(label).find((node) => node.ref !== null));
    }
    await page.click(seen.find((node) => node.role === "link" && node.name === ">"));
  }
  throw new Stuck(`no ${name}`);
}

async function search(page) {
  const instruction = await page.instruction();
  const at = place(instruction);
  await page.fill(page.the(await page.area(), "textbox"), quoted(instruction)[0]);
  await page.button("Search");
  const number = Math.floor(at / 3) + 1;
  if (number > 1) await page.click(page.the(await page.area(), "link", String(number)));
  const results = (await page.look({ within: "#page-content" })).filter((node) => node.role === "link");
  await page.click(results[at % 3]);
}

export const solutions = {
  "navigate-tree": tree,
  "phone-book": phoneBook,
  "search-engine": search,
};
