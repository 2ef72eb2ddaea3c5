// What the long session's processes and its run folder take, every few seconds and at marks.

import fs from "node:fs";
import path from "node:path";

import { sample, toolMemory } from "../lib/processes.mjs";
import { chromiumMb } from "./openings.mjs";

/** Memory is read every so many acts, and so many readings make one. */
export const ACTS_APART = 10;
const READINGS = 5;
/** @type {[string, number][]} After how many acts memory is compared. */
const MARKS = [["after 100 acts", 100], ["after 1,000 acts", 1_000]];

export class Watching {
  /** @param {import('../lib/cli.mjs').Run} run @param {() => number} acts */
  constructor(run, acts, everyMs = 10_000) {
    Object.assign(this, { run, acts });
    this.began = performance.now();
    this.samples = [];
    this.recent = [];
    /** @type {Record<string, {rss_mb: number, pss_mb: number}>} */
    this.marks = {};
    this.timer = setInterval(() => this.take(), everyMs);
    this.take();
  }

  take() {
    const own = this.run.processes().map(sample).filter((each) => each !== undefined);
    const sum = (key) => own.reduce((total, each) => total + each[key], 0);
    this.samples.push({
      s: Math.round((performance.now() - this.began) / 100) / 10,
      acts: this.acts(),
      rss_mb: rounded(sum("rssMb")),
      pss_mb: rounded(sum("pssMb")),
      fds: sum("fds"),
      threads: sum("threads"),
      cpu_s: rounded(sum("cpuMs") / 1000),
      chromium_rss_mb: rounded(chromiumMb(this.run.host)),
      folder_mb: rounded(folderBytes(this.run.dir) / 1024 ** 2),
    });
  }

  /** Takes what the memory is at one of the marks, again a few times; the median counts. */
  remember() {
    const acts = this.acts();
    const { rssMb, pssMb } = toolMemory(this.run.processes());
    this.recent = [...this.recent, { acts, rssMb, pssMb }].slice(-READINGS);
    for (const [name, at] of MARKS) {
      if (this.marks[name] === undefined && acts >= at + READINGS * ACTS_APART) this.mark(name);
    }
  }

  /** Gives a name to the median of the last readings. @param {string} name */
  mark(name) {
    const median = (key) => {
      const sorted = this.recent.map((each) => each[key]).sort((a, b) => a - b);
      return rounded(sorted[Math.floor(sorted.length / 2)] ?? 0);
    };
    this.marks[name] = { rss_mb: median("rssMb"), pss_mb: median("pssMb") };
  }

  stop() {
    clearInterval(this.timer);
  }
}

function rounded(value) {
  return Math.round(value * 100) / 100;
}

/** Returns the bytes of the files below a folder. @param {string} folder */
export function folderBytes(folder) {
  let bytes = 0;
  for (const entry of fs.readdirSync(folder, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile()) continue;
    try {
      bytes += fs.statSync(path.join(entry.parentPath ?? entry.path, entry.name)).size;
    } catch {
      // It was replaced while we looked.
    }
  }
  return bytes;
}
