// Tasks in an inbox: find a mail by its sender, then delete, star, answer or forward it.
//
// The marks of a mail are pictures without a name: trash stands at the right of its row, the star
// beside it, the paper plane at the right of an answer's bar.

import { Stuck, Unclear } from "../episode.mjs";
import { all, quoted } from "./reading.mjs";

const ICON_PX = 12;
const SEND_PX = 14;

/** Returns the square marks of one size whose middle lies within `reach` of a height, from left to right. */
async function marks(page, size, y, reach) {
  const found = await page.parts(
    ({ tag, width, height, ...part }) =>
      tag === "span" && width === size && height === size && Math.abs(part.y + size / 2 - y) < reach,
  );
  return found.sort((a, b) => a.x - b.x);
}

/** Returns the mail of a sender, scrolled to. */
async function mailBy(page, sender) {
  const [mail] = await page.found(sender);
  if (mail === undefined) throw new Stuck(`no mail by ${sender} in\n${page.outline}`);
  return mail;
}

async function mark(page, sender, which) {
  await page.hover((await mailBy(page, sender)).ref);
  const { box } = await mailBy(page, sender);
  const found = await marks(page, ICON_PX, box[1] + box[3] / 2, 12);
  if (found.length !== 2) throw new Stuck(`${found.length} marks beside ${sender}`);
  await page.click(found[which === "trash" ? 1 : 0]);
}

async function send(page) {
  const found = await marks(page, SEND_PX, 62, 20);
  if (found.length === 0) throw new Stuck("no mark to send");
  await page.click(found.at(-1));
}

async function open(page, sender, way) {
  await page.click((await mailBy(page, sender)).ref);
  await page.clickText(way);
  return all(await page.area(), "textbox");
}

async function reply(page, sender, text) {
  const [body] = await open(page, sender, "Reply");
  await page.fill(body, text);
  await send(page);
}

async function forward(page, sender, to) {
  if ((await page.found(sender)).length > 1) throw new Unclear(`several mails by ${sender}`);
  const [address] = await open(page, sender, "Forward");
  await page.fill(address, to);
  await send(page);
}

async function does(page, { action, sender, to, text }) {
  if (action === "delete") return mark(page, sender, "trash");
  if (action === "important") return mark(page, sender, "star");
  if (action === "reply") return reply(page, sender, text);
  return forward(page, sender, to);
}

async function inbox(page) {
  const instruction = await page.instruction();
  const sender = instruction.match(/email by (\S+)/)?.[1] ?? "";
  const to = instruction.match(/ to (\S+)\.$/)?.[1];
  const [text] = quoted(instruction);
  let action = "forward";
  if (instruction.includes("trash icon")) action = "delete";
  if (instruction.includes("star icon")) action = "important";
  if (instruction.includes("reply")) action = "reply";
  await does(page, { action, sender, to, text });
}

const DELETE = /delete|trash|remove|get rid|recycling|throw away|out of my inbox|don't want|anymore/i;
const IMPORTANT = /important|\bstar\b|\bflag|\bmark|priority|highlight .* star/i;

/** An instruction in anybody's words: who wrote is in the inbox, who is to get it is the other name. */
async function freely(page) {
  const instruction = await page.instruction();
  const seen = await page.look({ within: "#main" });
  const senders = seen.map((node) => node.name.split(" ")[0]).filter((name) => /^[A-Z][a-z]+$/.test(name));
  const written = (name) => new RegExp(`\\b${name}(?:s|'s)?\\b`).test(instruction);
  const named = [...new Set(senders)].filter((name) => name !== "Primary" && written(name));
  const sender = named.find((name) => isSender(instruction, name)) ?? named[0];
  if (sender === undefined) throw new Stuck(`no sender of the inbox in: ${instruction}`);
  const text = instruction.match(/"+(.*?)"+/)?.[1];
  if (text !== undefined) return reply(page, sender, text.trim());
  if (DELETE.test(instruction)) return mark(page, sender, "trash");
  if (IMPORTANT.test(instruction)) return mark(page, sender, "star");
  await forward(page, sender, recipient(instruction, sender));
}

function isSender(instruction, name) {
  const ways = `(?:from|by|email|message) ${name}\\b|${name}(?:'s|s)? (?:e-?mail|mail|message|last|latest|recent|most)|${name} (?:sent|wrote|wants his)`;
  return new RegExp(ways, "i").test(instruction) || new RegExp(`${name}'s`).test(instruction);
}

/** Words that open a sentence or name a thing, and are nobody's name. */
const NO_NAME = new RegExp(
  "^(?:Find|Locate|Look|Forward|FOrward|Foward|Send|Go|Please|Give|Navigate|Search|The|Want|Ask|Can|Could|Copy|Email|" +
    "Automatically|Let|Make|Open|Pull|Primary|Put|Remind|Resend|Select|Take|Will|In|Get|Forward|It|Also|And|Them)$",
);

function recipient(instruction, sender) {
  const names = [...instruction.matchAll(/\b([A-Z][a-z]+)(?:'s)?\b/g)].map((found) => found[1]);
  const others = names.filter((name) => !NO_NAME.test(name) && !sender.startsWith(name) && name !== `${sender}s`);
  if (others.length === 0) throw new Stuck(`nobody to send it to in: ${instruction}`);
  return others.at(-1);
}

export const solutions = {
  "email-inbox": inbox,
  "email-inbox-delete": inbox,
  "email-inbox-forward": inbox,
  "email-inbox-important": inbox,
  "email-inbox-noscroll": inbox,
  "email-inbox-reply": inbox,
  "email-inbox-star-reply": inbox,
  "email-inbox-forward-nl": freely,
  "email-inbox-forward-nl-turk": freely,
  "email-inbox-nl-turk": freely,
};
