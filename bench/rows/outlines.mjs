// Outlines: how long a look takes, and how much there is to read.

import { atMost, rowOf } from "../lib/bars.mjs";
import { inTurns } from "../lib/stats.mjs";

/**
 * @typedef {object} Plan One page.
 * @property {string} page
 * @property {string} title
 * @property {string} shows What the first screen shows; every outline has to have it.
 * @property {string} [ends] What stands at the end; an outline of everything has to have it.
 * @property {number} n Rounds of floor and ours.
 * @property {number} peers Rounds of each peer; 0 leaves them out.
 * @property {number} [viewport] The bar of a look at the viewport.
 * @property {number} [tokens]
 * @property {number} [chars]
 * @property {number} [whole] The bar of a look at the whole page.
 * @property {number} [resized] The bar of a look right after a layout change.
 * @property {number} [resizedN] Its rounds, when they are fewer: each lays the whole page out anew.
 * @property {boolean} [all] Whether the whole page is also asked for without a budget.
 * @property {string} [note]
 */

/** @type {Plan[]} */
const PLANS = [
  { page: "form", title: "small form", shows: "Create account", n: 60, peers: 20, viewport: 5 },
  {
    page: "table",
    title: "2,000 x 8 table",
    shows: "Customer",
    ends: "1999",
    n: 50,
    peers: 3,
    viewport: 15,
    chars: 20_000,
    whole: 200,
    resized: 60,
    all: true,
  },
  {
    page: "portal",
    title: "300-card portal",
    shows: "The Harbor Ledger",
    ends: "Share 299",
    n: 50,
    peers: 10,
    viewport: 10,
    tokens: 5_000,
    whole: 60,
    all: true,
  },
  {
    page: "mail",
    title: "400-row mail",
    shows: "Inbox",
    ends: "Select 399",
    n: 50,
    peers: 10,
    viewport: 10,
    tokens: 5_000,
    whole: 60,
    all: true,
  },
  {
    page: "manual",
    title: "reference documentation",
    shows: "Built-in functions",
    n: 50,
    peers: 10,
    viewport: 10,
    tokens: 5_000,
    whole: 60,
    all: true,
  },
  { page: "nested", title: "100,000 nodes, nested", shows: "bold", n: 30, peers: 0, viewport: 200 },
  {
    page: "flat",
    title: "100,000 nodes, flat",
    shows: "line 0",
    n: 30,
    peers: 0,
    viewport: 250,
    resized: 600,
  },
];
const NO_PEERS_NOTE =
  "not beside the peers, which read this page whole and take many seconds for it";
/** Rounds of a whole page without a budget. */
const ALL_ROUNDS = 5;

/** Names of the contestants within one page. */
const OF = {
  viewport: "viewport",
  whole: "whole",
  all: "whole, no budget",
  resized: "after a layout change",
};

/** Returns whether an outline has what it must have. */
function isWhole({ shows, ends }, kind, text) {
  return text.includes(shows) && (kind !== "all" || ends === undefined || text.includes(ends));
}

function entriesOf(bench, plan) {
  const { floor, ours, peers } = bench;
  const entry = (driver, kind, n, scope, before) => {
    const check = (_, text) => isWhole(plan, kind, text);
    return { who: `${driver.who}: ${OF[kind]}`, n, before, op: () => driver.outline(scope), check };
  };
  const n = bench.n(plan.n);
  const both = (kind, scope, before) =>
    [floor, ours].map((driver) => entry(driver, kind, n, scope, before));

  const entries = [...both("viewport", { whole: false })];
  if (plan.whole !== undefined) entries.push(...both("whole", { whole: true }));
  if (plan.all) entries.push(entry(ours, "all", bench.n(ALL_ROUNDS), { whole: true, all: true }));
  if (plan.peers > 0) {
    for (const peer of peers) entries.push(entry(peer, "all", bench.n(plan.peers), {}));
    const native = peers.find((peer) => peer.who === "agent-browser");
    if (native !== undefined && plan.all) {
      const interactive = {
        ...native,
        who: "agent-browser -i",
        outline: () => native.outline({ interactive: true }),
      };
      const its = entry(interactive, "all", bench.n(Math.ceil(plan.peers / 2)), {});
      // It lists controls alone, so what else the page shows is not in it.
      entries.push({ ...its, check: (_, text) => text.includes("ref=") });
    }
  }
  return entries;
}

/** Which of the open pages a layout change is meant for. */
const SEARCH = { "raw protocol": "?floor", sidestick: "?ours" };

/** Measures right after every element of the page has moved. */
async function measureResized(bench, plan) {
  const { floor, ours, site } = bench;
  const resize = async (driver, round) => {
    const search = SEARCH[driver.who];
    const done = site.next((one) => one.path === "/resized" && one.search === search);
    site.tell(round % 2 === 0 ? "15px" : "14px", search);
    await done;
  };
  return inTurns(
    [floor, ours].map((driver) => ({
      who: `${driver.who}: ${OF.resized}`,
      n: bench.n(plan.resizedN ?? plan.n),
      before: (round) => resize(driver, round),
      op: () => driver.outline({ whole: false }),
      check: (_, text) => isWhole(plan, "resized", text),
    })),
  );
}

/** @param {import('../bench.mjs').Bench} bench @param {Plan} plan */
async function outline(bench, plan) {
  const { floor, ours, peers, site } = bench;
  const drivers = plan.peers > 0 ? [floor, ours, ...peers] : [floor, ours];
  for (const driver of drivers) {
    await driver.open(`${site.origin}/${plan.page}${SEARCH[driver.who] ?? ""}`);
  }

  const measured = await inTurns(entriesOf(bench, plan));
  if (plan.resized !== undefined) measured.push(...(await measureResized(bench, plan)));
  for (const each of measured) {
    if (typeof each.last !== "string") continue;
    each.chars = each.last.length;
    each.tokens = bench.tokens(each.last);
    each.last = undefined;
  }
  return rowsOf(bench, plan, measured);
}

function rowsOf(bench, plan, measured) {
  const own = (kind) => `${bench.ours.who}: ${OF[kind]}`;
  const base = (kind) => `${bench.floor.who}: ${OF[kind]}`;
  const pick = (...whos) => measured.filter((each) => whos.includes(each.who));
  const peers = measured.filter(
    (each) => !each.who.startsWith(bench.ours.who) && !each.who.startsWith(bench.floor.who),
  );
  const named = `outline-${plan.page}`;
  const rows = [];

  const limits = [`p50 at most ${plan.viewport} ms`];
  if (plan.chars !== undefined) limits.push(`${plan.chars} characters`);
  if (plan.tokens !== undefined) limits.push(`${plan.tokens} tokens`);
  const head = { row: named, title: `outline, ${plan.title}: viewport`, bar: limits.join(", ") };
  if (plan.peers === 0) head.note = NO_PEERS_NOTE;
  const shown = plan.whole === undefined ? peers : [];
  rows.push(
    rowOf(head, [...pick(own("viewport"), base("viewport")), ...shown], {
      ours: own("viewport"),
      floor: base("viewport"),
      bars: (entry) => [
        atMost("p50", entry.p50, plan.viewport),
        ...(plan.chars === undefined ? [] : [atMost("characters", entry.chars, plan.chars, "")]),
        ...(plan.tokens === undefined || entry.tokens === null
          ? []
          : [atMost("tokens", entry.tokens, plan.tokens, "")]),
      ],
    }),
  );
  const single = (kind, title, limit, others) => {
    const its = {
      row: named,
      title: `outline, ${plan.title}: ${title}`,
      bar: `p50 at most ${limit} ms`,
    };
    const bars = (entry) => [atMost("p50", entry.p50, limit)];
    rows.push(
      rowOf(its, [...pick(own(kind), base(kind)), ...others], {
        ours: own(kind),
        floor: base(kind),
        bars,
      }),
    );
  };
  if (plan.resized !== undefined)
    single("resized", "viewport, right after a layout change", plan.resized, []);
  if (plan.whole !== undefined) single("whole", "whole, within 20,000 characters", plan.whole, []);
  if (plan.all) {
    const its = {
      row: named,
      title: `outline, ${plan.title}: whole, all of it`,
      note: "no bar: the peers know no other",
    };
    rows.push(rowOf(its, [...pick(own("all")), ...peers], { ours: own("all"), bars: () => [] }));
  }
  return rows;
}

export const rows = PLANS.map((plan) => ({
  name: `outline-${plan.page}`,
  run: (bench) => outline(bench, plan),
}));
