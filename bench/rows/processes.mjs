// What our processes take: memory, processor time while idle, time to start.

import { Floor } from "../drivers/floor.mjs";
import { Sidestick } from "../drivers/sidestick.mjs";
import { atMost, rowOf } from "../lib/bars.mjs";
import { cpuTimeMs, pause, toolMemory } from "../lib/processes.mjs";
import { inTurns } from "../lib/stats.mjs";

/** Time after which pictures and reports of what was done are written. */
const REST_MS = 1_500;

/** A row of one number that was read, not timed. */
function figure(head, who, value, others, bars) {
  const ours = { who, value, failures: 0 };
  return { bar: "", ...head, ours, floor: null, others, bars };
}

const mb = (value) => `${value.toFixed(1)} MB`;
const shown = ({ rssMb, pssMb }) => `${mb(rssMb)} RSS, ${mb(pssMb)} PSS`;

async function memoryOf(driver) {
  await pause(REST_MS);
  return toolMemory(driver.processes());
}

/** @param {import('../bench.mjs').Bench} bench */
async function acts(bench) {
  const own = await Sidestick.start(bench.world, `${bench.site.origin}/buttons`);
  try {
    await own.prepare();
    const idle = await memoryOf(own);
    const cpu = await idleCpu(bench, own);
    const click = async (from, to) => {
      let failures = 0;
      for (let each = from; each < to; each++) {
        if ((await own.click("Count")).status !== "OBSERVED") failures += 1;
      }
      return failures;
    };
    const many = bench.quick ? 200 : 1_000;
    let failures = await click(0, 100);
    const after100 = await memoryOf(own);
    failures += await click(100, many);
    const after1000 = await memoryOf(own);
    const counted = Number(/counted (\d+)/.exec(await own.state())?.[1]);
    failures += Math.abs(many - counted);
    return memoryRows(bench, { idle, cpu, after100, after1000, many, failures });
  } finally {
    await own.end();
  }
}

/** Returns the processor time of host and keeper while nobody asks anything. */
async function idleCpu(bench, own) {
  const seconds = bench.quick ? 5 : 30;
  const read = () => own.processes().reduce((total, pid) => total + cpuTimeMs(pid), 0);
  const [began, at] = [read(), performance.now()];
  await pause(seconds * 1_000);
  const share = ((read() - began) / (performance.now() - at)) * 100;
  return { share, seconds };
}

function memoryRows(bench, { idle, cpu, after100, after1000, many, failures }) {
  const peers = (key) =>
    Object.entries(bench.peerMemory).flatMap(([who, found]) => {
      return found[key] === undefined ? [] : [{ who, value: shown(found[key]) }];
    });
  const note = "host and keeper together; browsers left out";
  const grown = (after1000.pssMb / after100.pssMb - 1) * 100;
  const failed = { ...atMost("acts without their effect", failures, 0, ""), ok: failures === 0 };
  return [
    figure(
      { row: "memory", title: "memory, idle on a small page", bar: "at most 20 MB", note },
      "sidestick",
      shown(idle),
      peers("idle"),
      [atMost("RSS", idle.rssMb, 20, "MB")],
    ),
    figure(
      {
        row: "memory",
        title: `memory after ${many} acts, against after 100`,
        bar: "within 10%",
        note: `after 100: ${shown(after100)}`,
      },
      "sidestick",
      shown(after1000),
      [],
      [atMost("PSS grown by", grown, 10, "%"), failed],
    ),
    figure(
      {
        row: "memory",
        title: `processor time while idle, ${cpu.seconds} s`,
        bar: "at most 0.1% of one core",
      },
      "sidestick",
      `${cpu.share.toFixed(3)}%`,
      [],
      [atMost("share of one core", cpu.share, 0.1, "%")],
    ),
  ];
}

const BIG = ["table", "portal", "mail", "table", "portal", "mail"];

/** @param {import('../bench.mjs').Bench} bench */
async function bigOutlines(bench) {
  const own = await Sidestick.start(bench.world, `${bench.site.origin}/buttons`);
  const peers = Object.entries(bench.peerMemory).flatMap(([who, its]) => {
    return its.outlines === undefined ? [] : [{ who, value: shown(its.outlines) }];
  });
  const after = async (all, title, others) => {
    for (const page of BIG) {
      await own.open(`${bench.site.origin}/${page}`);
      await own.outline({ whole: true, all });
    }
    const found = await memoryOf(own);
    const head = { row: "memory", title, bar: "at most 60 MB" };
    if (others.length > 0) head.note = "the peers: after all their outlines of this run";
    return figure(head, "sidestick", shown(found), others, [atMost("RSS", found.rssMb, 60, "MB")]);
  };
  try {
    return [
      await after(false, "memory after six big outlines, each within 20,000 characters", []),
      await after(true, "memory after six more, each uncut", peers),
    ];
  } finally {
    await own.end();
  }
}

/** @param {import('../bench.mjs').Bench} bench */
async function memory(bench) {
  return [...(await bigOutlines(bench)), ...(await acts(bench))];
}

/**
 * Measures from nothing to the first outline in one browser.
 * @param {import('../bench.mjs').Bench} bench
 * @param {{browser: string, title: string, limit: number, n: number, peers: boolean}} how
 */
async function startWith(bench, { browser, title, limit, n, peers }) {
  const url = `${bench.site.origin}/form`;
  const lookedAt = (text) => text.includes("Create account");
  const entry = (who, rounds, start) => {
    let running;
    return {
      who,
      n: rounds,
      op: async () => {
        const [driver, outline] = await start();
        running = driver;
        return outline;
      },
      check: async (_, outline) => {
        await running.end();
        return lookedAt(outline);
      },
    };
  };
  const entries = [
    entry("raw protocol", bench.n(n), async () => {
      const driver = await Floor.start(browser);
      await driver.open(url);
      return [driver, await driver.outline({ whole: false })];
    }),
    // The first outline is in the answer of `begin`.
    entry("sidestick", bench.n(n), async () => {
      const run = await bench.world.begin(url, { browser });
      return [run, run.outline];
    }),
  ];
  for (const { who, type } of peers ? bench.peerTypes : []) {
    entries.push(
      entry(who, bench.n(3), async () => {
        const driver = await type.start(browser);
        await driver.open(url);
        return [driver, await driver.outline({})];
      }),
    );
  }
  const measured = await inTurns(entries, { warmUp: 1 });
  const head = { row: "start", title, bar: `p50 at most ${limit} ms` };
  return rowOf(head, measured, {
    ours: "sidestick",
    floor: "raw protocol",
    bars: (own) => [atMost("p50", own.p50, limit)],
  });
}

/** @param {import('../bench.mjs').Bench} bench */
async function starts(bench) {
  const rows = [];
  const full = { title: "start to first outline, chromium", limit: 600, n: 25, peers: true };
  rows.push(await startWith(bench, { ...full, browser: bench.browser }));
  if (bench.shell !== undefined) {
    const small = {
      title: "start to first outline, headless-shell",
      limit: 300,
      n: 30,
      peers: false,
    };
    rows.push(await startWith(bench, { ...small, browser: bench.shell }));
  }
  return rows;
}

export const rows = [
  { name: "memory", run: memory },
  { name: "start", run: starts },
];
