// Holds what each tool says against what the pages' own records say, and publishes the rates.
//
//   node bench/scoreboard.mjs [--sidestick PATH] [--browser PATH] [--only CORPUS]... [--cases TEXT]
//                             [--tools a,b] [--seed N] [--acts N] [--quick] [--out FILE]
//
// --cases takes a part of the cases' names, --acts how many random acts are made.
//
// A whole run writes target/bars/scoreboard.json and docs/scoreboard.md; a part of one writes only
// where --out says. Exits 0 when every bar of ours was held, 1 otherwise, 2 for arguments that
// cannot be used, 5 when something is missing.

import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

import { PEERS, missingPeers } from "./drivers/peers.mjs";
import { atMost } from "./lib/bars.mjs";
import { machine } from "./lib/machine.mjs";
import { endAll, isInterrupted } from "./lib/processes.mjs";
import { barsOf, markdown, printed, summaries } from "./scoreboard/report.mjs";

const HERE = path.dirname(fileURLToPath(import.meta.url));
const ROOT = path.dirname(HERE);
const BROWSERS = ["/usr/lib/chromium/chromium", "/usr/bin/chromium", "/usr/bin/google-chrome"];
const EXIT = { held: 0, missed: 1, badArguments: 2, missing: 5 };
const SEED = 20261201;

/** Each corpus and where it lives; one that is not there is said to be missing. */
const CORPORA = {
  truth: "scoreboard/truth.mjs",
  faults: "scoreboard/faults.mjs",
  random: "scoreboard/random.mjs",
  miniwob: "miniwob/run.mjs",
  widgets: "widgets/run.mjs",
};
const TOOLS = ["sidestick", ...PEERS.map(({ who }) => who)];

function options() {
  const text = { type: /** @type {const} */ ("string") };
  const target = process.env.CARGO_TARGET_DIR ?? path.join(ROOT, "target");
  const { values } = parseArgs({
    options: {
      sidestick: { ...text, default: path.join(target, "release/sidestick") },
      browser: text,
      only: { ...text, multiple: true, default: [] },
      cases: text,
      tools: { ...text, default: TOOLS.join(",") },
      seed: { ...text, default: String(SEED) },
      acts: text,
      quick: { type: /** @type {const} */ ("boolean"), default: false },
      out: text,
    },
  });
  const tools = values.tools.split(",").filter((name) => name !== "");
  const known = (list, all, what) => {
    const wrong = list.find((name) => !all.includes(name));
    if (wrong !== undefined)
      throw new Error(`\`${wrong}\` is no ${what}; one of ${all.join(", ")}`);
  };
  known(values.only, Object.keys(CORPORA), "corpus");
  known(tools, TOOLS, "tool");
  const seed = Number(values.seed);
  if (!Number.isInteger(seed)) throw new Error(`\`${values.seed}\` is no seed`);
  const acts = values.acts === undefined ? undefined : Number(values.acts);
  if (acts !== undefined && !(acts > 0)) throw new Error(`\`${values.acts}\` is no number of acts`);
  return { ...values, tools, seed, acts };
}

/** Returns what has to be there and is not, in words. */
function missing(asked, browser) {
  const found = [];
  if (!fs.existsSync(asked.sidestick))
    found.push(`${asked.sidestick}: \`cargo build --release --package sidestick\` makes it`);
  if (browser === undefined) found.push("chromium: `apt-get install chromium` installs it");
  const lacking = new Set(missingPeers());
  for (const { who, package: name } of PEERS)
    if (asked.tools.includes(who) && lacking.has(name))
      found.push(
        `${name}: \`npm ci --prefix bench/peers\` installs it; --tools sidestick leaves the peers out`,
      );
  return found;
}

/** The corpora that ask nothing of the peers. */
const OURS_ALONE = ["random", "miniwob"];

/** Runs one corpus; one that breaks does not take the others along, and is not forgotten. */
async function corpusRows(name, asked) {
  const file = path.join(HERE, CORPORA[name]);
  if (!fs.existsSync(file)) return { absent: `bench/${CORPORA[name]} is not there`, rows: [] };
  try {
    const { run } = await import(file);
    const { sidestick, browser, seed, quick, tools, cases, acts } = asked;
    const say = (row) => console.log(printed({ corpus: name, ...row }));
    const rows = await run({
      sidestick,
      browser,
      seed,
      quick,
      only: cases,
      tools,
      acts,
      say,
      told: say,
      each: say,
    });
    return { rows: rows.filter(({ tool }) => tools.includes(tool)).map(rowOf) };
  } catch (error) {
    if (isInterrupted()) throw error;
    console.error(`error: ${error.stack ?? error}`);
    const note = String(error.message).replace(/\s+/g, " ").slice(0, 300);
    const row = {
      corpus: name,
      case: "the whole corpus",
      tool: asked.tools[0],
      verdict: "error",
      ms: 0,
      note,
    };
    return { absent: note, rows: [row] };
  }
}

/** Only what is published of a row; a corpus keeps more beside it. */
function rowOf({ corpus, case: name, kind, tool, idle, verdict, ms, refusal_ms, note }) {
  return { corpus, case: name, kind, tool, idle, verdict, ms, refusal_ms, note: note ?? "" };
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

  const began = performance.now();
  const about = machine({ binary: asked.sidestick, browser, peers: asked.tools.length > 1 });
  const wanted = Object.keys(CORPORA).filter(
    (name) => asked.only.length === 0 || asked.only.includes(name),
  );
  console.log(`seed ${asked.seed}`);
  const rows = [];
  const absent = {};
  for (const name of wanted) {
    if (OURS_ALONE.includes(name) && !asked.tools.includes("sidestick")) continue;
    const found = await corpusRows(name, { ...asked, browser });
    if (found.absent !== undefined) {
      absent[name] = found.absent;
      console.log(`absent: ${name}: ${found.absent}`);
    }
    rows.push(...found.rows);
  }
  const seconds = (performance.now() - began) / 1_000;
  const found = {
    ...about,
    seed: asked.seed,
    quick: asked.quick,
    seconds,
    absent,
    corpora: wanted,
    tools: asked.tools,
  };
  return publish(asked, { ...found, rows });
}

/** Writes and prints what was found. */
function publish(asked, found) {
  const gone = Object.keys(found.absent).length;
  const bars = [...barsOf(found.rows), atMost("corpora that are not there or broke", gone, 0, "")];
  const whole = {
    ok: bars.every(({ ok }) => ok),
    bars,
    summaries: summaries(found.rows),
    ...found,
  };
  const isWhole =
    asked.only.length === 0 &&
    asked.cases === undefined &&
    !asked.quick &&
    asked.tools.length === TOOLS.length;
  const out = asked.out ?? (isWhole ? path.join(ROOT, "target/bars/scoreboard.json") : undefined);
  if (out !== undefined) {
    fs.mkdirSync(path.dirname(out), { recursive: true });
    fs.writeFileSync(out, `${JSON.stringify(whole, null, 2)}\n`);
    const page = isWhole ? path.join(ROOT, "docs/scoreboard.md") : out.replace(/(\.json)?$/, ".md");
    fs.writeFileSync(page, markdown(whole));
  }
  for (const [tool, all] of Object.entries(whole.summaries))
    console.log(`${tool}: ${JSON.stringify(all)}`);
  for (const bar of bars)
    console.log(
      `${bar.ok ? "ok  " : "MISS"} ${bar.what}: ${bar.value}${bar.unit} (at most ${bar.limit}${bar.unit})`,
    );
  return whole.ok ? EXIT.held : EXIT.missed;
}

process.exitCode = await main().catch((error) => {
  console.error(`error: ${error.stack ?? error}`);
  return EXIT.missed;
});
if (!isInterrupted()) {
  await endAll();
  process.exit();
}
