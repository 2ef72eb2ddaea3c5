// The soak: one long session on changing pages, and browsers opened and closed beside it.
//
// node bench/soak.mjs [--sidestick PATH] [--browser PATH] [--minutes 60] [--opens 100]
//                     [--acts-per-minute N] [--seed N] [--out FILE]
//
// Every act is judged by what the page says reached it. Prints a summary, writes its numbers, and
// exits 1 when a bar is missed.

import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

import { atMost } from "./lib/bars.mjs";
import { World } from "./lib/cli.mjs";
import { endAll, isAlive, pause, strays, waitFor } from "./lib/processes.mjs";
import { serve } from "./lib/server.mjs";
import { summary } from "./lib/stats.mjs";
import { Acting } from "./soak/acting.mjs";
import { Openings } from "./soak/openings.mjs";
import { Recorder } from "./soak/record.mjs";
import { ACTS_APART, folderBytes, Watching } from "./soak/watching.mjs";

const ROOT = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
/** The most a run may be given. */
const RUN_ACTIONS = 100_000;
/** A host whose report is not written in this time hangs. */
const REPORT_TIME_MAX_MS = 15 * 60_000;
/** What memory after many acts may be beside memory after a hundred. */
const GROWTH_MAX = 1.1;
/** A page that loses its record is the measurement's fault; more than this would hide faults of ours. */
const UNRECORDED_MAX = 5;

/** Reads the arguments; what they are stands at the head of this file. */
function asked(known) {
  try {
    return parseArgs(known).values;
  } catch (error) {
    console.error(`error: ${error.message}`);
    process.exit(2);
  }
}

const options = asked({
  options: {
    sidestick: { type: "string", default: path.join(ROOT, "target/release/sidestick") },
    browser: { type: "string" },
    minutes: { type: "string", default: "60" },
    opens: { type: "string", default: "100" },
    "acts-per-minute": { type: "string", default: "60" },
    seed: { type: "string", default: "20261201" },
    out: { type: "string", default: path.join(ROOT, "target/bars/soak.json") },
  },
});

/** Makes acts no more frequent than asked for. */
function pacing() {
  const perMinute = Number(options["acts-per-minute"]);
  let next = performance.now();
  return async () => {
    next = Math.max(next + 60_000 / perMinute, performance.now() - 1_000);
    const left = next - performance.now();
    if (left > 0) await pause(left);
  };
}

async function soak() {
  const until = performance.now() + Number(options.minutes) * 60_000;
  const isOver = () => performance.now() >= until;
  const recorder = await Recorder.start();
  const site = await serve({ "/begin": "<title>Begin</title><p>Begin</p>" });
  const [world, beside] = [0, 1].map(
    () => new World({ binary: options.sidestick, browser: options.browser }),
  );
  const run = await world.begin(`${site.origin}/begin`, { actions: RUN_ACTIONS });
  const client = await run.connect();
  const acting = new Acting({ run, client, site, recorder, seed: Number(options.seed) });
  const count = Number(options.opens);
  const everyMs = (Number(options.minutes) * 60_000) / Math.max(count, 1);
  const openings = new Openings({ world: beside, site, recorder, count, everyMs });
  const watching = new Watching(run, () => acting.acts);

  const began = performance.now();
  const opening = openings.run();
  const paced = pacing();
  const cut = await acting
    .until(
      () => isOver() || acting.acts >= RUN_ACTIONS - 100,
      async () => {
        if (acting.acts % ACTS_APART === 0) watching.remember();
        await paced();
      },
    )
    .then(
      () => null,
      (error) => String(error.stack ?? error),
    );
  const minutes = (performance.now() - began) / 60_000;
  watching.take();
  watching.mark("at the end");
  watching.stop();
  if (cut !== null) openings.isOver = true;
  await opening;
  client.close();

  const ending = await endOf(world, run);
  recorder.close();
  await site.close();
  const left = await leftOf([world, beside], run);
  return { acting, openings, watching, ending, left, minutes, cut };
}

/** Ends the long run; its report and its record are whole. */
async function endOf(world, run) {
  const began = performance.now();
  const ended = await run.run(["end", "--json"]);
  const endMs = performance.now() - began;
  // A host that was given up on still writes its report; what it leaves is judged after that.
  await waitFor(() => run.processes().every((pid) => !isAlive(pid)), REPORT_TIME_MAX_MS, 250);
  const goneMs = performance.now() - began;
  const verifying = performance.now();
  const verified = await world.run(["verify", run.id, "--json"]);
  const size = (name) =>
    fs.statSync(path.join(run.dir, name), { throwIfNoEntry: false })?.size ?? 0;
  return {
    end_exit: ended.exit,
    end: ended.exit === 0 ? "" : (ended.out + ended.err).slice(0, 800),
    end_ms: Math.round(endMs),
    gone_ms: Math.round(goneMs),
    verify_exit: verified.exit,
    verify_ms: Math.round(performance.now() - verifying),
    verify: verified.exit === 0 ? "" : verified.out.slice(0, 800),
    report_html_kb: Math.round(size("report.html") / 1024),
    report_json_kb: Math.round(size("report.json") / 1024),
    trace_kb: Math.round(size("trace.jsonl") / 1024),
    folder_mb: Math.round(folderBytes(run.dir) / 1024 ** 2),
  };
}

/** Counts what is left when everything has ended. */
async function leftOf(worlds) {
  await waitFor(() => strays().length === 0, 15_000, 100);
  const found = worlds.map((world) => world.leftovers());
  return {
    processes: strays().length,
    profiles: found.flatMap((each) => each.profiles),
    entries: found.flatMap((each) => each.entries),
  };
}

/** The bars of a soak. */
function bars({ acting, openings, watching, ending, left, cut }) {
  const count = (what) => acting.wrong.filter((each) => each.includes(what)).length;
  const memory = (name) => watching.marks[name]?.rss_mb;
  const grown = (name) => {
    const [base, now] = [memory("after 100 acts"), memory(name)];
    return base === undefined || now === undefined
      ? []
      : [atMost(`memory ${name}, beside after 100`, now / base, GROWTH_MAX, "x")];
  };
  return [
    atMost("false successes", count("false success"), 0, ""),
    atMost("false no-effects", count("false no-effect"), 0, ""),
    atMost(
      "other contradictions with the pages",
      acting.wrong.length - count("false success") - count("false no-effect"),
      0,
      "",
    ),
    atMost("acts that their page keeps no record of", acting.unrecorded.length, UNRECORDED_MAX, ""),
    atMost("openings that went wrong", openings.wrong.length, 0, ""),
    atMost("openings not made", openings.count - openings.done, 0, ""),
    atMost("sessions cut short", cut === null ? 0 : 1, 0, ""),
    ...grown("after 1,000 acts"),
    ...grown("at the end"),
    atMost("processes left", left.processes, 0, ""),
    atMost("profiles left", left.profiles.length, 0, ""),
    atMost("sockets and registry entries left", left.entries.length, 0, ""),
    atMost("exit of end", ending.end_exit, 0, ""),
    atMost("exit of verify", ending.verify_exit, 0, ""),
  ];
}

function numbers(result) {
  const { acting, openings, watching, ending, left, minutes, cut } = result;
  const judged = bars(result);
  return {
    minutes: Math.round(minutes * 100) / 100,
    acts: acting.acts,
    acts_per_minute: Math.round(acting.acts / minutes),
    act_ms: summary(acting.times),
    documents: acting.documents,
    looks: acting.looks,
    pictures: acting.pictures,
    brakes: acting.brakes,
    told: acting.told,
    errors: acting.errors,
    unrecorded: acting.unrecorded.slice(0, 50),
    wrong: [...acting.wrong, ...openings.wrong].slice(0, 50),
    cut_short: cut,
    openings: {
      asked: openings.count,
      done: openings.done,
      ends: openings.ends,
      ms: summary(openings.times),
    },
    memory: watching.marks,
    ending,
    left,
    load: os.loadavg().map((each) => Math.round(each * 100) / 100),
    bars: judged,
    ok: judged.every((bar) => bar.ok),
    samples: watching.samples,
  };
}

function tell(found) {
  const lines = [
    `${found.acts} acts in ${found.minutes} minutes, ${found.acts_per_minute} a minute, p50 ${found.act_ms.p50} ms, p95 ${found.act_ms.p95} ms`,
    `${found.documents} documents, ${found.looks} looks, ${found.pictures} pictures, ${found.brakes} brakes`,
    `${found.openings.done} of ${found.openings.asked} openings: ${JSON.stringify(found.openings.ends)}`,
    `errors by code: ${JSON.stringify(found.errors)}`,
    `memory of host and keeper: ${JSON.stringify(found.memory)}`,
    `the long run: ${JSON.stringify(found.ending)}`,
    ...found.bars.map(
      (bar) =>
        `${bar.ok ? "ok  " : "MISS"} ${bar.what}: ${bar.value}${bar.unit} (at most ${bar.limit}${bar.unit})`,
    ),
    ...found.wrong.slice(0, 10).map((each) => `wrong: ${each}`),
  ];
  if (found.cut_short !== null) lines.push(`cut short: ${found.cut_short}`);
  console.log(lines.join("\n"));
}

try {
  const found = numbers(await soak());
  fs.mkdirSync(path.dirname(options.out), { recursive: true });
  fs.writeFileSync(options.out, `${JSON.stringify(found, null, 2)}\n`);
  tell(found);
  process.exitCode = found.ok ? 0 : 1;
} catch (error) {
  console.error(`error: ${error.stack ?? error}`);
  process.exitCode = 2;
} finally {
  await endAll();
}
