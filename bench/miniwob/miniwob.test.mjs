// The parts of this corpus that judge and read, tested without a browser: `node --test bench/miniwob`.

import assert from "node:assert/strict";
import { test } from "node:test";

import { judge } from "./judge.mjs";
import { nodes } from "./outline.mjs";
import { hsl, Picture } from "./picture.mjs";
import { clickable } from "./solutions/reading.mjs";

const CLICK = { action: "click", target: { ref: "e1" } };
const TOLD = {
  status: "OBSERVED", code: null, fate: "sent", expect: "any", signals: ["tree"],
  target: { ref: "e1", box: [10, 10, 40, 20], point: [30, 20] }, effect: { looked_ms: 500 },
};
const event = (type, more = {}) => ({ kind: "input-event", type, x: 30, y: 20, on: "button", t: 100, path: [[40, 20]], ...more });
const PRESS = [event("mousedown"), event("click", { t: 120 })];
const MUTATED = { kind: "mutated", t: 130, what: ["childList div"], isText: true };

const verdicts = (action, outcome, happened) => judge(action, { ...TOLD, ...outcome }, happened).map((each) => each.verdict);

test("an act that did what it said is not complained about", () => {
  assert.deepEqual(verdicts(CLICK, {}, [...PRESS, MUTATED]), []);
  assert.deepEqual(verdicts(CLICK, { status: "NO_EFFECT", signals: [] }, PRESS), []);
});

test("a success of which nothing reached the page is false", () => {
  assert.deepEqual(verdicts(CLICK, {}, PRESS), ["false_success"]);
});

test("no effect is false when the page changed while it was looked at, and only then", () => {
  const told = { status: "NO_EFFECT", signals: [] };
  assert.deepEqual(verdicts(CLICK, told, [...PRESS, MUTATED]), ["false_failure"]);
  assert.deepEqual(verdicts(CLICK, told, [...PRESS, { ...MUTATED, t: 700 }]), []);
  assert.deepEqual(verdicts(CLICK, told, [...PRESS, { ...MUTATED, isText: false }]), []);
});

test("what the page does by itself is no effect that was missed", () => {
  const told = { ...TOLD, status: "NO_EFFECT", signals: [] };
  assert.deepEqual(judge(CLICK, told, [...PRESS, MUTATED], new Set(MUTATED.what)), []);
});

test("a press beside its target, on another element or of another ref is wrong", () => {
  assert.deepEqual(verdicts(CLICK, {}, [event("mousedown", { x: 90 }), MUTATED]), ["wrong_target"]);
  assert.deepEqual(verdicts(CLICK, {}, [event("mousedown", { path: [[400, 200]] }), MUTATED]), ["wrong_target"]);
  assert.deepEqual(verdicts({ ...CLICK, target: { ref: "e2" } }, {}, [...PRESS, MUTATED]), ["wrong_target"]);
});

test("a second press is a duplicate, the click of a label on its control is none", () => {
  assert.deepEqual(verdicts(CLICK, {}, [...PRESS, event("mousedown"), MUTATED]), ["duplicate"]);
  assert.deepEqual(verdicts(CLICK, {}, [...PRESS, event("click"), MUTATED]), []);
});

test("what was told as not sent must not have reached the page", () => {
  assert.deepEqual(verdicts(CLICK, { status: "STALE", fate: "not_sent", target: null }, PRESS), ["error"]);
});

test("an outline is read as roles, names, values and refs, whatever the page wrote", () => {
  const seen = nodes('textbox "From:" value "a \\"b\\" | c" filled e4\n  row 1 | "x\\u{200b}" | link "2" -> http://h/ e5\ntext "say e9"');
  assert.deepEqual(seen.map(({ role, name, value, ref, depth }) => [role, name, value, ref, depth]), [
    ["textbox", "From:", 'a "b" | c', "e4", 0],
    ["row", "", null, null, 2],
    ["text", "x\u200b", null, null, 2],
    ["link", "2", null, "e5", 2],
    ["text", "say e9", null, null, 0],
  ]);
  assert.equal(nodes('textbox value "a" e1')[0].name, "");
});

test("a text that has no ref is clicked by what holds it", () => {
  const seen = nodes('list\n  listitem clickable e7\n    text "Egypt"');
  assert.equal(clickable(seen, "Egypt").ref, "e7");
});

test("a picture falls into its connected parts", () => {
  const pixels = Buffer.alloc(6 * 4 * 3, 255);
  for (const [x, y] of [[0, 0], [1, 0], [0, 1], [4, 2]]) pixels.fill(0, (y * 6 + x) * 3, (y * 6 + x) * 3 + 3);
  const picture = new Picture(6, 4, pixels);
  const found = picture.blobs({ x: 0, y: 0, width: 6, height: 4 }, (color) => hsl(color).lightness < 0.5);
  assert.deepEqual(found.map(({ size, box }) => [size, box.width, box.height]), [[3, 2, 2], [1, 1, 1]]);
});
