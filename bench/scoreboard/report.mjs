// Turns the rows of all corpora into rates, bars, and the page that is published.

import { atMost } from "../lib/bars.mjs";
import { summary } from "../lib/stats.mjs";

const WORDS = {
  right: "right",
  false_success: "false success",
  false_failure: "false failure",
  wrong_target: "wrong target",
  duplicate: "duplicate",
  leaked: "leaked secret",
  refused: "refused wrongly",
  missed: "missed",
  error: "error",
};
const REFUSAL_P50_MAX_MS = 20;
const REFUSAL_P95_MAX_MS = 50;

/** One line for the terminal. */
export function printed(row) {
  const mark = row.verdict === "right" ? "ok  " : row.verdict;
  return `${mark} ${row.tool} ${row.corpus}: ${row.case} [${Math.round(row.ms)} ms]${row.verdict === "right" ? "" : ` -- ${row.note}`}`;
}

/** Counts the verdicts and refusals of some rows. @param {any[]} rows */
export function counted(rows) {
  const counts = Object.fromEntries(Object.keys(WORDS).map((word) => [word, 0]));
  for (const { verdict } of rows) counts[verdict] = (counts[verdict] ?? 0) + 1;
  // Only a refusal that was right says what refusing costs.
  const refusals = rows.filter(
    ({ verdict, refusal_ms: ms }) => verdict === "right" && ms !== undefined,
  );
  return { n: rows.length, ...counts, refusal: summary(refusals.map(({ refusal_ms: ms }) => ms)) };
}

/** Returns the rows by what they hold under `key`, in the order in which each came first. */
function grouped(rows, key) {
  /** @type {Map<any, any[]>} */
  const found = new Map();
  for (const row of rows) found.set(row[key], [...(found.get(row[key]) ?? []), row]);
  return found;
}

/** Returns the counts by tool. @param {any[]} rows */
export function summaries(rows) {
  return Object.fromEntries([...grouped(rows, "tool")].map(([tool, its]) => [tool, counted(its)]));
}

/** Returns the bars of ours. @param {any[]} rows @returns {import('../lib/bars.mjs').Bar[]} */
export function barsOf(rows) {
  const own = rows.filter(({ tool }) => tool === "sidestick");
  const all = counted(own);
  const zero = ["false_success", "wrong_target", "duplicate", "leaked"];
  const idle = counted(own.filter(({ idle: isIdle }) => isIdle !== false)).refusal;
  const pages = own.filter(
    ({ corpus, case: name }) => corpus === "miniwob" && name.startsWith("open:"),
  );
  const dark = pages.filter(({ verdict }) => verdict !== "right").length;
  return [
    ...zero.map((word) => atMost(WORDS[word], all[word], 0, "")),
    ...(idle.n === 0
      ? []
      : [
          atMost("refusals p50", idle.p50, REFUSAL_P50_MAX_MS, " ms"),
          atMost("refusals p95", idle.p95, REFUSAL_P95_MAX_MS, " ms"),
        ]),
    ...(pages.length === 0 ? [] : [atMost("miniwob pages without an outline", dark, 0, "")]),
  ];
}

const share = (part, of) => (of === 0 ? "-" : `${((100 * part) / of).toFixed(1)} %`);
const ms = (value) =>
  Number.isNaN(value) || value === null ? "-" : value.toFixed(value < 100 ? 1 : 0);
const cell = (text) => String(text).replaceAll("|", "\\|").replace(/\s+/g, " ");

function rates(rows) {
  const head = ["", ...Object.values(WORDS), "refusal p50 / p95 ms"];
  const lines = [
    `| ${["tool", "cases", ...head.slice(1)].join(" | ")} |`,
    `|${"---|".repeat(head.length + 1)}`,
  ];
  for (const [tool, its] of grouped(rows, "tool")) {
    const all = counted(its);
    const cells = Object.keys(WORDS).map((word) =>
      word === "right"
        ? `${all.right} (${share(all.right, all.n)})`
        : all[word] === 0
          ? "0"
          : `${all[word]} (${share(all[word], all.n)})`,
    );
    lines.push(
      `| ${[tool, all.n, ...cells, `${ms(all.refusal.p50)} / ${ms(all.refusal.p95)} (${all.refusal.n})`].join(" | ")} |`,
    );
  }
  return lines;
}

/** A table of one corpus: a line per kind, a column per tool, right of all. */
function byKind(rows) {
  const tools = [...grouped(rows, "tool").keys()];
  const kinds = [...new Set(rows.map(({ kind }) => kind))].filter((kind) => kind !== undefined);
  if (kinds.length < 2) return [];
  const lines = [
    `| right, by kind | ${tools.join(" | ")} |`,
    `|---|${"---|".repeat(tools.length)}`,
  ];
  for (const kind of kinds) {
    const cells = tools.map((tool) => {
      const its = rows.filter((row) => row.kind === kind && row.tool === tool);
      return its.length === 0
        ? "-"
        : `${its.filter(({ verdict }) => verdict === "right").length} of ${its.length}`;
    });
    lines.push(`| ${kind} | ${cells.join(" | ")} |`);
  }
  return lines;
}

/** Cases that more than one tool had, and where one of them was not right. */
function compared(rows) {
  const tools = [...grouped(rows, "tool").keys()];
  if (tools.length < 2) return [];
  const lines = [];
  for (const [name, its] of grouped(rows, "case")) {
    if (its.every(({ verdict }) => verdict === "right")) continue;
    const cells = tools.map((tool) => {
      const row = its.find((each) => each.tool === tool);
      return row === undefined ? "-" : WORDS[row.verdict];
    });
    lines.push(`| ${cell(name)} | ${cells.join(" | ")} |`);
  }
  if (lines.length === 0) return [];
  return [`| case | ${tools.join(" | ")} |`, `|---|${"---|".repeat(tools.length)}`, ...lines];
}

/** Folders and ports of one run say nothing to a reader. */
const tidied = (text) =>
  cell(text)
    .replace(/\/tmp\/[^\s"`]*/g, "…")
    .replace(/(127\.0\.0\.1|localhost):\d+/g, "$1")
    .replace(/[\u0000-\u001f\u200b-\u200f\u202a-\u202e\u2060-\u2069]/g, "")
    .replaceAll("<", "&lt;")
    .slice(0, 300);

function missesOf(rows) {
  const own = rows.filter(({ tool, verdict }) => tool === "sidestick" && verdict !== "right");
  if (own.length === 0) return ["None."];
  return own.map(
    (row) => `- ${row.corpus}, ${cell(row.case)}: ${WORDS[row.verdict]}. ${tidied(row.note)}`,
  );
}

/** Returns the page. @param {any} found */
export function markdown(found) {
  const { machine, versions, rows, bars } = found;
  const list = Object.entries(versions).map(([name, version]) =>
    `${name} ${version}`
      .replace("sidestick sidestick", "sidestick")
      .replace("chromium Chromium", "Chromium"),
  );
  const corpora = [...grouped(rows, "corpus")];
  return [
    "# Scoreboard",
    "",
    "Written by `make scoreboard`; not edited by hand.",
    "",
    `${machine.processor}, ${machine.processors} processors, ${machine.memory_gb} GB, ${machine.system}; ${found.at}; seed ${found.seed}.`,
    `${list.join(", ")}.`,
    `The run took ${(found.seconds / 60).toFixed(0)} minutes; run it again with \`make scoreboard\`, one corpus of it with \`node bench/scoreboard.mjs --only truth\`.`,
    ...(found.quick ? ["A quick run: a part of the cases."] : []),
    ...Object.entries(found.absent).map(
      ([name, why]) => `The corpus \`${name}\` is not in it: ${tidied(why)}.`,
    ),
    "",
    "Each case is a page that keeps a record of what reached it.",
    "A tool is shown the page, acts as the case says, and what it *said* is held against that record by the one table of rules in `bench/scoreboard/judge.mjs`.",
    "A tool that answers without saying what came of the act is taken at its word: it said that it was done.",
    "A case a tool has no words for is not counted for it, so the numbers of cases differ; all drive the same Chromium, headless.",
    "",
    "- *right*: it did what was asked and said so, or did not and said so, and refused what has to be refused.",
    "- *false success*: it said done, and nothing, or something else, came of it; or it did what nobody could do with the page.",
    "- *false failure*: it said no, and it happened. *wrong target*: something else was hit. *duplicate*: it happened more than once.",
    "- *leaked secret*: a secret, or its length, stands in an answer. *refused wrongly*: it should have worked. *missed*: it cannot be done or seen, or the answer does not say what it has to.",
    "- The time of a refusal runs from the call to the answer, over the refusals that were right; the bars hold for pages at rest.",
    "",
    "## All corpora",
    "",
    ...rates(rows),
    "",
    "## Bars of ours",
    "",
    ...bars.map(
      (bar) =>
        `- ${bar.what}: ${bar.value}${bar.unit}, at most ${bar.limit}${bar.unit}: ${bar.ok ? "held" : "**missed**"}`,
    ),
    "",
    "## Every miss of ours",
    "",
    ...missesOf(rows),
    "",
    ...corpora.flatMap(([name, its]) => [
      `## ${name}`,
      "",
      ...rates(its),
      "",
      ...byKind(its),
      "",
      ...compared(its),
      "",
    ]),
  ]
    .join("\n")
    .replace(/\n{3,}/g, "\n\n");
}
