// The widgets corpus: a page per widget library, and what each tool does to it, judged by what the
// server was given.
//
//   node bench/widgets/run.mjs [--sidestick PATH] [--browser PATH] [--only TEXT] [--quick]
//                              [--tools sidestick,agent-browser] [--told] [--json]
//
// --told also prints what a tool said about each step.

import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

import { PEERS, missingPeers } from "../drivers/peers.mjs";
import { World } from "../lib/cli.mjs";
import { endAll, isInterrupted, waitFor } from "../lib/processes.mjs";
import { serve } from "../lib/server.mjs";
import { built, isInstalled } from "./build.mjs";
import { PEER_HANDS, SidestickHand } from "./hands.mjs";
import { judge } from "./judge.mjs";
import { scenarios } from "./scenarios.mjs";

const HERE = path.dirname(fileURLToPath(import.meta.url));
const TARGET = process.env.CARGO_TARGET_DIR ?? path.join(HERE, "../../target");
const BROWSERS = ["/usr/lib/chromium/chromium", "/usr/bin/chromium", "/usr/bin/google-chrome"];
/** More acts than the corpus asks for. */
const ACTIONS = 20_000;
/** A save that was pressed for and does not come in this time was not made. */
const SAVE_TIME_MAX_MS = 2_000;
/** Of the scenarios a quick run takes one in so many. */
const QUICK_SHARE = 6;

/** Every tool the corpus knows. */
export const TOOLS = ["sidestick", ...PEERS.map((peer) => peer.who)];

/**
 * Runs the corpus.
 * @param {{sidestick: string, browser: string, seed?: number, quick?: boolean, only?: string, tools?: string[], each?: (row: any) => void}} options
 *   The seed is not used: each scenario is a script. `each` is told every row as it is made.
 */
export async function run({ sidestick, browser, quick = false, only, tools = TOOLS, each }) {
  if (!isInstalled()) throw new Error("the libraries are missing; `npm ci --prefix bench/widgets` installs them");
  const wanted = scenarios
    .filter(({ page, name }) => only === undefined || `${page}: ${name}`.includes(only))
    .filter((_, at) => !quick || at % QUICK_SHARE === 0);
  const site = await serve(await built());
  const rows = [];
  try {
    for (const tool of tools) {
      const { hand, end } = await taken(tool, { sidestick, browser, site });
      const of = { hand, site, tool };
      const made = [];
      for (const scenario of wanted) {
        if (scenario.tools !== undefined && !scenario.tools.includes(tool)) continue;
        const row = await one(scenario, of);
        made.push(row);
        each?.(row);
      }
      rows.push(...made.map((row) => again(row, site)));
      await end();
    }
  } finally {
    await site.close();
  }
  return rows.map(({ token, told, ...row }) => row);
}

/** Starts a tool. */
async function taken(tool, { sidestick, browser, site }) {
  if (tool !== "sidestick") {
    const peer = await PEERS.find(({ who }) => who === tool).type.start(browser);
    return { hand: new PEER_HANDS[tool](peer), end: () => peer.end() };
  }
  const world = new World({ binary: sidestick, browser });
  const run = await world.begin(`${site.origin}/${scenarios[0].page}`, { actions: ACTIONS });
  const client = await run.connect();
  const end = async () => {
    client.close();
    await run.end();
  };
  return { hand: new SidestickHand(client), end };
}

let tries = 0;

/** Does one scenario on a page that was just loaded, and judges it. */
async function one(scenario, { hand, site, tool }) {
  const token = `?try=${++tries}`;
  const row = { corpus: "widgets", case: `${scenario.page}: ${scenario.name}`, tool };
  const began = performance.now();
  let failure;
  try {
    await hand.open(`${site.origin}/${scenario.page}${token}`);
    hand.begin();
    await scenario.act(hand);
    if (!scenario.savesItself) await hand.save();
  } catch (error) {
    if (isInterrupted()) throw error;
    failure = error;
  }
  const ms = Math.round(performance.now() - began);
  if (failure === undefined) await waitFor(() => savesOf(site, token).length > 0, SAVE_TIME_MAX_MS, 5);
  const saves = savesOf(site, token);
  return { ...row, ...judge({ scenario, saves, told: hand.told, failure }), ms, token, told: hand.told };
}

function savesOf(site, token) {
  return site.received
    .filter(({ path: to, search }) => to.startsWith("/save/") && search === token)
    .map(({ body }) => JSON.parse(body));
}

/** A save that came twice came late: it is looked for when all is done. */
function again(row, site) {
  const count = savesOf(site, row.token).length;
  return count > 1 ? { ...row, verdict: "duplicate", note: `${count} saves; ${row.note}` } : row;
}

function options() {
  const text = /** @type {const} */ ({ type: "string" });
  const flag = /** @type {const} */ ({ type: "boolean", default: false });
  const { values } = parseArgs({
    options: {
      sidestick: { ...text, default: path.join(TARGET, "release/sidestick") },
      browser: { ...text, default: BROWSERS.find((place) => fs.existsSync(place)) },
      only: text,
      tools: { ...text, default: TOOLS.join(",") },
      quick: flag,
      told: flag,
      json: flag,
    },
  });
  const tools = values.tools.split(",");
  const unknown = tools.find((tool) => !TOOLS.includes(tool));
  if (unknown !== undefined) throw new Error(`\`${unknown}\` is no tool; one of ${TOOLS.join(", ")}`);
  const lacking = tools.some((tool) => tool !== "sidestick") ? missingPeers() : [];
  if (lacking.length > 0) throw new Error(`missing: ${lacking.join(", ")}; \`npm ci --prefix bench/peers\``);
  return { ...values, tools };
}

async function main() {
  const asked = options();
  const printed = (row) => {
    const { verdict, tool, case: name, ms, note, told } = row;
    console.log(`${verdict.padEnd(13)} ${tool.padEnd(19)} ${name} (${ms} ms) ${note}`);
    for (const { words } of asked.told ? told : []) console.log(`    ${words}`);
  };
  const rows = await run({ ...asked, each: asked.json ? undefined : printed });
  if (asked.json) console.log(JSON.stringify(rows));
  for (const tool of asked.json ? [] : asked.tools) {
    const own = rows.filter((row) => row.tool === tool);
    const counts = new Map();
    for (const { verdict } of own) counts.set(verdict, (counts.get(verdict) ?? 0) + 1);
    const parts = [...counts].map(([verdict, count]) => `${count} ${verdict}`);
    console.log(`${tool}: ${own.length} scenarios: ${parts.join(", ")}`);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.exitCode = await main().then(
    () => 0,
    (error) => {
      console.error(`error: ${error.stack ?? error}`);
      return 1;
    },
  );
  await endAll();
  process.exit();
}
