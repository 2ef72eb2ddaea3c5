// Text rules: collapsing, cutting, folding, whole words.

import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./load.mjs";

const { collapse, cut, fold, hasLetter, holdsWords } = await load("words");

test("white space collapses and icon glyphs go", () => {
  assert.equal(collapse("  a\u00a0 b\n\tc  "), "a b c");
  assert.equal(collapse("\ue001 Save \u{f0000}"), "Save");
});

test("a cut keeps its length and never halves a pair", () => {
  assert.equal(cut("abcdef", 4), "abc…");
  assert.equal(cut("ab😀cd", 4), "ab…");
  assert.equal(cut("abcd", 4), "abcd");
});

test("near is whole words without case", () => {
  assert.ok(holdsWords("Alice Smith", "alice"));
  assert.ok(!holdsWords("Alice", "Ali"));
  assert.ok(holdsWords("Ali Alice", "Alice"));
  assert.ok(holdsWords("Total (net)", "(net)"));
  assert.ok(!holdsWords("anything", ""));
});

test("letters of any script name a row, digits do not", () => {
  assert.ok(hasLetter("Ärger") && hasLetter("日本") && !hasLetter("12,5 %"));
  assert.equal(fold(" ADD  to "), "add to");
});
