// A whole run: acts per second, its pictures, its report, and the size of the program.

import fs from "node:fs";
import path from "node:path";

import { Sidestick } from "../drivers/sidestick.mjs";
import { atLeast, atMost, rowOf } from "../lib/bars.mjs";
import { inTurns } from "../lib/stats.mjs";

const MB = 1024 * 1024;
const ACTS = 200;

function figure(head, value, bars, others = []) {
  return {
    bar: "",
    ...head,
    ours: { who: "sidestick", value, failures: 0 },
    floor: null,
    others,
    bars,
  };
}

/** @param {import('../bench.mjs').Bench} bench */
async function throughput(bench) {
  const { floor } = bench;
  const own = await Sidestick.start(bench.world, `${bench.site.origin}/buttons`);
  await own.prepare();
  for (let each = 0; each < 3; each++) await own.click("Count");
  let failures = 0;
  const began = performance.now();
  for (let each = 0; each < ACTS; each++) {
    if ((await own.click("Count")).status !== "OBSERVED") failures += 1;
  }
  const perSecond = (ACTS * 1_000) / (performance.now() - began);
  const counted = Number(/counted (\d+)/.exec(await own.state())?.[1]);
  failures += Math.abs(ACTS + 3 - counted);

  await floor.open(`${bench.site.origin}/buttons`);
  const floorBegan = performance.now();
  for (let each = 0; each < ACTS; each++) await floor.click("Count");
  const floorPerSecond = (ACTS * 1_000) / (performance.now() - floorBegan);

  const head = {
    row: "run",
    title: `acts per second on one session, ${ACTS} clicks`,
    bar: "at least 20",
  };
  const others = [{ who: "raw protocol", value: `${floorPerSecond.toFixed(1)} per s` }];
  const rows = [
    figure(
      head,
      `${perSecond.toFixed(1)} per s`,
      [
        atLeast("acts per second", perSecond, 20, "per s"),
        { ...atMost("acts without their effect", failures, 0, ""), ok: failures === 0 },
      ],
      others,
    ),
  ];
  return [...rows, await report(own).catch(notReported)];
}

function notReported(error) {
  const row = figure(
    { row: "run", title: `end and report of a run of ${ACTS} acts` },
    "failed",
    [],
  );
  return { ...row, ours: { ...row.ours, failures: 1, errors: [String(error.message)] } };
}

async function report(own) {
  const began = performance.now();
  const answer = await own.end();
  const took = performance.now() - began;
  if (!answer.ok) throw new Error(`\`end\` said ${JSON.stringify(answer).slice(0, 400)}`);
  const size = (name) => fs.statSync(path.join(own.run.dir, name)).size;
  const html = size("report.html");
  const sizes = ["report.html", "report.json", "report.md", "trace.jsonl"];
  const note = sizes.map((name) => `${name} ${(size(name) / MB).toFixed(2)} MB`).join(", ");
  const head = {
    row: "run",
    title: `end and report of a run of ${ACTS} acts`,
    bar: "report at most 20 MB",
    note,
  };
  const value = `${took.toFixed(0)} ms, ${(html / MB).toFixed(2)} MB`;
  return figure(head, value, [
    atMost("report.html", html / MB, 20, "MB"),
    {
      ...atMost("processes that had to be ended", answer.lingered, 0, ""),
      ok: answer.ok && answer.lingered === 0,
    },
  ]);
}

/** @param {import('../bench.mjs').Bench} bench */
async function picture(bench) {
  const { floor, ours, peers } = bench;
  for (const driver of [floor, ours, ...peers]) await driver.open(`${bench.site.origin}/portal`);
  const entry = (driver, n) => ({
    who: driver.who,
    n,
    op: () => driver.picture(),
    check: (_, said) => (driver === ours ? said.path !== null && !said.withheld : Boolean(said)),
  });
  const measured = await inTurns([
    entry(floor, bench.n(50)),
    entry(ours, bench.n(50)),
    ...peers.map((peer) => entry(peer, bench.n(20))),
  ]);
  const head = {
    row: "picture",
    title: "picture of the viewport (portal)",
    note: "no bar: secrets are masked, and the file is on disk",
  };
  return [rowOf(head, measured, { ours: ours.who, floor: floor.who, bars: () => [] })];
}

/** @param {import('../bench.mjs').Bench} bench */
async function size(bench) {
  const bytes = fs.statSync(bench.world.binary).size;
  const head = { row: "size", title: "size of the program" };
  if (bench.world.isTestBuild) head.note = "not a release build";
  const others = bench.peers.flatMap((peer) => {
    const binary = /** @type {any} */ (peer.constructor).binary;
    return binary === undefined
      ? []
      : [{ who: peer.who, value: `${(fs.statSync(binary).size / MB).toFixed(1)} MB` }];
  });
  return [figure(head, `${(bytes / MB).toFixed(1)} MB`, [], others)];
}

export const rows = [
  { name: "run", run: throughput },
  { name: "picture", run: picture },
  { name: "size", run: size },
];
