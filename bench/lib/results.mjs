// Turns rows into a line for the terminal, a verdict, and the page that is committed.

import { EXPLANATIONS } from "../explanations.mjs";

const PEER_COLUMNS = ["agent-browser", "playwright-mcp", "chrome-devtools-mcp"];

/** @typedef {import('./bars.mjs').Row & {load?: number}} Row */

const number = (value) => {
  if (value === null || value === undefined || Number.isNaN(value)) return "-";
  const digits = Math.abs(value) < 10 ? 2 : Math.abs(value) < 100 ? 1 : 0;
  return value.toLocaleString("en-US", {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
};
const count = (value) =>
  value === null || value === undefined ? "-" : value.toLocaleString("en-US");

/** Returns `p50 / p95 (n)` of an entry, or the figure it has instead. */
function timed(entry) {
  if (entry === null || entry === undefined) return "-";
  if (entry.value !== undefined) return entry.value;
  if (entry.n === 0) return `failed ${entry.failures}`;
  const failed = entry.failures > 0 ? `, ${entry.failures} failed` : "";
  return `${number(entry.p50)} / ${number(entry.p95)} (${entry.n}${failed})`;
}

const isTimed = (entry) => entry?.p50 !== undefined && entry.n > 0;
const ratio = (row) =>
  isTimed(row.ours) && isTimed(row.floor) ? `${(row.ours.p50 / row.floor.p50).toFixed(2)}` : "-";

/** One line for the terminal. @param {Row} row */
export function printed(row) {
  const parts = [`${timed(row.ours)}`];
  if (row.floor !== null) parts.push(`floor ${timed(row.floor)}`);
  for (const each of row.others) parts.push(`${each.who} ${timed(each)}`);
  const bars = row.bars.map(
    (bar) =>
      `${bar.ok ? "ok" : "MISSED"} ${bar.what} ${number(bar.value)}${bar.unit && ` ${bar.unit}`} (${bar.limit})`,
  );
  const wrong = [row.ours, row.floor, ...row.others].flatMap(
    (each) => each?.errors?.slice(0, 1) ?? [],
  );
  return [
    `${row.title}  [load ${row.load?.toFixed(2)}]`,
    `  ${parts.join(" | ")}`,
    ...(row.note ? [`  ${row.note}`] : []),
    ...bars.map((bar) => `  ${bar}`),
    ...wrong.map((error) => `  error: ${error}`),
  ].join("\n");
}

/**
 * Says which bars were missed, and whether each miss is explained.
 * @param {Row[]} rows
 * @param {{profiles?: string[], entries?: string[], processes?: number}} [left] What is left of runs that have ended.
 */
export function verdict(rows, left = {}, reasons = EXPLANATIONS) {
  const bars = rows.flatMap((row) => row.bars.map((bar) => ({ row, bar })));
  const missed = bars.filter(({ bar }) => !bar.ok);
  const own = rows.flatMap((row) => [
    row.ours,
    ...row.others.filter(({ who }) => who.startsWith("sidestick")),
  ]);
  const failures = own.reduce((total, entry) => total + (entry?.failures ?? 0), 0);
  const misses = missed.map(({ row, bar }) => {
    return {
      title: row.title,
      what: bar.what,
      value: bar.value,
      limit: bar.limit,
      unit: bar.unit,
      why: explained(row, bar, reasons),
    };
  });
  const unexplained = misses.filter(({ why }) => why === null);
  const running = left.processes ?? 0;
  const leftovers = [
    ...(left.profiles ?? []),
    ...(left.entries ?? []),
    ...(running > 0 ? [`${running} processes`] : []),
  ];
  return {
    ok: unexplained.length === 0 && failures === 0 && leftovers.length === 0,
    bars: bars.length,
    missed: missed.length,
    failures,
    misses,
    lines: [
      ...leftovers.map((name) => `left behind: ${name}`),
      ...misses.map(
        (miss) => `missed: ${miss.title}: ${said(miss)}; ${miss.why ?? "not explained"}`,
      ),
    ],
  };
}

/** Why the bar is missed, unless it is missed by more than the reason allows. */
function explained({ title }, { what, value }, reasons) {
  const known = reasons[title];
  return known?.what === what && value <= known.worst ? known.why : null;
}

const said = ({ what, value, limit, unit }) =>
  `${what} ${number(value)}${unit && ` ${unit}`} where ${limit} is the bar`;

/** Returns the page. @param {any} found @param {ReturnType<typeof verdict>} judged */
export function markdown(found, judged) {
  const { machine, versions, rows } = found;
  const list = Object.entries(versions).map(([name, version]) =>
    `${name} ${version}`
      .replace("sidestick sidestick", "sidestick")
      .replace("chromium Chromium", "Chromium"),
  );
  return [
    "# Results",
    "",
    "Written by `make bench`; not edited by hand.",
    "",
    `${machine.processor}, ${machine.processors} processors, ${machine.memory_gb} GB, ${machine.system}; ${found.at}.`,
    `Load average when it began: ${machine.load.map(number).join(", ")}; the run took ${found.seconds.toFixed(0)} s.`,
    `${list.join(", ")}.`,
    ...(found.quick
      ? ["A quick run: the numbers of rounds are a tenth, so the figures say little."]
      : []),
    ...(found.only.length > 0 ? [`A part of the rows: ${found.only.join(", ")}.`] : []),
    "",
    "All drive the same Chromium, headless, 1280 x 720, in turns within the run.",
    "Times are milliseconds, p50 / p95 (rounds); a round whose effect the page did not show counts as failed.",
    "The floor is the raw protocol on a pipe doing the least that can be called the same work; ratio is p50 to its p50.",
    "",
    ...table(rows),
    "",
    "## What there is to read",
    "",
    "Characters / tokens (cl100k) of the last answer; the peers know no other than the whole page.",
    "",
    ...sizes(rows),
    "",
    "## Misses",
    "",
    ...misses(judged),
    "",
    ...notes(rows),
    "",
  ].join("\n");
}

function table(rows) {
  const lines = [
    `| work | bar | sidestick | floor | ratio | ${PEER_COLUMNS.join(" | ")} | held | load |`,
    `|---|---|---|---|---|${"---|".repeat(PEER_COLUMNS.length)}---|---|`,
  ];
  for (const row of rows) {
    const held =
      row.bars.length === 0 || row.bar === ""
        ? "-"
        : row.bars.every((bar) => bar.ok)
          ? "yes"
          : "no";
    const cli = row.others.find((each) => each.who === "sidestick CLI");
    const own =
      row.ours === null
        ? (row.note ?? "-")
        : timed(row.ours) + (cli === undefined ? "" : `; CLI ${timed(cli)}`);
    const floor = row.floor ?? row.others.find((each) => each.who === "raw protocol");
    const cells = [
      row.title,
      row.bar || "-",
      own,
      timed(floor),
      ratio(row),
      ...PEER_COLUMNS.map((name) => cell(row, name)),
    ];
    lines.push(`| ${[...cells, held, number(row.load)].join(" | ")} |`);
  }
  return lines;
}

function cell(row, name) {
  const its = row.others.filter((each) => each.who.startsWith(name));
  if (its.length === 0) return "-";
  return its
    .map((each) => (each.who.startsWith(`${name} -i`) ? `-i: ${timed(each)}` : timed(each)))
    .join("; ");
}

function sizes(rows) {
  const lines = [
    "| outline | sidestick | floor | agent-browser | agent-browser -i | playwright-mcp | chrome-devtools-mcp |",
    "|---|---|---|---|---|---|---|",
  ];
  const size = (entry) =>
    entry?.chars === undefined ? "-" : `${count(entry.chars)} / ${count(entry.tokens)}`;
  for (const row of rows.filter((each) => each.ours?.chars !== undefined)) {
    const peer = (name) => size(row.others.find((each) => each.who.startsWith(`${name}:`)));
    const cells = [
      row.title.replace("outline, ", ""),
      size(row.ours),
      size(row.floor),
      peer("agent-browser"),
      peer("agent-browser -i"),
      peer("playwright-mcp"),
      peer("chrome-devtools-mcp"),
    ];
    lines.push(`| ${cells.join(" | ")} |`);
  }
  return lines;
}

function misses(judged) {
  if (judged.misses.length === 0) return [`None of ${judged.bars} bars was missed.`];
  return judged.misses.map(
    (miss) => `- ${miss.title}: ${said(miss)}. ${miss.why ?? "Not explained."}`,
  );
}

function notes(rows) {
  const noted = rows.filter((row) => row.note && row.ours !== null);
  const wrong = rows.flatMap((row) =>
    [row.ours, row.floor, ...row.others]
      .filter((each) => each?.failures > 0)
      .map((each) => {
        return `- ${row.title}: ${each.who} failed ${each.failures} rounds: ${(each.errors?.[0] ?? "no word of it").replace(/\s+/g, " ").slice(0, 200)}`;
      }),
  );
  return [
    "## Notes",
    "",
    ...noted.map((row) => `- ${row.title}: ${row.note}.`),
    ...(wrong.length > 0 ? ["", "## Failed rounds", "", ...wrong] : []),
  ];
}
