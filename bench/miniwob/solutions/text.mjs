// Tasks that are done by reading a text and typing what it says.

import { all, place, quoted, read } from "./reading.mjs";

const submit = (page) => page.button("Submit");

/** Fills the only textbox and submits. */
export async function answer(page, text) {
  await page.fill(page.the(await page.area(), "textbox"), text);
  await submit(page);
}

async function enter(page) {
  await answer(page, quoted(await page.instruction())[0]);
}

async function enterInCase(page) {
  const instruction = await page.instruction();
  const [text] = quoted(instruction);
  await answer(page, instruction.includes("upper case") ? text.toUpperCase() : text.toLowerCase());
}

async function password(page) {
  const [secret] = quoted(await page.instruction());
  for (const field of all(await page.area(), "textbox")) await page.fill(field, secret);
  await submit(page);
}

async function login(page) {
  const [user, secret] = quoted(await page.instruction());
  const [name, word] = all(await page.area(), "textbox");
  await page.fill(name, user);
  await page.fill(word, secret);
  await page.button("Login");
}

/** A popup may take the fields away at any time; it is cancelled, and the fields filled again. */
async function loginUnderPopups(page) {
  const [user, secret] = quoted(await page.instruction());
  const fillAll = async () => {
    const [name, word] = all(await page.area(), "textbox");
    const first = await page.fill(name, user, { may: ["NOT_ACTIONABLE"] });
    if (await cancelled(page)) return false;
    const second = await page.fill(word, secret, { may: ["NOT_ACTIONABLE"] });
    return !(await cancelled(page)) && first.status !== "PARTIAL" && second.status !== "PARTIAL";
  };
  for (let left = 4; left > 0 && !(await fillAll()); left--);
  await page.button("OK");
}

async function cancelled(page) {
  const cancel = (await page.area()).find((node) => node.role === "button" && node.name === "Cancel");
  if (cancel === undefined) return false;
  await page.click(cancel);
  return true;
}

async function focus(page) {
  const instruction = await page.instruction();
  const at = /\d/.test(instruction) ? place(instruction) : 0;
  await page.click(all(await page.area(), "textbox")[at]);
}

/** Returns label to value of the first table. */
function table(seen) {
  const rows = new Map();
  for (const node of seen) rows.set(node.line, [...(rows.get(node.line) ?? []), node]);
  const cells = [...rows.values()].filter(([first]) => first.role === "row");
  return Object.fromEntries(cells.map(([, label, value]) => [label.name, value.name]));
}

async function readTable(page) {
  const label = read(await page.instruction(), /the value of (.*) into/);
  await answer(page, table(await page.area())[label]);
}

async function readTable2(page) {
  const seen = await page.area();
  const values = table(seen);
  for (const field of all(seen, "textbox")) {
    const label = seen[seen.indexOf(field) - 1].name.replace(/:$/, "");
    await page.fill(field, values[label]);
  }
  await submit(page);
}

async function arithmetic(page) {
  const [, a, sign, b] = (await page.text("#math-problem")).match(/(\d+) (.) (\d+)/) ?? [];
  const does = { "+": (x, y) => x + y, "-": (x, y) => x - y, x: (x, y) => x * y };
  await answer(page, String(does[sign](Number(a), Number(b))));
}

async function algebra(page) {
  const problem = await page.text("#math-problem");
  const [, left, sign, right, sum] = problem.match(/(\S+) ([-+]) (\S+) = (-?\d+)/) ?? [];
  const total = Number(sum);
  if (sign === "+") return answer(page, String(total - Number(left === "x" ? right : left)));
  return answer(page, String(left === "x" ? total + Number(right) : Number(left) - total));
}

async function findWord(page) {
  const at = place(await page.instruction());
  const seen = await page.area();
  const paragraph = seen.slice(1).find((node) => node.role === "text")?.name ?? "";
  await answer(page, paragraph.split(/\s+/)[at].replace(/[.,]/g, ""));
}

async function copy(page) {
  const [source] = await page.find({ role: "textbox" }).then((found) => found.filter(isArea));
  const target = (await page.find({ role: "textbox" })).find((each) => !isArea(each));
  await page.fill(target.ref, source.value);
  await submit(page);
}

async function copyOne(page) {
  const at = place(await page.instruction());
  const found = await page.find({ role: "textbox" });
  await page.fill(found.find((each) => !isArea(each)).ref, found.filter(isArea)[at].value);
  await submit(page);
}

const isArea = (found) => found.subject.tag === "textarea";

async function lastWord(page) {
  const [source, target] = all(await page.area(), "textbox");
  const { text } = await page.client.ask({ call: "text", target: source.ref, max_chars: 20_000 });
  const whole = source.value?.endsWith("…") ? text : (source.value ?? text);
  await page.fill(target, whole.trim().split(/\s+/).at(-1).replace(/[^A-Za-z0-9]/g, ""));
  await submit(page);
}

/** Turns the wheel until the end of the text is there. */
async function scrollText(page) {
  const toTop = (await page.instruction()).includes("to the top");
  const field = page.the(await page.area(), "textbox");
  for (let left = 40; left > 0; left--) {
    const outcome = await page.scroll(field, toTop ? "up" : "down", 1);
    if (outcome.status !== "OBSERVED") break;
  }
  await submit(page);
}

async function transformed(page) {
  await answer(page, (await page.text("#captcha")).replace(/\s/g, ""));
}

async function movie(page) {
  const [, genre, name, year] =
    (await page.instruction()).match(/for (.*) movies directed by (.*) from year (\d+)/) ?? [];
  const values = [[/genre/i, genre], [/director/i, name], [/year|date/i, year]];
  const seen = await page.area();
  const isLabel = (node) => node?.role === "text" && values.some(([pattern]) => pattern.test(node.name));
  const fields = all(seen, "textbox");
  // A label stands before its field, or behind it on all of the form.
  const step = isLabel(seen[seen.indexOf(fields[0]) - 1]) || fields[0].name !== "" ? -1 : 1;
  for (const field of fields) {
    const label = field.name || seen[seen.indexOf(field) + step].name;
    await page.fill(field, values.find(([pattern]) => pattern.test(label))[1]);
  }
  await page.click(seen.findLast((node) => /search|submit|go|find/i.test(node.name) && node.ref !== null));
}

export const solutions = {
  "enter-text": enter,
  "enter-text-dynamic": enter,
  "enter-text-2": enterInCase,
  "enter-password": password,
  "login-user": login,
  "login-user-popup": loginUnderPopups,
  "focus-text": focus,
  "focus-text-2": focus,
  "read-table": readTable,
  "read-table-2": readTable2,
  "simple-arithmetic": arithmetic,
  "simple-algebra": algebra,
  "find-word": findWord,
  "copy-paste": copy,
  "copy-paste-2": copyOne,
  "scroll-text": lastWord,
  "scroll-text-2": scrollText,
  "text-transform": transformed,
  "multi-orderings": movie,
  "multi-layouts": movie,
};
