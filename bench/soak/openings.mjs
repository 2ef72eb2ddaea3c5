// Browsers opened and closed beside the long session: some end well, some hosts and browsers are
// killed.

import { kill, pause, sample, tree, waitFor, isAlive, isChromium } from "../lib/processes.mjs";
import { html } from "./pages.mjs";

/** What a killed host's keeper has to have removed in this time. */
const GONE_TIME_MAX_MS = 15_000;

const COUNT = { role: "button", name: "Count" };

export class Openings {
  /** @param {{world: import('../lib/cli.mjs').World, site: any, recorder: import('./record.mjs').Recorder, count: number, everyMs: number}} of */
  constructor({ world, site, recorder, count, everyMs }) {
    Object.assign(this, { world, site, recorder, count, everyMs });
    this.done = 0;
    this.ends = { well: 0, "host killed": 0, "browser killed": 0 };
    /** @type {string[]} */
    this.wrong = [];
    this.times = [];
    this.isOver = false;
  }

  /** Opens and closes until there were as many as asked for, or the soak is over. */
  async run() {
    for (let at = 0; at < this.count && !this.isOver; at++) {
      const began = performance.now();
      try {
        await this.one(at);
        this.done += 1;
      } catch (error) {
        this.wrong.push(`opening ${at}: ${String(error.message).slice(0, 600)}`);
      }
      this.times.push(performance.now() - began);
      const left = this.everyMs - (performance.now() - began);
      for (let waited = 0; waited < left && !this.isOver; waited += 100) await pause(100);
    }
  }

  async one(at) {
    const page = `open-${at}`;
    this.site.pages.set(`/${page}`, html("clock", page, this.recorder.address));
    const run = await this.world.begin(`${this.site.origin}/${page}`);
    const group = tree(run.host).map((pid) => ({ pid, startTime: sample(pid)?.startTime }));
    try {
      await this.#use(at, page, run, group);
    } finally {
      this.site.pages.delete(`/${page}`);
      this.recorder.forget(page);
      await this.#close(at, run, group);
    }
  }

  /** Looks, clicks once, and ends it the way it is to end. */
  async #use(at, page, run, group) {
    const client = await run.connect();
    try {
      await client.observe();
      const outcome = await client.click(COUNT);
      const happened = await this.recorder.all(page);
      const counted = happened.filter((each) => each.kind === "effect").length;
      if (outcome.status !== "OBSERVED" || counted !== 1) {
        this.wrong.push(`opening ${at}: told ${outcome.status} ${outcome.message}, counted ${counted}`);
      }
      if (at % 10 === 9) await this.#killBrowser(at, run, client);
      else if (at % 5 === 4) await this.#killHost(at, run, group);
      else this.ends.well += 1;
    } finally {
      client.close();
    }
  }

  /** An act after the browser has gone is told so; nothing hangs. */
  async #killBrowser(at, run, client) {
    this.ends["browser killed"] += 1;
    const browser = tree(run.host).map(sample).find((each) => each !== undefined && isChromium(each));
    if (browser === undefined) throw new Error(`no browser below host ${run.host}`);
    await kill(browser.pid);
    const outcome = await client.click(COUNT).catch((error) => ({ status: `refused ${error.code}`, fate: "not_sent" }));
    if (outcome.status === "OBSERVED" || outcome.status === "NO_EFFECT") {
      this.wrong.push(`opening ${at}: acted without a browser: ${outcome.status}`);
    }
  }

  /** The keeper ends the browser of a host that was killed. */
  async #killHost(at, run, group) {
    this.ends["host killed"] += 1;
    await kill(run.host);
    const gone = () => group.every(({ pid, startTime }) => !isAlive(pid, startTime));
    if (!(await waitFor(gone, GONE_TIME_MAX_MS, 50))) {
      this.wrong.push(`opening ${at}: processes outlive their host: ${named(group)}`);
    }
  }

  /** Ends the run, whatever is left of it, and sees that nothing is. */
  async #close(at, run, group) {
    const ended = await run.run(["end", "--json"]);
    if (![0, 4].includes(ended.exit)) {
      this.wrong.push(`opening ${at}: end exited ${ended.exit}: ${(ended.out + ended.err).slice(0, 300)}`);
    }
    const gone = () => group.every(({ pid, startTime }) => !isAlive(pid, startTime));
    if (!(await waitFor(gone, GONE_TIME_MAX_MS, 50))) {
      this.wrong.push(`opening ${at}: left behind: ${named(group)}`);
    }
    const verified = await this.world.run(["verify", run.id, "--json"]);
    if (verified.exit !== 0) {
      this.wrong.push(`opening ${at}: verify exited ${verified.exit}: ${verified.out.slice(0, 300)}`);
    }
  }
}

function named(group) {
  const alive = group.filter(({ pid, startTime }) => isAlive(pid, startTime));
  return alive.map(({ pid }) => `${pid} ${sample(pid)?.program ?? ""}`).join(", ");
}

/** Returns the resident memory of all browser processes below `pid`. @param {number} pid */
export function chromiumMb(pid) {
  const all = tree(pid).map(sample).filter((each) => each !== undefined && isChromium(each));
  return all.reduce((sum, each) => sum + each.rssMb, 0);
}
