// The command line: one process per verb, on a session that is warm.

import { spawnSync } from "node:child_process";

import { atMost, rowOf } from "../lib/bars.mjs";
import { inTurns } from "../lib/stats.mjs";
import { AgentBrowser } from "../drivers/peers.mjs";

/** Runs a program while we do nothing else, and fails when it does. */
function now(program, args, env, cwd) {
  const done = spawnSync(program, args, { env, cwd, stdio: ["ignore", "pipe", "pipe"] });
  if (done.status !== 0) throw new Error(`${program} ${args[0]}: ${done.stderr}`);
  return String(done.stdout);
}

/** @param {import('../bench.mjs').Bench} bench */
async function verbs(bench) {
  const { ours, world, site } = bench;
  const native = bench.peers.find((peer) => peer instanceof AgentBrowser);
  for (const driver of [ours, native]) await driver?.open(`${site.origin}/form`);
  const verb = (...args) =>
    now(world.binary, [...args, "--run", ours.run.id], world.environment, world.project);

  const n = bench.n(200);
  const whole = (who, op, check = (_, said) => said !== "") => ({
    who,
    n,
    op: async () => op(),
    check,
  });
  const tells = (_, said) => said.includes(site.origin);
  const entries = [
    whole("--version", () => now(world.binary, ["--version"], world.environment, world.project)),
    whole("tab --list", () => verb("tab", "--list"), tells),
    whole("status", () => verb("status"), tells),
    whole(
      "find",
      () => verb("find", "--role", "button"),
      (_, said) => said.includes("Create account"),
    ),
    whole(
      "/bin/true",
      () => now("/bin/true", [], world.environment, world.project),
      () => true,
    ),
  ];
  if (native !== undefined) {
    const peer = (...args) => now(AgentBrowser.binary, args, native.env, native.cwd);
    entries.push(whole("agent-browser --version", () => peer("--version")));
    entries.push(whole("agent-browser get url", () => peer("get", "url"), tells));
  }
  const measured = await inTurns(entries);
  const p50 = (who) => measured.find((each) => each.who === who).p50;

  const pick = (...whos) => measured.filter((each) => whos.includes(each.who));
  const rows = [
    rowOf(
      {
        row: "cli",
        title: "CLI: `--version`",
        bar: "p50 at most 5 ms",
        note: "the floor is a process that does nothing",
      },
      pick("--version", "/bin/true", "agent-browser --version"),
      { ours: "--version", floor: "/bin/true", bars: (own) => [atMost("p50", own.p50, 5)] },
    ),
  ];
  for (const who of ["tab --list", "status", "find"]) {
    const head = {
      row: "cli",
      title: `CLI: \`${who}\`, warm`,
      bar: "p50 less `--version` at most 3 ms",
    };
    const others = who === "tab --list" ? ["agent-browser get url"] : [];
    rows.push(
      rowOf(head, pick(who, "--version", ...others), {
        ours: who,
        floor: "--version",
        bars: (own) => [atMost("p50 less --version", own.p50 - p50("--version"), 3)],
      }),
    );
  }
  return rows;
}

export const rows = [{ name: "cli", run: verbs }];
