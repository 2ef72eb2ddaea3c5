// Tasks on a wall of posts, whose controls are pictures without a name, in a known order.

import { Stuck } from "../episode.mjs";
import { quoted, read } from "./reading.mjs";

/** How far below the name of its user the controls of a post stand at most. */
const POST_PX = 56;
const isMark = ({ tag, width, height }) => tag === "span" && width === height && (width === 14 || width === 16);

/** Brings a post into view and returns its marks, from left to right. */
async function marks(page, user, post) {
  await page.hover(post.ref);
  for (let left = 5; left > 0; left--) {
    const { box } = (await page.find({ text: user })).find((each) => each.ref === post.ref);
    const found = await page.parts((part) => isMark(part) && part.y > box[1] && part.y < box[1] + POST_PX);
    if (found.length >= ORDER.length) return found.sort((a, b) => a.x - b.x);
    await page.scroll(post.ref, "down", 0.04);
  }
  throw new Stuck(`no marks of a post by ${user}`);
}

const ORDER = ["Reply", "Retweet", "Like", "More"];
const ORDER_ALL = ["Reply", "Retweet", "Like", "Share"];

async function one(page) {
  const instruction = await page.instruction();
  const user = read(instruction, /user (@\S+?),/);
  const [action] = quoted(instruction);
  const [post] = await page.found(user);
  if (post === undefined) throw new Stuck(`no post by ${user}`);
  const controls = await marks(page, user, post);
  if (ORDER.includes(action)) return page.click(controls[ORDER.indexOf(action)]);
  await page.click(controls[ORDER.indexOf("More")]);
  const item = /^(Mute|Block)/.test(action) && !action.includes("@") ? `${action} ${user}` : action;
  await page.clickText(item);
}

async function several(page) {
  const instruction = await page.instruction();
  const user = read(instruction, /by (@\S+)/);
  const [action] = quoted(instruction);
  const posts = await page.found(user);
  const count = instruction.includes(" all posts") ? posts.length : Number(read(instruction, /on (\d+) post/));
  for (const post of posts.slice(0, count)) {
    await page.click((await marks(page, user, post))[ORDER_ALL.indexOf(action)]);
  }
  await page.button("Submit");
}

export const solutions = {
  "social-media": one,
  "social-media-all": several,
  "social-media-some": several,
};
