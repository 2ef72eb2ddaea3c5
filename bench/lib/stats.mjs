// Numbers about numbers, and the one loop that measures: in turns, with every effect looked at.

/**
 * @typedef {object} Summary Times in milliseconds.
 * @property {number} n
 * @property {number} p50
 * @property {number} p95
 * @property {number} min
 * @property {number} max
 */

/** Returns the value below which `share` of the sorted values lie (nearest rank). @param {number[]} sorted @param {number} share */
export function quantile(sorted, share) {
  if (sorted.length === 0) return NaN;
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(share * sorted.length) - 1))];
}

/** @param {number[]} values @returns {Summary} */
export function summary(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const round = (value) => Math.round(value * 1000) / 1000;
  return {
    n: sorted.length,
    p50: round(quantile(sorted, 0.5)),
    p95: round(quantile(sorted, 0.95)),
    min: round(sorted[0] ?? NaN),
    max: round(sorted[sorted.length - 1] ?? NaN),
  };
}

/** Returns numbers in [0, 1) that are the same for the same seed. @param {number} seed @returns {() => number} */
export function random(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/**
 * @typedef {object} Entry One contestant of a row.
 * @property {string} who
 * @property {number} n How many timed rounds.
 * @property {(round: number) => Promise<any>} op What is timed.
 * @property {(round: number) => Promise<void>} [before] Untimed, right before it.
 * @property {(round: number, answer: any) => Promise<boolean> | boolean} [check] Untimed: whether
 *   the application shows the effect.
 *
 * @typedef {Summary & {who: string, failures: number, errors: string[], last: any}} Measured
 */

/** A contestant that fails this often in a row is not asked again; what it did not do counts as failed. */
const FAILURES_IN_A_ROW_MAX = 3;
/** The first rounds of each, untimed. */
const WARM_UP = 2;
/** Time a row may take; past it the rest of its rounds are left out, and `n` says how many were. */
const ROW_TIME_MAX_MS = 60_000;
/** Rounds that are not left out, whatever they take. */
const ROUNDS_MIN = 5;

/**
 * Measures all entries in turns: one round of each, then the next round, and who begins changes.
 * @param {Entry[]} entries
 * @param {{warmUp?: number, timeMaxMs?: number}} [options]
 * @returns {Promise<Measured[]>}
 */
export async function inTurns(entries, { warmUp = WARM_UP, timeMaxMs = ROW_TIME_MAX_MS } = {}) {
  const rounds = Math.max(0, ...entries.map((entry) => entry.n));
  const states = entries.map((entry) => ({
    entry,
    times: [],
    failures: 0,
    row: 0,
    errors: [],
    last: undefined,
  }));

  for (const state of states) {
    for (let round = -warmUp; round < 0 && state.row < FAILURES_IN_A_ROW_MAX; round++) {
      await once(state, round, false);
    }
  }
  const end = performance.now() + timeMaxMs;
  const haveEnough = () =>
    states.every(({ times, entry }) => times.length >= Math.min(entry.n, ROUNDS_MIN));
  for (let round = 0; round < rounds; round++) {
    if (performance.now() > end && haveEnough()) break;
    for (let turn = 0; turn < states.length; turn++) {
      const state = states[(round + turn) % states.length];
      const { n } = state.entry;
      // Fewer rounds than the others are spread over the whole run.
      const isDue = Math.floor(((round + 1) * n) / rounds) > Math.floor((round * n) / rounds);
      if (isDue) await once(state, round, true);
    }
  }
  return states.map(({ entry, times, failures, errors, last }) => {
    return { who: entry.who, ...summary(times), failures, errors, last };
  });
}

async function once(state, round, isTimed) {
  const { entry } = state;
  if (state.row >= FAILURES_IN_A_ROW_MAX) {
    if (isTimed) state.failures += 1;
    return;
  }
  try {
    await entry.before?.(round);
    const began = performance.now();
    const answer = await entry.op(round);
    const took = performance.now() - began;
    const held = (await entry.check?.(round, answer)) ?? true;
    if (!held) throw new Error(`no effect seen; it said ${shown(answer)}`);
    state.row = 0;
    state.last = answer;
    if (isTimed) state.times.push(took);
  } catch (error) {
    state.row += 1;
    if (isTimed) state.failures += 1;
    if (state.errors.length < 3) state.errors.push(String(error.message).slice(0, 400));
  }
}

function shown(answer) {
  return String(typeof answer === "string" ? answer : JSON.stringify(answer)).slice(0, 200);
}
