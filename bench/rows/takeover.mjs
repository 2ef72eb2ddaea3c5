// How soon a brake is acknowledged, wherever in an act it falls.
//
// That nothing is sent after the acknowledgement is not judged here: a test counts on the wire.

import { Sidestick } from "../drivers/sidestick.mjs";
import { atMost } from "../lib/bars.mjs";
import { pause } from "../lib/processes.mjs";
import { random, summary } from "../lib/stats.mjs";

const SEED = 20_261;
const TEXT = "all hands on deck ".repeat(60);

/** What is under way when the brake falls, and how long it would go on, in milliseconds. */
const ACTIVITIES = [
  {
    title: "a long type",
    spanMs: 500,
    act: (own) => own.client.type(own.ref("textbox", "Long text"), TEXT),
  },
  {
    title: "a drag",
    spanMs: 300,
    act: (own) =>
      own.client.act({
        action: "drag",
        target: own.ref("button", "Carry"),
        to: own.ref("button", "Goal"),
      }),
  },
];

/** How an act that was cut, or was done before the brake fell, may end. */
const MAY_END = new Set(["UNKNOWN", "PARTIAL", "PAUSED", "OBSERVED", "NO_EFFECT", "UNSETTLED"]);

async function brakeDuring(own, brake, activity, delayMs) {
  const act = activity.act(own);
  await pause(delayMs);
  const began = performance.now();
  await brake.pause();
  const took = performance.now() - began;
  const outcome = await act;
  await brake.release();
  await own.client.observe();
  return { took, status: outcome.status, code: outcome.code };
}

/** @param {import('../bench.mjs').Bench} bench */
async function takeover(bench) {
  const own = await Sidestick.start(bench.world, `${bench.site.origin}/holding`);
  const brake = await own.run.connect("brake");
  const next = random(SEED);
  const done = ACTIVITIES.map((activity) => ({
    activity,
    times: [],
    failures: 0,
    errors: [],
    ended: {},
    cut: 0,
  }));
  try {
    await own.prepare();
    const rounds = bench.n(104);
    for (let round = 0; round < rounds; round++) {
      for (const each of done) {
        const { took, status, code } = await brakeDuring(
          own,
          brake,
          each.activity,
          next() * each.activity.spanMs,
        );
        each.times.push(took);
        each.ended[status] = (each.ended[status] ?? 0) + 1;
        if (code === "interrupted") each.cut += 1;
        if (!MAY_END.has(status)) {
          each.failures += 1;
          each.errors.push(`ended as ${status} ${code}`);
        }
      }
      // A field that grows for ever is another measurement.
      if (round % 10 === 9) await reopen(bench, own, done);
    }
    await balanced(own, done);
  } finally {
    brake.close();
    await own.end();
  }
  return done.map(({ activity, times, failures, errors, ended, cut }) => {
    const ours = { who: "sidestick", ...summary(times), failures, errors };
    const how = Object.entries(ended).map(([status, count]) => `${count} ${status}`);
    return {
      row: "takeover",
      title: `pause acknowledged, during ${activity.title}`,
      bar: "p95 at most 50 ms",
      note: `seed ${SEED}; ${cut} cut within the act; acts ended ${how.join(", ")}`,
      ours,
      floor: null,
      others: [],
      bars: [
        atMost("p95", ours.p95, 50),
        {
          ...atMost("acts that ended otherwise, or keys and buttons left down", failures, 0, ""),
          ok: failures === 0,
        },
      ],
    };
  });
}

async function reopen(bench, own, done) {
  await balanced(own, done);
  await own.open(`${bench.site.origin}/holding`);
  await own.prepare();
}

/** What went down came up again, by the page's own record. */
async function balanced(own, done) {
  await own.prepare();
  await own.click("Tell");
  const text = await own.state();
  const seen = JSON.parse(/\{"mousedown.*?\}/.exec(text)?.[0] ?? "{}");
  // The press of Tell itself is told when its button is up.
  const isBalanced = seen.mousedown === seen.mouseup && seen.keydown === seen.keyup;
  if (!isBalanced) {
    for (const each of done) {
      each.failures += 1;
      each.errors.push(`the page saw ${JSON.stringify(seen)}`);
    }
  }
}

export const rows = [{ name: "takeover", run: takeover }];
