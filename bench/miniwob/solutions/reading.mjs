// What several solutions read from an instruction or an outline.

import { Stuck } from "../episode.mjs";

/** Returns the texts in double quotes. @param {string} instruction @returns {string[]} */
export function quoted(instruction) {
  return [...instruction.matchAll(/"([^"]*)"/g)].map((found) => found[1]);
}

/**
 * Returns the first group of a pattern in a text.
 * @param {string} text
 * @param {RegExp} pattern
 */
export function read(text, pattern) {
  const found = text.match(pattern)?.[1];
  if (found === undefined) throw new Stuck(`no ${pattern} in: ${text}`);
  return found;
}

/** Returns the place that a word such as `2nd` names, from 0. @param {string} text */
export function place(text) {
  return Number(read(text, /\b(\d+)(?:st|nd|rd|th)\b/)) - 1;
}

/** Returns the nodes of a role, in order. @param {import('../outline.mjs').Node[]} seen @param {string} role */
export function all(seen, role) {
  return seen.filter((node) => node.role === role);
}

/**
 * Returns the node with this name that can be clicked, or the one that holds a text with this name.
 * @param {import('../outline.mjs').Node[]} seen
 * @param {string} name
 */
export function clickable(seen, name) {
  const own = seen.find((node) => node.ref !== null && node.name === name);
  if (own !== undefined) return own;
  const at = seen.findIndex((node) => node.name === name);
  const holder = seen.slice(0, Math.max(at, 0)).findLast((node) => node.depth < seen[at].depth);
  if (holder?.ref) return holder;
  throw new Stuck(`nothing clickable called ${name} in ${seen.map((node) => node.name).join(" | ").slice(0, 300)}`);
}

/** Returns how many minutes a text such as `3h 43m` is. @param {string} text */
export function minutes(text) {
  const [, hours, rest] = text.match(/(\d+)h (\d+)m/) ?? [];
  return Number(hours) * 60 + Number(rest);
}
