// Tasks that are done by clicking what the instruction names.

import { Stuck } from "../episode.mjs";
import { pause } from "../../lib/processes.mjs";
import { all, clickable, quoted, read } from "./reading.mjs";

async function namedButton(page) {
  const name = read(await page.instruction(), /button (\w+)\./);
  await page.button(name);
}

async function quotedButton(page) {
  const [name] = quoted(await page.instruction());
  await page.click(page.the(await page.area(), "button", name));
}

/** The link may be in any of the sections or tabs: opens one after the other until it is there. */
async function linkBehind(page, role) {
  const [name] = quoted(await page.instruction());
  const isThere = (seen) => seen.find((node) => node.words.includes("clickable") && node.name === name);
  let seen = await page.area();
  const names = all(seen, role).map((node) => node.name);
  for (const each of ["", ...names]) {
    if (each !== "") {
      const opener = page.the(await page.area(), role, each);
      if (!opener.words.includes("expanded")) await page.click(opener);
    }
    await page.still();
    seen = await page.area();
    const link = isThere(seen);
    if (link !== undefined) return page.click(link);
  }
  throw new Stuck(`no link ${name}`);
}

async function dialogButton(page) {
  const name = read(await page.instruction(), /"(.+)"/);
  await page.click(page.the(await page.look(), "button", name === "x" ? "Close" : name));
}

async function collapsible(page) {
  const seen = await page.area();
  await page.click(page.the(seen, "tab", /^Section/));
  await page.click(page.the(await page.area(), "button", "Submit"));
}

const WIDGETS = {
  text: (found) => found.subject.tag === "input" && found.subject.role === "textbox",
  textarea: (found) => found.subject.tag === "textarea",
  button: (found) => found.subject.role === "button",
  radio: (found) => found.subject.role === "radio",
  checkbox: (found) => found.subject.role === "checkbox",
};

async function widget(page) {
  const [kind] = quoted(await page.instruction());
  const role = kind.startsWith("text") ? "textbox" : kind;
  const found = (await page.find({ role })).find(WIDGETS[kind]);
  if (found === undefined) throw new Stuck(`no ${kind}`);
  await page.click(found.ref);
}

async function inOrder(page) {
  await page.button("ONE");
  await page.button("TWO");
}

async function delayed(page) {
  const seconds = Number(read(await page.instruction(), /wait (\d+) seconds/));
  const [first, second] = all(await page.area(), "button");
  const began = performance.now();
  await page.click(first);
  await pause(seconds * 1_000 - (performance.now() - began));
  await page.click(second);
}

async function link(page) {
  const [name] = quoted(await page.instruction());
  await page.click(clickable(await page.area(), name));
}

async function tab(page) {
  const name = read(await page.instruction(), /(Tab #\d)/);
  await page.click(page.the(await page.area(), "tab", name));
}

/** Each item of the path opens the menu with the next one. */
async function menu(page) {
  const path = read(await page.instruction(), /Select (.+)$/).split(">");
  for (const name of path.slice(0, -1)) {
    await page.hover(page.the(await page.area(), "menuitem", name));
    await page.still();
  }
  await page.click(page.the(await page.area(), "menuitem", path.at(-1)));
}

export const solutions = {
  "click-test": (page) => page.button("Click Me!"),
  "click-test-2": namedButton,
  "click-test-transfer": namedButton,
  "click-button": quotedButton,
  "unicode-test": quotedButton,
  "click-button-sequence": inOrder,
  "button-delay": delayed,
  "click-link": link,
  "click-dialog": dialogButton,
  "click-dialog-2": dialogButton,
  "click-collapsible": collapsible,
  "click-collapsible-nodelay": collapsible,
  "click-collapsible-2": (page) => linkBehind(page, "tab"),
  "click-collapsible-2-nodelay": (page) => linkBehind(page, "tab"),
  "click-tab": tab,
  "click-tab-2": (page) => linkBehind(page, "tab"),
  "click-tab-2-easy": (page) => linkBehind(page, "tab"),
  "click-tab-2-medium": (page) => linkBehind(page, "tab"),
  "click-tab-2-hard": (page) => linkBehind(page, "tab"),
  "click-widget": widget,
  "click-menu": menu,
};
