// The corpus `truth`: the table of trap inputs and the kinds each of them stands for.

import fs from "node:fs";
import path from "node:path";

import { cases as effects } from "./cases/effects.mjs";
import { cases as frames } from "./cases/frames.mjs";
import { cases as inputs } from "./cases/inputs.mjs";
import { cases as restless } from "./cases/restless.mjs";
import { cases as rows } from "./cases/rows.mjs";
import { MARK, cases as secrets } from "./cases/secrets.mjs";
import { cases as targets } from "./cases/targets.mjs";
import { cases as windows } from "./cases/windows.mjs";
import { runWith } from "./corpus.mjs";
import { inFiles } from "./tools.mjs";

export const CASES = [
  ...rows,
  ...targets,
  ...effects,
  ...inputs,
  ...frames,
  ...windows,
  ...restless,
  ...secrets,
];

/** A quick run asks the peers only this one in so many beyond the table. */
const QUICK_SHARE = 8;

/**
 * Runs the corpus.
 * @param {{sidestick: string, browser: string, quick?: boolean, only?: string, tools: string[], say?: (row: any) => void}} asked
 *   `only` is a part of the names of cases.
 * @returns {Promise<import('./corpus.mjs').Row[]>}
 */
export async function run(asked) {
  const named = CASES.filter(
    ({ name, kind }) => asked.only === undefined || `${kind} ${name}`.includes(asked.only),
  );
  const forTool = (who) =>
    who === "sidestick" || !asked.quick
      ? named
      : named.filter(({ kind }, at) => kind === "table" || at % QUICK_SHARE === 0);
  return runWith("truth", asked, forTool, async (tool, rows) => {
    if (tool.who !== "sidestick") return;
    const more = [leftInFolders(tool), ...(await configuration(tool.world))];
    more.forEach((row) => asked.say?.(row));
    rows.push(...more);
  });
}

/** Searches everything the runs wrote for the secrets of the corpus. */
function leftInFolders(tool) {
  const found = inFiles(tool.folders, [MARK]);
  const files = [...new Set(found.map(({ file }) => file))];
  return {
    corpus: "truth",
    case: "no secret stands in the run folder",
    kind: "secrets",
    tool: tool.who,
    verdict: found.length === 0 ? "right" : "leaked",
    ms: 0,
    note: files.join(" "),
  };
}

/** F23: what is named and cannot be used stops everything; stopping always works. */
async function configuration(world) {
  const broken = path.join(world.project, "broken.toml");
  fs.writeFileSync(broken, "this is = = no configuration\n");
  const row = (name, isRight, note) => ({
    corpus: "truth",
    case: name,
    kind: "table",
    tool: "sidestick",
    verdict: isRight ? "right" : "false_success",
    ms: 0,
    note: isRight ? "" : note,
  });
  const begin = [
    "begin",
    "--target",
    "http://127.0.0.1:9/",
    "--surface",
    "web",
    "--owner",
    "yours",
    "--unattended",
  ];
  const rows = [];
  for (const [what, file] of [
    ["broken", broken],
    ["missing", path.join(world.project, "none.toml")],
  ]) {
    const said = await world.run(["--config", file, ...begin, "--json"]);
    const isRight = said.exit !== 0 && /config/.test(said.out + said.err);
    rows.push(
      row(
        `F23 a configuration that is ${what} stops the beginning`,
        isRight,
        `exit ${said.exit}: ${said.out.slice(0, 200)}`,
      ),
    );
  }
  return rows;
}
