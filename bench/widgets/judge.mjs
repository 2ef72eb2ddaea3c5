// Holds what the server was given against what was asked, and against what the tool said.

import { isDeepStrictEqual } from "node:util";

import { Missing, Refused } from "./hands.mjs";

/**
 * @param {object} of
 * @param {import('./scenarios.mjs').Scenario} of.scenario
 * @param {any[]} of.saves What the server was given.
 * @param {import('./hands.mjs').Told[]} of.told
 * @param {Error} [of.failure] What ended the scenario early.
 * @returns {{verdict: string, note: string}}
 */
export function judge({ scenario, saves, told, failure }) {
  const words = told.filter((each) => !each.yes).map((each) => each.words);
  if (failure !== undefined && !words.includes(failure.message)) words.push(failure.message);
  const said = words.length === 0 ? "every step said done" : words.join("; ");
  const record = saves.at(-1);
  const notes = (what) => `${what}; ${said}`.slice(0, 700);

  if (failure !== undefined && !(failure instanceof Missing) && !(failure instanceof Refused)) {
    return { verdict: "error", note: notes(failure.message) };
  }
  if (saves.length > 1) return { verdict: "duplicate", note: notes(`${saves.length} saves`) };
  if (record === undefined) {
    if (failure instanceof Missing) return { verdict: "missed", note: notes("nothing saved") };
    const isRightRefusal = scenario.mustTell && failure instanceof Refused;
    if (isRightRefusal) return { verdict: "right", note: notes("refused, as it has to be") };
    if (failure !== undefined) return { verdict: "refused", note: notes("nothing saved") };
    return { verdict: words.length === 0 ? "false_success" : "missed", note: notes("nothing saved") };
  }

  const wrong = differences(record, { ...scenario.initial, ...scenario.want });
  if (wrong.length > 0) {
    const saw = wrong.map((key) => `${key} is ${JSON.stringify(record[key])}`).join(", ");
    const besides = wrong.some((key) => !(key in scenario.want));
    if (besides) return { verdict: "wrong_target", note: notes(saw) };
    return { verdict: words.length === 0 ? "false_success" : "missed", note: notes(saw) };
  }
  if (scenario.mustTell) {
    const hasTold = words.length > 0 || told.some((each) => each.differs);
    const verdict = hasTold ? "right" : "false_success";
    return { verdict, note: hasTold ? "" : "the page holds something else than was asked, untold" };
  }
  if (words.length > 0) return { verdict: "false_failure", note: notes("the record is right") };
  return { verdict: "right", note: "" };
}

function differences(record, expected) {
  const keys = new Set([...Object.keys(record), ...Object.keys(expected)]);
  return [...keys].filter((key) => !isAs(record[key], expected[key]));
}

/** An expected value may be a pattern, or a rule. */
function isAs(found, expected) {
  if (typeof expected === "function") return expected(found);
  return isDeepStrictEqual(found ?? null, expected ?? null);
}
