// Clicks, refusals, fills: what one act costs, with its effect looked at each time.

import { atMost, rowOf } from "../lib/bars.mjs";
import { inTurns } from "../lib/stats.mjs";

const CLICK_BAR = "p50 at most 1.4 x floor and 60 ms";

/** Follows a counter of the page: each time it is looked at, it has to be one more. */
class Counter {
  #seen = new Map();

  constructor(word) {
    this.pattern = new RegExp(`${word} (\\d+)`);
  }

  async read(driver) {
    const text = await driver.state();
    return Number(this.pattern.exec(text)?.[1] ?? NaN);
  }

  async start(driver) {
    this.#seen.set(driver, await this.read(driver));
  }

  async grewBy(driver, by) {
    const count = await this.read(driver);
    const grew = count - this.#seen.get(driver);
    this.#seen.set(driver, count);
    return grew === by;
  }
}

async function openAll(bench, page, drivers) {
  for (const driver of drivers) {
    await driver.open(bench.site.origin + page);
    await driver.prepare();
  }
  await bench.cli.prepare();
}

/** @param {import('../bench.mjs').Bench} bench */
async function clickWithEffect(bench) {
  const { floor, ours, cli, peers } = bench;
  const counter = new Counter("counted");
  const pages = [floor, ours, ...peers];
  await openAll(bench, "/buttons", pages);
  for (const driver of pages) await counter.start(driver);

  const entry = (driver, n, page = driver) => ({
    who: driver.who,
    n,
    op: () => driver.click("Count"),
    check: async (_, said) =>
      (said.status ?? "OBSERVED") === "OBSERVED" && (await counter.grewBy(page, 1)),
  });
  const measured = await inTurns([
    entry(floor, bench.n(60)),
    entry(ours, bench.n(60)),
    entry(cli, bench.n(60), ours),
    ...peers.map((peer) => entry(peer, bench.n(peer.who === "agent-browser" ? 60 : 20))),
  ]);
  const head = { row: "click", title: "click, effect in the first frame", bar: CLICK_BAR };
  head.note = "the peers give no verdict";
  return [
    rowOf(head, measured, {
      ours: ours.who,
      floor: floor.who,
      bars: (own, base) => [
        atMost("p50", own.p50, 60),
        atMost("p50 / floor", own.p50 / base.p50, 1.4, "x"),
      ],
    }),
  ];
}

/** @param {import('../bench.mjs').Bench} bench */
async function clickWithout(bench) {
  const { ours } = bench;
  const counter = new Counter("counted");
  await openAll(bench, "/buttons", [ours]);
  await counter.start(ours);

  const measured = await inTurns([
    {
      who: ours.who,
      n: bench.n(50),
      op: () => ours.click("Dead"),
      check: async (_, said) => said.status === "NO_EFFECT" && (await counter.grewBy(ours, 0)),
    },
  ]);
  const head = {
    row: "click-dead",
    title: "click without effect",
    bar: "p50 at most 200 ms, p95 250",
  };
  head.note = "no peer says that nothing happened";
  const bars = (own) => [atMost("p50", own.p50, 200), atMost("p95", own.p95, 250)];
  return [rowOf(head, measured, { ours: ours.who, bars })];
}

/** @param {import('../bench.mjs').Bench} bench */
async function clickThatSends(bench) {
  const { floor, ours, peers, site } = bench;
  const counter = new Counter("sent");
  const pages = [floor, ours, ...peers];
  await openAll(bench, "/buttons", pages);
  for (const driver of pages) await counter.start(driver);

  const entry = (driver, n, op) => {
    let before = 0;
    return {
      who: driver.who,
      n,
      before: async () => {
        before = site.received.length;
      },
      op,
      check: async (_, said) => {
        // A peer that does not wait for the answer is given time to have it.
        const came = site.received.length - before === 1;
        return (
          came && (said.status ?? "OBSERVED") === "OBSERVED" && (await counter.grewBy(driver, 1))
        );
      },
    };
  };
  const measured = await inTurns([
    entry(floor, bench.n(50), () => floor.clickAndWait("Send")),
    entry(ours, bench.n(50), () => ours.click("Send")),
    ...peers.map((peer) => entry(peer, bench.n(10), () => peer.click("Send"))),
  ]);
  const head = { row: "click-post", title: "click that sends a POST, effect after its answer" };
  head.note = "the floor waits for the effect; a peer that returns before it counts as failed";
  return [rowOf(head, measured, { ours: ours.who, floor: floor.who, bars: () => [] })];
}

const REFUSALS = [
  ["covered", "NOT_VISIBLE", (ours) => ours.client.click(ours.ref("button", "Covered"))],
  ["disabled", "NOT_ACTIONABLE", (ours) => ours.client.click(ours.ref("button", "Disabled"))],
  ["readonly", "NOT_ACTIONABLE", (ours) => ours.client.fill(ours.ref("textbox", "Read only"), "x")],
  [
    "invalid value",
    "NOT_ACTIONABLE",
    (ours) => ours.client.fill(ours.ref("spinbutton", "Amount"), "abc"),
  ],
  ["hidden", "NOT_VISIBLE", (ours) => ours.client.click(ours.ref("button", "Hidden"))],
  ["stale ref", "STALE", (ours) => ours.client.click(ours.ref("button", "Stale"))],
];

/** @param {import('../bench.mjs').Bench} bench */
async function refusals(bench) {
  const { ours } = bench;
  await openAll(bench, "/refusals", [ours]);
  await ours.click("Prepare");
  const events = async () => {
    await ours.click("Tell");
    return Number(/events (\d+)/.exec(await ours.state())?.[1]);
  };
  await events();
  // What one press of Tell itself makes, when the pointer is there already.
  const ofTelling = await events();

  const measured = await inTurns(
    REFUSALS.map(([who, status, ask]) => ({
      who,
      n: bench.n(50),
      op: () => ask(ours),
      check: (_, said) => said.status === status && said.fate === "not_sent",
    })),
  );
  const reached = (await events()) - ofTelling;
  return measured.map((own) => {
    const head = {
      row: "refusal",
      title: `refusal: ${own.who}`,
      bar: "p50 at most 20 ms, p95 50, no input in the page",
    };
    const row = rowOf(head, [own], {
      ours: own.who,
      bars: () => [
        atMost("p50", own.p50, 20),
        atMost("p95", own.p95, 50),
        atMost("input events that reached the page, all refusals together", reached, 0, ""),
      ],
    });
    return { ...row, ours: { ...own, who: ours.who } };
  });
}

/** @param {import('../bench.mjs').Bench} bench */
async function fill(bench) {
  const { floor, ours, cli, peers } = bench;
  const pages = [floor, ours, ...peers];
  await openAll(bench, "/form", pages);
  const sent = new Map();
  const entry = (driver, n) => ({
    who: driver.who,
    n,
    op: (round) => {
      const text = `v${driver.who.length}-${round}.`;
      sent.set(driver, [...(sent.get(driver) ?? []), text]);
      return driver.fill("Full name", text);
    },
    check: (_, said) => (said.status ?? "OBSERVED") === "OBSERVED",
  });
  const measured = await inTurns([
    entry(floor, bench.n(60)),
    entry(ours, bench.n(60)),
    entry(cli, bench.n(60)),
    ...peers.map((peer) => entry(peer, bench.n(peer.who === "chrome-devtools-mcp" ? 20 : 60))),
  ]);

  // The page's own record says which values its field really held.
  for (const driver of [floor, ours, cli, ...peers]) {
    const page = driver === cli ? ours : driver;
    if (page === ours) await ours.click("Show record");
    const record = await page.state();
    const lost = (sent.get(driver) ?? []).filter((text) => !record.includes(text));
    const own = measured.find((each) => each.who === driver.who);
    own.failures += lost.length;
    if (lost.length > 0) own.errors.push(`the page never held ${lost.slice(0, 3).join(" ")}`);
  }
  const head = { row: "fill", title: "fill with read-back", bar: "p50 at most 15 ms" };
  head.note = "no peer reads back";
  return [
    rowOf(head, measured, {
      ours: ours.who,
      floor: floor.who,
      bars: (own) => [atMost("p50", own.p50, 15)],
    }),
  ];
}

export const rows = [
  { name: "click", run: clickWithEffect },
  { name: "click-dead", run: clickWithout },
  { name: "click-post", run: clickThatSends },
  { name: "refusal", run: refusals },
  { name: "fill", run: fill },
];
