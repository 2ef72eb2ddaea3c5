// What the bench itself may not get wrong: `node --test bench/test/`.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { describe, it } from "node:test";

import { allHeld, atLeast, atMost, rowOf } from "../lib/bars.mjs";
import { refIn } from "../lib/host-client.mjs";
import { end, endTree, isAlive, pause, start, strays, tree, waitFor } from "../lib/processes.mjs";
import { verdict } from "../lib/results.mjs";
import { serve } from "../lib/server.mjs";
import { inTurns, quantile, random, summary } from "../lib/stats.mjs";

const PATH = { PATH: process.env.PATH ?? "/usr/bin:/bin" };

describe("numbers", () => {
  it("takes the nearest rank, and says nothing of nothing", () => {
    const hundred = Array.from({ length: 100 }, (_, index) => index + 1);

    assert.equal(quantile(hundred, 0.5), 50);
    assert.equal(quantile(hundred, 0.95), 95);
    assert.equal(quantile([7], 0.95), 7);
    assert.equal(summary([3, 1, 2]).p50, 2);
    assert.ok(Number.isNaN(summary([]).p50));
  });

  it("gives the same numbers for the same seed, between 0 and 1", () => {
    const [one, other] = [random(5), random(5)];
    const drawn = Array.from({ length: 1000 }, () => [one(), other()]);

    assert.ok(drawn.every(([a, b]) => a === b && a >= 0 && a < 1));
    assert.ok(new Set(drawn.map(([a]) => a)).size > 990);
  });
});

describe("turns", () => {
  it("asks in turns, and spreads the rounds of whoever has fewer", async () => {
    const asked = [];
    const entry = (who, n) => ({ who, n, op: async () => void asked.push(who) });

    const measured = await inTurns([entry("a", 6), entry("b", 3)], { warmUp: 0 });

    assert.deepEqual(
      measured.map((each) => each.n),
      [6, 3],
    );
    assert.deepEqual(asked.join("").replaceAll("b", "").length, 6);
    assert.ok(!asked.join("").includes("bb"), asked.join(""));
  });

  it("counts a round without its effect as failed, with its time left out", async () => {
    const check = (round) => round !== 2;

    const [measured] = await inTurns([{ who: "a", n: 5, op: async () => "done", check }]);

    assert.equal(measured.n, 4);
    assert.equal(measured.failures, 1);
    assert.match(measured.errors[0], /no effect seen; it said done/);
  });

  it("counts every round that was not asked after three failures", async () => {
    let asked = 0;
    const op = async () => {
      asked += 1;
      throw new Error("broken");
    };

    const [measured] = await inTurns([{ who: "a", n: 50, op }], { warmUp: 0 });

    assert.equal(measured.failures, 50);
    assert.equal(asked, 3);
  });
});

describe("bars", () => {
  const measured = (failures) => [{ who: "ours", ...summary([10, 20, 30]), failures, errors: [] }];
  const row = (limit, failures = 0) =>
    rowOf({ row: "x", title: "a row without an explanation" }, measured(failures), {
      ours: "ours",
      bars: (own) => [atMost("p50", own.p50, limit)],
    });

  it("a bar that is held is held", () => {
    assert.equal(verdict([row(20)]).ok, true);
    assert.equal(atLeast("acts", 20, 20).ok, true);
    assert.equal(atLeast("acts", 19.9, 20).ok, false);
  });

  it("a value that is not a number holds no bar", () => {
    assert.equal(atMost("p50", NaN, 20).ok, false);
    assert.equal(atLeast("acts", NaN, 20).ok, false);
  });

  it("a miss that nobody explained fails the run", () => {
    const judged = verdict([row(19)]);

    assert.equal(judged.ok, false);
    assert.equal(judged.missed, 1);
    assert.match(judged.lines[0], /20.0 ms where 19 is the bar; not explained/);
  });

  it("a reason excuses its own bar, and no more than it says", () => {
    const title = "a row without an explanation";
    const judge = (reason) => verdict([row(19)], {}, { [title]: { why: "so", ...reason } }).ok;

    assert.equal(judge({ what: "p50", worst: 20 }), true);
    assert.equal(judge({ what: "p50", worst: 19.5 }), false);
    assert.equal(judge({ what: "p95", worst: 20 }), false);
  });

  it("what is left running or lying about fails the run", () => {
    assert.equal(verdict([row(20)], { processes: 1 }).ok, false);
    assert.equal(verdict([row(20)], { profiles: ["p"] }).ok, false);
    assert.equal(verdict([row(20)], { processes: 0, profiles: [], entries: [] }).ok, true);
  });

  it("a row whose own numbers are missing is no row", () => {
    const bars = () => [];
    assert.throws(() => rowOf({ row: "x", title: "t" }, measured(0), { ours: "else", bars }));
  });

  it("a round of ours without its effect fails the run, however fast the others were", () => {
    assert.equal(verdict([row(20, 1)]).ok, false);
    assert.equal(allHeld({ who: "ours", failures: 1 }).ok, false);
  });
});

describe("outlines", () => {
  const outline =
    'heading 1 "Sign up"\ntextbox "Name" value "e9" filled e4\n  button "Say \\"hi\\"" e5\nbutton "Save" disabled f1e6\n';

  it("finds the ref of a role and a name", () => {
    assert.equal(refIn(outline, "button", "Save"), "f1e6");
    assert.equal(refIn(outline, "button", 'Say "hi"'), "e5");
  });

  it("does not take a value for a ref", () => {
    assert.equal(refIn(outline, "textbox", "Name"), "e4");
  });

  it("fails on what is not there", () => {
    assert.throws(() => refIn(outline, "button", "Delete"), /no button "Delete"/);
  });
});

describe("the site", () => {
  it("remembers what came, and tells only the pages that are meant", async () => {
    const site = await serve({ "/a": "<p>a</p>" });
    try {
      const [one, other] = await Promise.all(
        ["?one", "?other"].map((search) => fetch(`${site.origin}/live${search}`)),
      );
      const readers = [one, other].map((answer) => answer.body.getReader());
      for (const reader of readers) await reader.read();
      site.tell("hello", "?one");
      const heard = new TextDecoder().decode((await readers[0].read()).value);
      const silent = await Promise.race([readers[1].read(), pause(50).then(() => "silent")]);
      const next = site.next((came) => came.path === "/sent");
      await fetch(`${site.origin}/sent?x`, { method: "POST", body: "7" });

      assert.equal(heard, "data: hello\n\n");
      assert.equal(silent, "silent");
      assert.deepEqual(await next, { method: "POST", path: "/sent", search: "?x", body: "7" });
      assert.equal(site.received.length, 1);
      assert.equal((await fetch(`${site.origin}/none`)).status, 404);
    } finally {
      await site.close();
    }
  });
});

describe("processes", () => {
  it("ends what it started, and what is below it", async () => {
    const child = start("/bin/sh", ["-c", "sleep 600 & wait"], { env: PATH, stdio: "ignore" });
    await waitFor(() => tree(child.pid).length === 2, 5_000);
    const both = tree(child.pid);

    await endTree(child.pid);

    assert.equal(both.length, 2);
    assert.ok(both.every((pid) => !isAlive(pid)));
  });

  it("finds a process that made itself independent by its mark", async () => {
    const child = start("/bin/sh", ["-c", "setsid sleep 600 &"], { env: PATH, stdio: "ignore" });
    await waitFor(() => !isAlive(child.pid), 5_000);
    const found = strays();

    assert.equal(found.length, 1);
    process.kill(found[0], "SIGKILL");
    assert.ok(await waitFor(() => strays().length === 0, 5_000));
  });

  it("does not touch a number that it did not start", async () => {
    const stranger = spawnSync("/bin/sh", ["-c", "sleep 600 >/dev/null 2>&1 & echo $!"]);
    const pid = Number(String(stranger.stdout));

    await end(pid);

    assert.ok(isAlive(pid));
    process.kill(pid, "SIGKILL");
  });
});
