// One long session: a mix of acts on pages that change by themselves, each judged by what the page
// says reached it.

import { CallRefused } from "../lib/host-client.mjs";
import { pause } from "../lib/processes.mjs";
import { random } from "../lib/stats.mjs";
import { html, KINDS, KNOWN_AFTER_MS } from "./pages.mjs";

/** Acts on one page before the next is shown. */
const ACTS_PER_PAGE = 50;
/** An effect that came this close to the end of the looking may be told either way, in ms. */
const EDGE_MS = 60;

const button = (name) => ({ role: "button", name });
const NAME = { role: "textbox", name: "Name" };
const FIXED = { role: "textbox", name: "Fixed" };
const COLOR = { role: "combobox", name: "Color" };
const AGREE = { role: "checkbox", name: "Agree" };

/**
 * @typedef {object} Doing One kind of act.
 * @property {number} weight
 * @property {(soak: Acting) => {act: () => Promise<any>, effect: (happened: import('./record.mjs').Happened) => boolean, touched: string}} make
 *   `effect` is what it means to have worked, `touched` the id of the element it is about.
 * @property {boolean} [neverWorks]
 */

/** @type {Record<string, Doing>} */
const DOINGS = {
  count: { weight: 30, make: (soak) => pressing(soak, "Count", "count") },
  later: { weight: 8, make: (soak) => pressing(soak, "Later", "later") },
  save: { weight: 8, make: (soak) => pressing(soak, "Keep", "save") },
  dead: { weight: 10, neverWorks: true, make: (soak) => pressing(soak, "Dead", "dead") },
  off: { weight: 3, neverWorks: true, make: (soak) => pressing(soak, "Off", "off") },
  covered: { weight: 3, neverWorks: true, make: (soak) => pressing(soak, "Covered", "covered") },
  fill: {
    weight: 15,
    make: (soak) => {
      const text = `name ${soak.acts}`;
      return {
        act: () => soak.client.fill(NAME, text),
        effect: (each) => each.kind === "input" && each.id === "name" && each.value === text,
        touched: "name",
      };
    },
  },
  type: {
    weight: 4,
    make: (soak) => ({
      act: () => soak.client.type(NAME, "abc"),
      effect: (each) => each.kind === "input" && each.id === "name" && each.value.endsWith("abc"),
      touched: "name",
    }),
  },
  fixed: {
    weight: 3,
    neverWorks: true,
    make: (soak) => ({
      act: () => soak.client.fill(FIXED, "other"),
      effect: (each) => each.kind === "input" && each.id === "fixed",
      touched: "fixed",
    }),
  },
  select: {
    weight: 6,
    make: (soak) => {
      const value = soak.of(["Red", "Green", "Blue"]);
      return {
        act: () => soak.client.act({ action: "select", target: COLOR, values: [value] }),
        effect: (each) => each.kind === "change" && each.id === "color" && each.value === value,
        touched: "color",
      };
    },
  },
  check: { weight: 3, make: (soak) => checking(soak, "check", true) },
  uncheck: { weight: 3, make: (soak) => checking(soak, "uncheck", false) },
  scroll: {
    weight: 5,
    make: (soak) => ({
      act: () => soak.client.act({ action: "scroll", target: null, direction: soak.of(["up", "down"]), amount: 0.5 }),
      effect: (each) => each.kind === "scroll",
      touched: "",
    }),
  },
  stale: {
    weight: 3,
    neverWorks: true,
    make: (soak) => ({
      act: () => soak.client.click({ ref: soak.oldRef }),
      effect: (each) => each.kind === "click",
      touched: "count",
    }),
  },
};

function pressing(soak, name, id) {
  return {
    act: () => soak.client.click(button(name)),
    effect: (each) => each.kind === "effect" && each.id === id,
    touched: id,
  };
}

function checking(soak, action, value) {
  return {
    act: () => soak.client.act({ action, target: AGREE }),
    effect: (each) => each.kind === "change" && each.id === "agree" && each.value === value,
    touched: "agree",
  };
}

export class Acting {
  /**
   * @param {{run: import('../lib/cli.mjs').Run, client: any, site: any, recorder: import('./record.mjs').Recorder, seed: number}} of
   */
  constructor({ run, client, site, recorder, seed }) {
    Object.assign(this, { run, client, site, recorder });
    this.roll = random(seed);
    this.acts = 0;
    this.documents = 0;
    this.page = "";
    this.oldRef = "e1";
    this.countRef = "e1";
    /** @type {Record<string, Record<string, number>>} What each kind of act was told, and how often. */
    this.told = {};
    /** @type {Record<string, number>} */
    this.errors = {};
    /** @type {string[]} */
    this.wrong = [];
    /** @type {string[]} Acts that could not be judged, because their page keeps no record any more. */
    this.unrecorded = [];
    this.times = [];
    this.looks = 0;
    this.pictures = 0;
    this.brakes = 0;
    this.lastMessage = undefined;
  }

  /** @template T @param {T[]} list @returns {T} */
  of(list) {
    return list[Math.floor(this.roll() * list.length)];
  }

  /** Acts until `isOver`, or until the run's budget is spent. @param {() => boolean} isOver */
  async until(isOver, eachTime = async () => {}) {
    await this.client.observe();
    for (let turn = 0; !isOver(); turn++) {
      if (turn % ACTS_PER_PAGE === 0) await this.navigate();
      await this.one();
      const roll = this.roll();
      if (roll < 0.06) await this.look(roll < 0.015 ? "document" : "viewport");
      else if (roll < 0.065) await this.picture();
      else if (roll < 0.07) await this.brake();
      await eachTime();
    }
  }

  /** Shows a page that was never shown before. */
  async navigate() {
    const kind = KINDS[this.documents % KINDS.length];
    this.documents += 1;
    const page = `${kind}-${this.documents}`;
    const old = `/${this.page}`;
    this.site.pages.set(`/${page}`, html(kind, page, this.recorder.address));
    const outcome = await this.timed("navigate", () => this.client.navigate(`${this.site.origin}/${page}`));
    this.site.pages.delete(old);
    this.site.received.length = 0;
    this.recorder.forget(this.page);
    const shown = await this.recorder.all(page).then(() => true, () => false);
    if (outcome.status === "OBSERVED" && !shown) this.complain("navigate", "false success", outcome);
    if (outcome.status === "NO_EFFECT" && shown) this.complain("navigate", "false no-effect", outcome);
    this.page = page;
    this.oldRef = this.countRef;
    await this.look("viewport");
    // What moves by itself proves nothing once it was seen to; acts on end would leave no time to.
    await pause(KNOWN_AFTER_MS);
  }

  /** Does one act and judges it. */
  async one() {
    const name = this.pick();
    const doing = DOINGS[name];
    this.recorder.forget(this.page);
    const { act, effect, touched } = doing.make(this);
    const outcome = await this.timed(name, act);
    const happened = await this.recorder.all(this.page).catch(() => null);
    // What no record tells of can be judged neither way; the next document tells again.
    if (happened === null) {
      this.unrecorded.push(`${name} on ${this.page}`);
      return this.navigate();
    }
    const effects = happened.filter(effect);
    const reached = happened.filter((each) => each.id === touched || each.kind === "effect");
    this.judge(name, doing, outcome, { effects, reached, happened });
  }

  /** Holds what was told against what the page says. */
  judge(name, doing, outcome, { effects, reached, happened }) {
    const { status, fate } = outcome;
    if (fate === "not_sent" && reached.length > 0) {
      this.complain(name, "told not sent, and it reached the page", outcome, reached);
    }
    const worked = status === "OBSERVED" || status === "PARTIAL";
    if (worked && (doing.neverWorks || effects.length === 0)) {
      this.complain(name, "false success", outcome, happened);
    }
    if (status === "NO_EFFECT" && name !== "scroll" && effects.length > 0) {
      const [press] = happened.filter((each) => each.kind === "click");
      const after = press === undefined ? 0 : effects[0].t - press.t;
      if (after < outcome.effect.looked_ms - EDGE_MS) {
        this.complain(name, "false no-effect", outcome, happened);
      }
    }
    if (name !== "type" && name !== "scroll" && effects.length > 1) {
      this.complain(name, `happened ${effects.length} times`, outcome, happened);
    }
  }

  /** @param {'viewport' | 'document'} scope */
  async look(scope) {
    this.looks += 1;
    const seen = await this.client.observe({ scope });
    const line = seen.outline.split("\n").find((each) => each.includes('button "Count"'));
    this.countRef = line?.trim().split(/\s+/).pop() ?? this.countRef;
  }

  async picture() {
    this.pictures += 1;
    const picture = await this.client.screenshot();
    if (picture.path === null && !picture.withheld) this.complain("screenshot", "no picture", picture);
  }

  /** Brakes, is refused, is let go, looks. */
  async brake() {
    this.brakes += 1;
    await this.client.pause("soak");
    const refused = await this.timed("paused", () => this.client.click(button("Count")));
    if (refused.status !== "PAUSED") this.complain("paused", "acted under a brake", refused);
    await this.client.release("soak");
    await this.client.observe();
  }

  async timed(name, act) {
    const began = performance.now();
    let outcome;
    try {
      outcome = await act();
    } catch (error) {
      if (!(error instanceof CallRefused)) throw error;
      outcome = { status: "REFUSED", code: error.code, fate: "not_sent", message: error.message };
    }
    this.times.push(performance.now() - began);
    this.acts += 1;
    const word = outcome.code === null ? outcome.status : `${outcome.status} ${outcome.code}`;
    this.told[name] ??= {};
    this.told[name][word] = (this.told[name][word] ?? 0) + 1;
    if (["ERROR", "REFUSED", "UNKNOWN"].includes(outcome.status)) {
      this.errors[word] = (this.errors[word] ?? 0) + 1;
      this.lastMessage = outcome.message;
    }
    return outcome;
  }

  complain(name, what, outcome, happened = []) {
    const { act, status, code, fate, message, effect, signals } = outcome;
    const told = JSON.stringify({ act, status, code, fate, message, signals, looked_ms: effect?.looked_ms, changes: effect?.changes });
    this.wrong.push(`${name} on ${this.page}: ${what}: ${told.slice(0, 900)} | ${JSON.stringify(happened).slice(0, 500)}`);
  }

  pick() {
    const names = Object.keys(DOINGS);
    const total = names.reduce((sum, name) => sum + DOINGS[name].weight, 0);
    let at = this.roll() * total;
    return names.find((name) => (at -= DOINGS[name].weight) < 0) ?? "count";
  }
}
