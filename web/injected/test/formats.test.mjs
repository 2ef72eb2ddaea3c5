// What native controls can hold, checked without a browser.

import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./load.mjs";

const { misfit } = await load("formats");
const free = { min: null, max: null, step: null };
const fits = (type, value, limits = free) => misfit(type, value, limits) === null;

test("numbers are what the HTML standard calls a floating-point number", () => {
  for (const value of ["1", "-1", "1.5", ".5", "1e3", "-2E-4", ""]) assert.ok(fits("number", value), value);
  for (const value of ["abc", "+1", "1.", "1,5", " 1", "0x1", "Infinity"])
    assert.ok(!fits("number", value), value);
});

test("dates, times, months and weeks must exist", () => {
  for (const value of ["2024-02-29", "2026-12-31"]) assert.ok(fits("date", value), value);
  for (const value of ["2026-02-29", "2026-13-01", "26-01-01", "09.08.2026", "0000-01-01"])
    assert.ok(!fits("date", value), value);
  for (const value of ["00:00", "23:59:59.999"]) assert.ok(fits("time", value), value);
  for (const value of ["24:00", "7:00", "12:60"]) assert.ok(!fits("time", value), value);
  assert.ok(fits("month", "2026-08") && !fits("month", "2026-00"));
  assert.ok(
    fits("week", "2020-W53") &&
      fits("week", "2026-W53") &&
      !fits("week", "2025-W53") &&
      !fits("week", "2026-W00"),
  );
  assert.ok(fits("datetime-local", "2026-08-09T10:30") && !fits("datetime-local", "2026-08-09"));
});

test("a range keeps to its limits and steps", () => {
  assert.ok(fits("range", "100") && !fits("range", "101") && !fits("range", "0.5") && !fits("range", ""));
  assert.ok(fits("range", "0.5", { min: "0", max: "1", step: "0.1" }));
  assert.ok(fits("range", "0.55", { min: "0", max: "1", step: "any" }));
});

test("a color has six digits, and text is free", () => {
  assert.ok(fits("color", "#00ffAA") && !fits("color", "red") && !fits("color", "#fff"));
  assert.ok(fits("email", "not an address") && fits("text", "anything"));
});
