// Shows each case to a tool, lets it act, and holds what it said against the page's record.

import fs from "node:fs";
import path from "node:path";

import { World } from "../lib/cli.mjs";
import { pause, waitFor } from "../lib/processes.mjs";
import { judge, recorded, stateOf } from "./judge.mjs";
import { Site } from "./site.mjs";
import { Absent, NotExpressible, TOOLS } from "./tools.mjs";

/** Time for a page to say that it is there. */
const SHOWN_TIME_MAX_MS = 15_000;
/** Time after an answer in which an effect still counts as come. */
const LATE_MS = 400;
/** Kinds whose pages are busy by themselves; what a refusal costs is judged on pages at rest. */
const BUSY = new Set(["never rests", "fights"]);
/** A case that takes longer hangs. */
const CASE_TIME_MAX_MS = 90_000;

/**
 * @typedef {object} Case
 * @property {string} name Unique; `F3 ...` for a row of the table.
 * @property {string} kind
 * @property {(place: import('./site.mjs').Place) => import('./site.mjs').Routes | string} routes
 *   The documents; a text is the first page's.
 * @property {import('./tools.mjs').Step} [act] What is judged; a case without one is about looking.
 * @property {import('./judge.mjs').Want} [want]
 * @property {string} [effect] The effect the page tells when it worked.
 * @property {{id: string, value: any, like?: RegExp}} [holds] What a field has to hold when it worked.
 * @property {string[]} [allowed] Further effects and fields that may change.
 * @property {(seen: Seen) => import('./judge.mjs').Recorded} [record] Where neither is enough.
 * @property {(Record<string, any>)[]} [before] Steps, `{tell}` and `{pause}` between looking and acting.
 * @property {(Record<string, any>)[]} [after] Steps between acting and reading the record.
 * @property {boolean} [relook] Whether to look again after `before`; the remembered ref is used.
 * @property {boolean} [refind] Whether to look and to find the target after `before`.
 * @property {boolean} [repeats] A careless caller acts again when told that it did not happen.
 * @property {boolean} [silent] The page keeps no record of its own.
 * @property {number} [warmMs] Time to watch the page first.
 * @property {number} [lateMs] Time after the answer in which the effect still comes.
 * @property {RegExp} [says] What the answer has to say, at least ours.
 * @property {(string | RegExp)[]} [secrets] What may stand in no answer.
 * @property {(string | RegExp)[]} [shows] What an outline has to hold.
 * @property {(string | RegExp)[]} [hides] What an outline may not hold.
 * @property {boolean} [messy] Pages or dialogs may be left open.
 * @property {boolean} [dirty] The tool is begun anew afterwards.
 * @property {string[]} [only] The tools it is for.
 * @property {(tool: any, target: any, step: any) => Promise<import('./tools.mjs').Told & {isLate?: boolean}>} [how]
 *   How the act is done, where more than one answer makes what is said; \`isLate\` when its time is
 *   not the act's own.
 *
 * @typedef {{happened: any[], before: Record<string, any>, after: Record<string, any>, hits: import('./site.mjs').Hit[], told: import('./tools.mjs').Told}} Seen
 * @typedef {object} Row What a corpus gives.
 * @property {string} corpus
 * @property {string} case
 * @property {string} [kind]
 * @property {string} tool
 * @property {string} verdict
 * @property {number} ms
 * @property {number} [refusal_ms] From the call to the answer, when it was refused.
 * @property {boolean} [idle] False when the page was busy by itself; its refusal counts for no bar.
 * @property {string} note
 */

const within = (promise, ms, what) => {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} took more than ${ms} ms`)), ms);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
};

const stands = (text, what) => (typeof what === "string" ? text.includes(what) : what.test(text));
const short = (text) => String(text).replace(/\s+/g, " ").slice(0, 260);

/** Runs one corpus with one tool. */
export class Runner {
  /** @param {{corpus: string, site: import('./site.mjs').Site, tool: any, say?: (row: Row) => void}} of */
  constructor({ corpus, site, tool, say = () => {} }) {
    Object.assign(this, { corpus, site, tool, say });
    /** @type {Row[]} */
    this.rows = [];
    this.count = 0;
  }

  /** @param {Case[]} cases */
  async run(cases) {
    for (const one of cases) {
      if (one.only !== undefined && !one.only.includes(this.tool.who)) continue;
      const row = await this.#one(one);
      if (row === null) continue;
      this.rows.push(row);
      this.say(row);
    }
    return this.rows;
  }

  /** @param {Case} one @returns {Promise<Row | null>} */
  async #one(one) {
    const key = `c${++this.count}-${this.tool.who.replace(/\W/g, "")}-${this.corpus}`;
    const place = this.site.show(key, (it) => {
      const routes = one.routes(it);
      return typeof routes === "string" ? { "": routes } : routes;
    });
    const base = {
      corpus: this.corpus,
      case: one.name,
      kind: one.kind,
      tool: this.tool.who,
      idle: !BUSY.has(one.kind),
    };
    let row;
    try {
      row = { ...base, ...(await within(this.#judged(one, place), CASE_TIME_MAX_MS, "the case")) };
    } catch (error) {
      if (error instanceof NotExpressible) row = null;
      else row = { ...base, verdict: "error", ms: 0, note: short(error.message) };
    }
    try {
      if (one.dirty || row?.verdict === "error")
        await within(this.tool.restart(), 60_000, "restart");
      else if (one.messy) await within(this.tool.calm(), 60_000, "calm");
    } catch {
      await this.tool.restart();
    }
    this.site.hide(key);
    return row;
  }

  /** @param {Case} one @param {import('./site.mjs').Place} place */
  async #judged(one, place) {
    const texts = [];
    const opened = await this.tool.open(place.url);
    texts.push(opened.text);
    if (!one.silent) {
      const recorder = this.site.recorder;
      const shown = await waitFor(() => recorder.wasShown(place.key), SHOWN_TIME_MAX_MS);
      if (!shown) throw new Error(`the page was not shown: ${short(opened.text)}`);
    }
    if (one.warmMs) await pause(one.warmMs);
    const looking = performance.now();
    texts.push(await this.tool.look(one.whole ?? false));
    const lookMs = performance.now() - looking;
    if (one.act === undefined) return this.#looked(one, texts, lookMs);
    return this.#acted(one, place, texts);
  }

  /** Judges a look: what it has to hold, what it may not. */
  #looked(one, texts, ms) {
    const text = texts.join("\n");
    const leaked = [...(one.secrets ?? [])].filter((secret) => stands(text, secret));
    const lacks = (one.shows ?? []).filter((what) => !stands(text, what));
    const has = (one.hides ?? []).filter((what) => stands(text, what));
    if (leaked.length > 0) return { verdict: "leaked", ms, note: `it shows ${leaked.join(" ")}` };
    if (lacks.length > 0)
      return { verdict: "missed", ms, note: `it does not show ${lacks.join(" ")}` };
    if (has.length > 0) return { verdict: "missed", ms, note: `it shows ${has.join(" ")}` };
    return { verdict: "right", ms, note: "" };
  }

  async #acted(one, place, texts) {
    let [target, to] = [null, null];
    let told;
    try {
      const isAimed = one.act.name !== undefined || one.act.pixel !== undefined;
      if (isAimed && !one.refind) target = await this.tool.find(one.act);
      await this.#steps(one.before ?? [], place, texts);
      if (one.relook || one.refind) texts.push(await this.tool.look());
      if (one.refind) target = await this.tool.find(one.act);
      if (one.act.to !== undefined) to = await this.tool.find(one.act.to);
    } catch (error) {
      if (!(error instanceof Absent)) throw error;
      told = { said: "absent", text: error.message, message: error.message };
    }
    const before = stateOf(await place.happened()) ?? {};
    place.forget();

    const act = withFiles(one.act, this.tool.folder());
    const began = performance.now();
    told ??= await (one.how?.(this.tool, target, act) ?? this.tool.act(act, target, to));
    const ms = performance.now() - began;
    texts.push(told.text);
    if (one.repeats && ["refused", "error", "nothing"].includes(told.said)) {
      await this.tool.look().catch(() => {});
      const again = await this.tool.act(act, target, to);
      texts.push(again.text);
    }
    await this.#steps(one.after ?? [], place, texts);
    const { record, seen } = await this.#recordOf(one, place, before, told);
    return this.#verdict(one, { told, record, seen, texts, ms });
  }

  /** Does what comes before or after the act that is judged. */
  async #steps(steps, place, texts) {
    for (const step of steps) {
      if (step.pause !== undefined) await pause(step.pause);
      else if (step.tell !== undefined) {
        this.site.tell(place.key, step.tell);
        const told = async () =>
          (await place.happened()).some(({ id, value }) => id === "told" && value === step.tell);
        await waitFor(told, SHOWN_TIME_MAX_MS, 20);
      } else if (step.do === "look") texts.push(await this.tool.look(step.whole ?? false));
      else if (step.call !== undefined)
        texts.push(JSON.stringify(await step.call(this.tool, place)));
      else {
        const target = step.name === undefined ? null : await this.tool.find(step);
        const told = await this.tool.act(step, target);
        texts.push(told.text);
      }
    }
  }

  /** Reads the record until the effect has come, or its time has passed. */
  async #recordOf(one, place, before, told) {
    const end = performance.now() + (one.lateMs ?? LATE_MS);
    for (;;) {
      const happened = one.silent ? [] : await place.happened();
      const after = stateOf(happened) ?? before;
      const seen = { happened, before, after, hits: place.hits(), told };
      const record = one.record?.(seen) ?? recorded(one, before, happened);
      const isOver = performance.now() > end;
      // A second effect needs as long to come as the first.
      if (isOver || (record !== "none" && record !== "done" && record !== "altered"))
        return { record, seen };
      await pause(40);
    }
  }

  #verdict(one, { told, record, texts, ms }) {
    const leaked = (one.secrets ?? []).some((secret) =>
      texts.some((text) => stands(text ?? "", secret)),
    );
    const isOurs = this.tool.who === "sidestick";
    // A peer's sentence has no fixed words; only ours are held to them.
    const isTold =
      one.says === undefined || !isOurs || one.says.test(`${told.message}\n${told.text}`);
    const facts = { want: one.want ?? "done", said: told.said, record, leaked, told: isTold };
    const { verdict, why } = judge(facts);
    const note = `${why}; said ${told.said}, record ${record}: ${short(told.message ?? told.text)}`;
    const isRefusal = told.said === "refused" && !told.isLate;
    return { verdict, ms: rounded(ms), ...(isRefusal ? { refusal_ms: rounded(ms) } : {}), note };
  }
}

const rounded = (ms) => Math.round(ms * 10) / 10;

/** Gives a step the files it names, in a folder that the tool may read. */
function withFiles(step, folder) {
  if (step.files === undefined) return step;
  const files = step.files.map((name) => path.join(folder, name));
  for (const file of files) if (!file.endsWith("absent.txt")) fs.writeFileSync(file, "a sample\n");
  return { ...step, files };
}

/**
 * Runs the cases of one corpus with one tool after the other, so that at most one browser is open.
 * @param {string} corpus
 * @param {{sidestick: string, browser: string, tools: string[], say?: (row: Row) => void}} asked
 * @param {(who: string) => Case[]} casesFor
 * @param {(tool: any, rows: Row[]) => Promise<void>} [afterwards] Before the tool is ended.
 * @returns {Promise<Row[]>}
 */
export async function runWith(corpus, asked, casesFor, afterwards = async () => {}) {
  const site = await Site.open();
  const all = [];
  try {
    for (const who of asked.tools) {
      const world =
        who === "sidestick"
          ? new World({ binary: asked.sidestick, browser: asked.browser })
          : undefined;
      const tool = await TOOLS[who].start({ world, site, browser: asked.browser });
      try {
        const rows = await new Runner({ corpus, site, tool, say: asked.say }).run(casesFor(who));
        await afterwards(tool, rows);
        all.push(...rows);
      } finally {
        await tool.end().catch(() => {});
      }
    }
  } finally {
    await site.close();
  }
  return all;
}
