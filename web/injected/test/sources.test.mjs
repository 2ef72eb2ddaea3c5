// Rules over the sources themselves: nothing that `read.js` is built from may change a page.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const SOURCES = join(dirname(fileURLToPath(import.meta.url)), "../src");
const BANNED = new RegExp(
  [
    "\\.(click|focus|blur|dispatchEvent|submit|requestSubmit|scroll|scrollTo|scrollBy|scrollIntoView)\\(",
    "\\.(append|appendChild|prepend|insertBefore|insertAdjacent\\w+|replaceWith|replaceChildren|removeChild|before|after)\\(",
    "\\.(setAttribute|removeAttribute|toggleAttribute|attachShadow|showModal|setRangeText|setSelectionRange|select)\\(",
    "\\.(value|checked|selected|innerHTML|outerHTML|innerText|textContent|nodeValue|title|scrollTop|scrollLeft) = ",
    "\\b(fetch|XMLHttpRequest|WebSocket|EventSource|sendBeacon|localStorage|sessionStorage|execCommand|eval)\\b",
    "preventDefault|stopPropagation|pushState|replaceState|location\\.(assign|replace|reload)|document\\.(write|open|cookie)",
  ].join("|"),
);

const sources = readdirSync(SOURCES).map((name) => [name, readFileSync(join(SOURCES, name), "utf8")]);

test("nothing but act.ts changes the page", () => {
  for (const [name, text] of sources) {
    if (name === "act.ts") continue;
    const bad = text.split("\n").findIndex((line) => !/^\s*(\/\/|\*|\/\*)/.test(line) && BANNED.test(line));
    assert.equal(bad, -1, `${name}:${bad + 1}`);
  }
});

test("the one event that a reading sends is of a kind nobody can listen for", () => {
  const senders = sources.filter(([, text]) => text.includes("dispatchEvent")).map(([name]) => name);
  assert.deepEqual(senders, ["act.ts", "place.ts"]);
  const [, text] = sources.find(([name]) => name === "place.ts");
  assert.match(text, /const PROBE = `sidestick-\$\{crypto\.getRandomValues\(/);
  assert.deepEqual(text.match(/\bnew \w*Event\([^,]*/g), ["new PointerEvent(PROBE"]);
});

test("act.ts is imported by nothing and imports nothing", () => {
  for (const [name, text] of sources) {
    assert.ok(!/from "\.\/act\.ts"/.test(text), name);
    if (name === "act.ts") assert.ok(!/^import /m.test(text));
  }
});

test("files open with what they are, and stay readable", () => {
  for (const [name, text] of sources) {
    assert.match(text, /^\/\/ [A-Z`]/, name);
    assert.ok(text.split("\n").length <= 800, name);
  }
});
