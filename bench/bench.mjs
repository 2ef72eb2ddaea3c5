// Measures what Sidestick costs beside the raw protocol and the peers, in turns within one run, and
// says which bars were held.
//
//   node bench/bench.mjs [--sidestick PATH] [--browser PATH] [--only ROW]... [--quick]
//                        [--without-peers] [--write]
//
// A whole run writes target/bars/bench.json and bench/RESULTS.md; a part of one, or a quick one,
// writes them only with --write. Exits 0 when every bar was held or its miss is explained in
// explanations.mjs, 1 otherwise, 2 for arguments that cannot be used, 5 when something is missing.

import fs from "node:fs";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

import { Floor } from "./drivers/floor.mjs";
import { PEERS, missingPeers } from "./drivers/peers.mjs";
import { Sidestick, SidestickCli } from "./drivers/sidestick.mjs";
import { World } from "./lib/cli.mjs";
import { machine } from "./lib/machine.mjs";
import { pages } from "./lib/pages.mjs";
import { endAll, isInterrupted, strays, toolMemory, waitFor } from "./lib/processes.mjs";
import { markdown, printed, verdict } from "./lib/results.mjs";
import { serve } from "./lib/server.mjs";
import { rows as absent } from "./rows/absent.mjs";
import { rows as acts } from "./rows/acts.mjs";
import { rows as commands } from "./rows/commands.mjs";
import { rows as outlines } from "./rows/outlines.mjs";
import { rows as processes } from "./rows/processes.mjs";
import { rows as runs } from "./rows/runs.mjs";
import { rows as takeover } from "./rows/takeover.mjs";

const HERE = path.dirname(fileURLToPath(import.meta.url));
const ROOT = path.dirname(HERE);
// Small things first: pages of 100,000 nodes keep the machine busy for a while after they are read.
const ROWS = [...commands, ...processes, ...acts, ...outlines, ...runs, ...takeover, ...absent];

const BROWSERS = ["/usr/lib/chromium/chromium", "/usr/bin/chromium", "/usr/bin/google-chrome"];
const SHELL = "/usr/bin/chromium-headless-shell";
const QUICK_SHARE = 10;
/** Time after which nothing may be left of what was ended. */
const GONE_TIME_MAX_MS = 5_000;
const EXIT = { held: 0, missed: 1, badArguments: 2, missing: 5 };

/** What every row has at hand. */
export class Bench {
  /** @type {import('./lib/server.mjs').Site} */ site;
  /** @type {World} */ world;
  /** @type {Floor} */ floor;
  /** @type {Sidestick} */ ours;
  /** @type {SidestickCli} */ cli;
  /** @type {any[]} The peers that run. */ peers = [];
  /** @type {any[]} */ peerTypes = [];
  /** @type {Record<string, Record<string, ReturnType<typeof toolMemory>>>} By peer and moment. */ peerMemory =
    {};
  #encoder;

  constructor({ browser, shell, quick, peerTypes }) {
    Object.assign(this, { browser, shell, quick, peerTypes });
  }

  async start(binary) {
    this.site = await serve(pages());
    this.world = new World({ binary, browser: this.browser });
    const first = `${this.site.origin}/buttons`;
    this.floor = await Floor.start(this.browser);
    this.ours = await Sidestick.start(this.world, first);
    this.cli = new SidestickCli(this.ours.run);
    for (const { type } of this.peerTypes) this.peers.push(await type.start(this.browser));
    for (const driver of [this.floor, ...this.peers]) await driver.open(first);
    this.#keepPeerMemory("idle");
  }

  /** Returns how many rounds a row really takes. @param {number} full */
  n(full) {
    return this.quick ? Math.max(3, Math.ceil(full / QUICK_SHARE)) : full;
  }

  /** Returns how many tokens a text costs a model, by cl100k; null without the tokenizer. @param {string} text */
  tokens(text) {
    if (this.#encoder === undefined) {
      try {
        const peers = createRequire(path.join(HERE, "peers/package.json"));
        this.#encoder = peers("js-tiktoken").getEncoding("cl100k_base");
      } catch {
        this.#encoder = null;
      }
    }
    return this.#encoder === null ? null : this.#encoder.encode(text, "all").length;
  }

  /** Runs one group of rows and returns them with the load they ran under. */
  async measure({ name, run }) {
    const load = os.loadavg()[0];
    const began = performance.now();
    const found = await run(this).catch((error) => {
      if (isInterrupted()) throw error;
      // One group that cannot be measured does not take the others along, and is not forgotten.
      const ours = {
        who: "sidestick",
        value: "failed",
        failures: 1,
        errors: [String(error.message)],
      };
      return [{ row: name, title: name, bar: "", ours, floor: null, others: [], bars: [] }];
    });
    if (name.startsWith("outline-")) this.#keepPeerMemory("outlines");
    // What a large page still does must not fall into the next row.
    for (const driver of [this.floor, this.ours, ...this.peers]) {
      await driver.open(`${this.site.origin}/buttons`);
    }
    const seconds = (performance.now() - began) / 1_000;
    return found.map((row) => ({ ...row, load, seconds }));
  }

  #keepPeerMemory(moment) {
    for (const peer of this.peers) {
      this.peerMemory[peer.who] = {
        ...this.peerMemory[peer.who],
        [moment]: toolMemory(peer.processes()),
      };
    }
  }

  async end() {
    for (const each of [...this.peers, this.ours, this.floor]) {
      // What cannot be ended in order is ended by its id afterwards.
      await each?.end().catch((error) => console.error(`error: ${error.message}`));
    }
    await this.site?.close();
  }
}

function options() {
  const text = { type: /** @type {const} */ ("string") };
  const flag = { type: /** @type {const} */ ("boolean"), default: false };
  const { values } = parseArgs({
    options: {
      sidestick: {
        ...text,
        default: path.join(
          process.env.CARGO_TARGET_DIR ?? path.join(ROOT, "target"),
          "release/sidestick",
        ),
      },
      browser: text,
      only: { ...text, multiple: true, default: [] },
      quick: flag,
      "without-peers": flag,
      write: flag,
    },
  });
  const unknown = values.only.find((name) => ROWS.every((row) => row.name !== name));
  if (unknown !== undefined) {
    throw new Error(`\`${unknown}\` is no row; one of ${ROWS.map((row) => row.name).join(", ")}`);
  }
  return values;
}

/** Returns what has to be there and is not, in words. */
function missing(asked, browser) {
  const found = [];
  if (!fs.existsSync(asked.sidestick))
    found.push(`${asked.sidestick}: \`cargo build --release --package sidestick\` makes it`);
  if (browser === undefined) found.push("chromium: `apt-get install chromium` installs it");
  const peers = asked["without-peers"] ? [] : missingPeers();
  for (const name of peers)
    found.push(
      `${name}: \`npm ci --prefix bench/peers\` installs it; --without-peers leaves the peers out`,
    );
  return found;
}

async function run(asked, browser) {
  const shell = fs.existsSync(SHELL) ? SHELL : undefined;
  const peerTypes = asked["without-peers"] ? [] : PEERS;
  const bench = new Bench({ browser, shell, quick: asked.quick, peerTypes });
  const wanted = ROWS.filter(({ name }) => asked.only.length === 0 || asked.only.includes(name));
  const began = performance.now();
  const about = machine({ binary: asked.sidestick, browser, peers: peerTypes.length > 0 });
  const done = [];
  let left;
  try {
    await bench.start(asked.sidestick);
    for (const group of wanted) {
      for (const row of await bench.measure(group)) {
        console.log(printed(row));
        done.push(row);
      }
    }
  } finally {
    if (!isInterrupted()) {
      await bench.end();
      await waitFor(() => strays().length === 0, GONE_TIME_MAX_MS);
      left = { ...bench.world?.leftovers(), processes: strays().length };
      await endAll();
    }
  }
  return {
    ...about,
    seconds: (performance.now() - began) / 1_000,
    quick: asked.quick,
    only: asked.only,
    rows: done,
    left,
  };
}

async function main() {
  let asked;
  try {
    asked = options();
  } catch (error) {
    console.error(`error: ${error.message}`);
    return EXIT.badArguments;
  }
  const browser = asked.browser ?? BROWSERS.find((place) => fs.existsSync(place));
  const lacking = missing(asked, browser);
  if (lacking.length > 0) {
    for (const each of lacking) console.error(`missing: ${each}`);
    return EXIT.missing;
  }

  const found = await run(asked, browser);
  const judged = verdict(found.rows, found.left);
  const isWhole = asked.only.length === 0 && !asked.quick;
  if (isWhole || asked.write) {
    const bars = path.join(ROOT, "target/bars");
    fs.mkdirSync(bars, { recursive: true });
    fs.writeFileSync(
      path.join(bars, "bench.json"),
      `${JSON.stringify({ ok: judged.ok, ...judged, ...found }, null, 2)}\n`,
    );
    fs.writeFileSync(path.join(HERE, "RESULTS.md"), markdown(found, judged));
  }
  for (const line of judged.lines) console.log(line);
  console.log(
    `${judged.bars} bars, ${judged.missed} missed, ${judged.failures} rounds of ours failed, ${found.seconds.toFixed(0)} s`,
  );
  return judged.ok ? EXIT.held : EXIT.missed;
}

process.exitCode = await main().catch(async (error) => {
  // On a signal everything is ended by whoever heard it, and that is where we exit.
  if (isInterrupted()) await new Promise(() => {});
  console.error(`error: ${error.stack ?? error}`);
  await endAll();
  return EXIT.missed;
});
process.exit();
