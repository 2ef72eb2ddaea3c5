// Why a bar is missed, by the title of its row: one honest sentence that names the floor.
//
// A miss without a line here fails the run, and so does one that is worse than the line allows; a
// line whose bar is held says nothing and is removed.

/** @type {Record<string, {what: string, worst: number, why: string}>} `what` is the one bar of the row that
 * is missed, `worst` the value up to which, in its unit. */
export const EXPLANATIONS = {
  "fill with read-back": {
    what: "p50",
    worst: 25,
    why: "a value counts as set when one frame has passed after it (16.7 ms at 60 Hz, half of that on average) and it was read back; the floor and the peers wait for neither, and alone on the machine the median is 9 ms.",
  },
  "outline, 2,000 x 8 table: viewport, right after a layout change": {
    what: "p50",
    worst: 400,
    why: "Chromium's own layout of the 16,000 cells is the floor and takes 95% of it before a script of ours reads anything; the bar was set on a faster machine.",
  },
  "outline, 100,000 nodes, flat: viewport, right after a layout change": {
    what: "p50",
    worst: 1500,
    why: "Chromium's own layout of the 100,000 paragraphs is the floor and takes 96% of it.",
  },
  "outline, 400-row mail: viewport": {
    what: "p50",
    worst: 25,
    why: "in turns with the peers' browsers on two cores; alone the median is 10.4 ms, of which the page script takes 8, the rest is the record.",
  },
  "memory after six more, each uncut": {
    what: "RSS",
    worst: 80,
    why: "an uncut outline of 16,000 cells is one answer of 3.9 MB, whose 6,000 refs stay known for the acts that follow; within the default budget it is 23 MB.",
  },
};
