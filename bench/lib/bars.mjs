// What a row gives: who took how long, and which bars were held.

/**
 * @typedef {object} Bar
 * @property {string} what
 * @property {number} value
 * @property {number} limit
 * @property {string} unit
 * @property {boolean} ok
 *
 * @typedef {object} Row
 * @property {string} row Its name, as `--only` takes it.
 * @property {string} title
 * @property {string} bar The bar in words; an empty text when there is none.
 * @property {Partial<import('./stats.mjs').Measured> & {who: string} | null} ours
 * @property {Partial<import('./stats.mjs').Measured> & {who: string} | null} floor
 * @property {(Partial<import('./stats.mjs').Measured> & {who: string})[]} others
 * @property {Bar[]} bars
 * @property {string} [note]
 */

/** A bar that the value must not pass. @param {string} what @param {number} value @param {number} limit @returns {Bar} */
export function atMost(what, value, limit, unit = "ms") {
  return { what, value: round(value), limit, unit, ok: value <= limit };
}

/** A bar that the value must reach. @param {string} what @param {number} value @param {number} limit @returns {Bar} */
export function atLeast(what, value, limit, unit = "") {
  return { what, value: round(value), limit, unit, ok: value >= limit };
}

/** Every measured contestant had its effect in every round; what did not counts. @param {{who: string, failures?: number}} entry @returns {Bar} */
export function allHeld(entry) {
  return {
    ...atMost(`rounds of ${entry.who} without their effect`, entry.failures ?? 0, 0, ""),
    ok: (entry.failures ?? 0) === 0,
  };
}

/**
 * Makes a row of what was measured: the first of `whos` in each place.
 * @param {{row: string, title: string, bar?: string, note?: string}} head
 * @param {import('./stats.mjs').Measured[]} measured
 * @param {{ours: string, floor?: string, bars: (ours: any, floor: any) => Bar[]}} how
 * @returns {Row}
 */
export function rowOf(head, measured, { ours, floor, bars }) {
  const entry = (who) => measured.find((each) => each.who === who) ?? null;
  const [own, base] = [entry(ours), floor === undefined ? null : entry(floor)];
  if (own === null) throw new Error(`nobody called \`${ours}\` was measured for ${head.title}`);
  const others = measured.filter((each) => each !== own && each !== base);
  const judged = [...bars(own, base), allHeld(own)];
  return { bar: "", ...head, ours: own, floor: base, others, bars: judged };
}

const round = (value) => Math.round(value * 1000) / 1000;
