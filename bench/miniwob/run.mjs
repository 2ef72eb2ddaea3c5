// The MiniWoB++ corpus: every page opened and outlined, and the scripted tasks solved by acts.
//
//   node bench/miniwob/run.mjs [--sidestick PATH] [--browser PATH] [--only TASK]... [--seed N]
//                              [--seeds K] [--quick] [--verbose]
//
// The reward is the page's own, told by the page. Exits 0 when every row is right, 1 otherwise,
// 2 for arguments that cannot be used, 5 when the package cannot be had.

import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

import { World } from "../lib/cli.mjs";
import { endAll } from "../lib/processes.mjs";
import { random } from "../lib/stats.mjs";
import { Recorder } from "../soak/record.mjs";
import { corpus, CorpusMissing, tasks } from "./corpus.mjs";
import { Episode, Refused, Stuck, Unclear } from "./episode.mjs";
import { serve } from "./site.mjs";
import { enough, solutions } from "./solutions.mjs";

const ROOT = path.dirname(path.dirname(path.dirname(fileURLToPath(import.meta.url))));
/** The most a run may be given. */
const RUN_ACTIONS = 100_000;
/** Characters of an outline, as asked for; an outline that is longer is over its budget. */
const OUTLINE_CHARS = 20_000;
/** Seeds of each task when none is named. */
const SEEDS = 3;
const SEED = 1;
/** How often an episode is left for another, and how far apart their seeds are. */
const UNCLEAR_MAX = 10;
const SEEDS_APART = 1_000;
/** A key that no page takes, and how often it is pressed on each. */
const DEAD_KEY = "F9";
const DEAD_ACTS = 3;
/** A solution that takes longer hangs. */
const SOLUTION_TIME_MAX_MS = 180_000;
const EXIT = { right: 0, wrong: 1, badArguments: 2, missing: 5 };
/** Which verdict stands for a row with several complaints: the first of these. */
const WORST = ["wrong_target", "duplicate", "false_success", "false_failure", "error"];

/**
 * @typedef {object} Row
 * @property {"miniwob"} corpus
 * @property {string} case The task, or `open:` or `dead:` and the task.
 * @property {"sidestick"} tool
 * @property {"right" | "false_success" | "false_failure" | "wrong_target" | "duplicate" | "leaked" | "refused" | "missed" | "error"} verdict
 * @property {number | null} reward The page's raw reward; null when it told none.
 * @property {number} acts
 * @property {number} ms
 * @property {string} note
 * @property {number} [seed]
 */

/**
 * Runs the corpus and returns a row for each page that was opened and each episode that was played.
 * @param {{sidestick: string, browser?: string, seed?: number, seeds?: number, quick?: boolean,
 *   only?: string | string[], told?: (row: Row, episode?: Episode) => void}} options
 * @returns {Promise<Row[]>}
 */
export async function run({ sidestick, browser, seed = SEED, seeds, quick = false, only, told = () => {} }) {
  const names = only === undefined ? undefined : [only].flat();
  const isAsked = (name) => names === undefined || names.includes(name);
  const pages = corpus();
  const recorder = await Recorder.start();
  const site = await serve(pages, recorder.address);
  const world = new World({ binary: sidestick, browser });
  const table = { recorder, site };
  await begin(table, world);
  /** @type {Row[]} */
  const rows = [];
  const keep = ({ row, episode }) => {
    rows.push(row);
    told(row, episode);
  };
  try {
    for (const task of tasks(pages)) {
      if (!isAsked(task)) continue;
      const found = await opened(table, task, seed);
      keep(found);
      if (found.row.verdict === "right") keep(await dead(found.episode, task));
      await alive(table, world);
    }
    const count = seeds ?? (quick ? 1 : SEEDS);
    for (const [task, solve] of Object.entries(solutions)) {
      if (!isAsked(task)) continue;
      for (let at = 0; at < count; at++) {
        keep(await played(table, task, solve, seed + at));
        await alive(table, world);
      }
    }
  } finally {
    table.client.close();
    await table.run.end();
    recorder.close();
    await site.close();
  }
  return rows;
}

/** Begins a run for what is left to do. */
async function begin(table, world) {
  table.run = await world.begin(`${table.site.origin}/core/core.css`, { actions: RUN_ACTIONS });
  table.client = await table.run.connect();
  table.dir = table.run.dir;
}

/** A run that a page has ended is told by the row of that page; the rest gets a new one. */
async function alive(table, world) {
  const isAlive = await table.client.status().then(() => true, () => false);
  if (isAlive) return;
  table.client.close();
  await table.run.run(["end"]).catch(() => undefined);
  await begin(table, world);
}

/** Opens a task's page, starts its episode, and reads it in both scopes. */
async function opened(table, task, seed) {
  const row = rowOf(`open:${task}`);
  const began = performance.now();
  const episode = new Episode({ ...table, task, page: `open-${task}`, seed: String(seed) });
  try {
    await episode.start();
    for (const scope of ["viewport", "document"]) {
      const { outline } = await table.client.observe({ scope, maxChars: OUTLINE_CHARS });
      if (outline.length > OUTLINE_CHARS) {
        row.verdict = "error";
        row.note = `${scope}: ${outline.length} characters, at most ${OUTLINE_CHARS}`;
      }
      if (!outline.includes(" page ")) throw new Error(`no outline: ${outline.slice(0, 100)}`);
    }
  } catch (error) {
    row.verdict = error instanceof Refused ? "refused" : "error";
    row.note = short(error);
  }
  row.ms = Math.round(performance.now() - began);
  return { row, episode };
}

/** Acts to which no page answers, while its clock ticks beside the task: none of them worked. */
async function dead(episode, task) {
  const row = rowOf(`dead:${task}`);
  const began = performance.now();
  try {
    for (let left = DEAD_ACTS; left > 0; left--) await episode.press(DEAD_KEY);
    // What the page did meanwhile it did by itself.
    episode.complaints = episode.complaints.filter((each) => each.verdict !== "false_failure");
    judged(row, episode, { raw: 1 }, undefined);
  } catch (error) {
    judged(row, episode, undefined, error);
  }
  row.acts = episode.acts;
  row.ms = Math.round(performance.now() - began);
  return { row, episode };
}

/** Plays one episode; one that is unclear is left for another. */
async function played(table, task, solve, seed) {
  for (let turn = 0; turn < UNCLEAR_MAX; turn++) {
    const found = await episodeOf(table, task, solve, seed + turn * SEEDS_APART);
    if (found !== undefined) return found;
  }
  return { row: { ...rowOf(task), seed, verdict: "missed", note: `${UNCLEAR_MAX} episodes were unclear` } };
}

/** Plays one episode and returns what came of it; nothing when its instruction was unclear. */
async function episodeOf(table, task, solve, seed) {
  const row = { ...rowOf(task), seed };
  const page = `${task}-${seed}`;
  const episode = new Episode({ ...table, task, page, seed: String(seed), random: random(seed) });
  const began = performance.now();
  let failed;
  try {
    await episode.start();
    await inTime(solve(episode));
  } catch (error) {
    failed = error;
  }
  if (failed instanceof Unclear) return undefined;
  row.ms = Math.round(performance.now() - began);
  const ended = await episode.reward().catch(() => undefined);
  row.acts = episode.acts;
  row.reward = ended?.raw ?? null;
  judged(row, episode, ended, failed);
  return { row, episode };
}

/** Puts the verdict of an episode into its row. */
function judged(row, episode, ended, failed) {
  const complaint = WORST.map((verdict) => episode.complaints.find((each) => each.verdict === verdict)).find(Boolean);
  if (complaint !== undefined) {
    const { action, target } = complaint.action;
    row.verdict = complaint.verdict;
    row.note = `${action} ${JSON.stringify(target ?? null)}: ${complaint.what}`;
  } else if (failed instanceof Refused) {
    row.verdict = "refused";
    row.note = short(failed);
  } else if (ended === undefined || ended.raw < enough(row.case)) {
    row.verdict = failed === undefined || failed instanceof Stuck ? "missed" : "error";
    row.note = failed === undefined ? `reward ${row.reward}: ${ended?.reason ?? "not ended"}` : short(failed);
  } else if (failed !== undefined) {
    // The page was satisfied before the solution was through.
    row.note = short(failed);
  }
}

function rowOf(name) {
  return { corpus: "miniwob", case: name, tool: "sidestick", verdict: "right", reward: null, acts: 0, ms: 0, note: "" };
}

async function inTime(promise) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error("the solution hangs")), SOLUTION_TIME_MAX_MS);
  });
  await Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

const short = (error) => String(error.message ?? error).replace(/\s+/g, " ").slice(0, 400);

function asked() {
  try {
    return parseArgs({
      options: {
        sidestick: { type: "string", default: path.join(ROOT, "target/release/sidestick") },
        browser: { type: "string" },
        only: { type: "string", multiple: true },
        seed: { type: "string", default: String(SEED) },
        seeds: { type: "string" },
        quick: { type: "boolean", default: false },
        verbose: { type: "boolean", default: false },
      },
    }).values;
  } catch (error) {
    console.error(`error: ${error.message}`);
    process.exit(EXIT.badArguments);
  }
}

/** One line per row; with `verbose` every act of an episode that was not right. */
function tell(row, episode, verbose) {
  const seed = row.seed === undefined ? "" : ` seed ${row.seed}`;
  console.log(`${row.verdict.padEnd(13)} ${row.case}${seed}  reward ${row.reward}  ${row.acts} acts  ${row.ms} ms  ${row.note}`);
  if (!verbose || row.verdict === "right" || episode === undefined) return;
  for (const { action, outcome, happened } of episode.log) {
    console.log(`    ${JSON.stringify(action)} -> ${outcome.status} ${outcome.code ?? ""} ${outcome.signals} ${outcome.message}`);
    console.log(`        ${JSON.stringify(happened).slice(0, 600)}`);
  }
  console.log(`    last outline:\n${episode.outline}`);
}

async function main() {
  const { seed, seeds, verbose, ...options } = asked();
  try {
    const rows = await run({
      ...options,
      seed: Number(seed),
      seeds: seeds === undefined ? undefined : Number(seeds),
      told: (row, episode) => tell(row, episode, verbose),
    });
    const right = rows.filter((row) => row.verdict === "right").length;
    console.log(`${right} of ${rows.length} rows right`);
    process.exitCode = right === rows.length ? EXIT.right : EXIT.wrong;
  } catch (error) {
    console.error(`error: ${error.stack ?? error}`);
    process.exitCode = error instanceof CorpusMissing ? EXIT.missing : EXIT.wrong;
  } finally {
    await endAll();
  }
}

if (process.argv[1] !== undefined && fs.realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  await main();
}
