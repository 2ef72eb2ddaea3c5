// The corpus `random`: a thousand acts on a page that sorts itself, renders itself anew and goes
// elsewhere under us, and on which everything has a namesake.
//
// Each act is judged by what the page says reached it: it may hit what was pointed at, once, or
// nothing; it may never say done where nothing happened.

import { World } from "../lib/cli.mjs";
import { CallRefused } from "../lib/host-client.mjs";
import { pause } from "../lib/processes.mjs";
import { random } from "../lib/stats.mjs";
import { Site } from "./site.mjs";
import { entriesOf } from "./tools.mjs";

const ACTS = 1_000;
const ACTS_QUICK = 200;
/** The most a run may be given is more than this. */
const RUN_ACTIONS = 100_000;
/** Acts between two looks, at most. */
const ACTS_PER_LOOK_MAX = 4;
/** What a page does by itself proves nothing once it was seen to; acts on end would leave no time to. */
const WATCHED_MS = 4_000;
/** An effect that came this close to the end of the looking may be told either way. */
const EDGE_MS = 60;

/**
 * The page: eight people, each with a row of the same buttons, a field and a box; an `act` on any of
 * them tells whose it was. It changes by itself in one of these ways, at times drawn from its seed.
 */
const SCRIPT = (seed, document_) => `
let state = ${seed};
const draw = () => { state = (state * 1664525 + 1013904223) >>> 0; return state / 4294967296; };
const one = (list) => list[Math.floor(draw() * list.length)];
let people = ['Ann', 'Bob', 'Cid', 'Dot', 'Eve', 'Fay', 'Gus', 'Hal'];
const notes = {}; const marks = {};
let shown = 0;
const acted = (what, who) => { did(what + ' ' + who); by('out').textContent = what + ' ' + who + ' ' + ++shown; };
const row = (who) => '<tr data-who="' + who + '"><th>' + who + '</th><td><button data-what="Open">Open</button></td>'
  + '<td><button data-what="Ship">Ship</button></td><td><input data-what="note" aria-label="Note" value="' + (notes[who] ?? '') + '"></td>'
  + '<td><input data-what="mark" type="checkbox" aria-label="Mark"' + (marks[who] ? ' checked' : '') + '></td>'
  + '<td><button data-what="dead">Dead</button></td></tr>';
const render = () => { by('rows').innerHTML = people.map(row).join(''); };
const owner = (element) => element.closest('tr').querySelector('th').textContent;
addEventListener('click', (e) => { const what = e.target.dataset?.what; if (what === 'Open' || what === 'Ship') acted(what, owner(e.target)); });
addEventListener('input', (e) => { if (e.target.dataset.what === 'note') { const who = owner(e.target); notes[who] = e.target.value; did('note ' + who, e.target.value); } });
addEventListener('change', (e) => { if (e.target.dataset.what === 'mark') { const who = owner(e.target); marks[who] = e.target.checked; did('mark ' + who, e.target.checked); } });
const shuffled = () => [...people].sort(() => draw() - 0.5);
const changes = {
  sort() { people = shuffled(); for (const who of people) by('rows').append(document.querySelector('[data-who="' + who + '"]')); },
  render() { people = shuffled(); render(); },
  recycle() { people = shuffled(); [...by('rows').rows].forEach((row, at) => { const who = people[at]; row.dataset.who = who; row.cells[0].textContent = who;
    row.querySelector('[data-what=note]').value = notes[who] ?? ''; row.querySelector('[data-what=mark]').checked = marks[who] ?? false; }); },
  insert() { by('before').insertAdjacentHTML('beforeend', '<p>Line ' + Math.floor(draw() * 1000) + '</p>'); if (by('before').children.length > 5) by('before').innerHTML = ''; },
  swap() { const at = Math.floor(draw() * 7); [people[at], people[at + 1]] = [people[at + 1], people[at]]; by('rows').rows[at].before(by('rows').rows[at + 1]); },
  go() { location.href = '?' + ${document_ + 1} + '-' + Math.floor(draw() * 1e9); },
};
const plan = ['sort', 'sort', 'render', 'render', 'recycle', 'recycle', 'insert', 'swap', 'swap', ${document_ % 5 === 4 ? "'go'" : ""}];
const next = () => setTimeout(() => { const name = one(plan); did('told', name); changes[name](); next(); }, 40 + draw() * 900);
render(); next();
window.more = () => ({notes: {...notes}, marks: {...marks}});`;

/** @typedef {{ref: string, who: string, what: string, role: string, obs: string}} Known A control as it stood in the last look. */

/** What an outcome says has changed, in short. */
function changed(outcome) {
  const changes = outcome.effect?.changes ?? [];
  const words = changes.slice(0, 3).map((one) => `${one.kind} ${one.role} "${one.before ?? ""}" > "${one.after ?? ""}"`);
  return words.length > 0 ? ` (${words.join(", ")})` : "";
}

class Walk {
  constructor({ site, client, place, roll, who = "sidestick" }) {
    Object.assign(this, { site, client, place, roll, who });
    this.rows = [];
    this.acts = 0;
    /** @type {Known[]} */
    this.known = [];
    /** @type {Known[]} */
    this.old = [];
    this.sinceLook = 0;
    this.told = {};
  }

  of(list) {
    return list[Math.floor(this.roll() * list.length)];
  }

  /** Looks, and keeps what each ref stands for. */
  async look() {
    const { outline, observation } = await this.client.observe();
    this.old = this.known.length > 0 ? this.known : this.old;
    this.known = [];
    for (const line of outline.split("\n")) {
      const who = /"(Ann|Bob|Cid|Dot|Eve|Fay|Gus|Hal)"/.exec(line)?.[1];
      if (who === undefined) continue;
      for (const { role, name, ref } of entriesOf(line))
        this.known.push({ ref, who, what: name, role, obs: observation.id });
    }
    this.sinceLook = 0;
  }

  async one() {
    if (
      this.sinceLook >= 1 + Math.floor(this.roll() * ACTS_PER_LOOK_MAX) ||
      this.known.length === 0
    )
      await this.look();
    if (this.known.length === 0) return;
    this.sinceLook += 1;
    // One in six points at what stood in an older look.
    const isOld = this.old.length > 0 && this.roll() < 0.17;
    const it = this.of(isOld ? this.old : this.known);
    await this.place.happened();
    this.place.forget();

    const began = performance.now();
    const outcome = await this.#act(it);
    const ms = performance.now() - began;
    this.acts += 1;
    const word = outcome.code === null ? outcome.status : `${outcome.status} ${outcome.code}`;
    this.told[word] = (this.told[word] ?? 0) + 1;
    const all = (await this.place.happened()).filter(({ kind }) => kind === "effect");
    this.#judge(it, outcome, all, ms);
    if (["UNKNOWN", "ERROR"].includes(outcome.status) || outcome.code === "look_first")
      await this.look();
  }

  /** Acts on a control by its ref, sometimes by its words and its row. */
  async #act(it) {
    const isDescribed = this.roll() < 0.2;
    const target = isDescribed ? { role: it.role, name: it.what, near: it.who } : { ref: it.ref };
    it.how = isDescribed
      ? "described"
      : `${it.ref}${this.known.includes(it) ? "" : " of an older look"}`;
    const text = `n${this.acts}`;
    it.wanted = {
      Note: { what: `note ${it.who}`, value: text },
      Mark: { what: `mark ${it.who}` },
      Dead: { what: "none" },
    }[it.what] ?? { what: `${it.what} ${it.who}` };
    try {
      // A ref means what it meant in the look it stands on.
      const on = { obs: isDescribed ? null : it.obs };
      if (it.what === "Note") return await this.client.fill(target, text, on);
      if (it.what === "Mark") {
        return await this.client.act(
          { action: this.roll() < 0.5 ? "check" : "uncheck", target },
          on,
        );
      }
      return await this.client.click(target, on);
    } catch (error) {
      if (!(error instanceof CallRefused)) throw error;
      return { status: "REFUSED", code: error.code, message: error.message, fate: "not_sent" };
    }
  }

  /** Holds what was told against what reached the page. */
  #judge(it, outcome, all, ms) {
    const effects = all.filter(({ id }) => id !== "told");
    const { status, code, fate, message } = outcome;
    const own = effects.filter(({ id }) => id === it.wanted.what);
    const other = effects.filter(({ id }) => id !== it.wanted.what);
    const isWorked = status === "OBSERVED" || status === "PARTIAL";
    const isFill = it.what === "Note";
    let verdict = "right";
    if (other.length > 0) verdict = "wrong_target";
    else if (own.length > 1 && !isFill) verdict = "duplicate";
    else if (isWorked && own.length === 0) verdict = "false_success";
    else if (fate === "not_sent" && own.length > 0) verdict = "false_failure";
    else if (status === "NO_EFFECT" && own.length > 0 && outcome.effect.looked_ms > EDGE_MS)
      verdict = "false_failure";
    else if (status === "ERROR" || status === "REFUSED") verdict = "error";
    const isRefusal = fate === "not_sent" && status !== "SATISFIED";
    const note =
      verdict === "right"
        ? ""
        : `act ${this.acts}, ${it.what} of ${it.who} (${it.how}): said ${status} ${code ?? ""} ${message}${changed(outcome)}; the page: ${sequence(all)}`;
    this.rows.push({
      corpus: "random",
      case: `act ${this.acts}, ${it.what}`,
      kind: it.what,
      tool: this.who,
      idle: false,
      verdict,
      ms: Math.round(ms * 10) / 10,
      ...(isRefusal ? { refusal_ms: Math.round(ms * 10) / 10 } : {}),
      note,
    });
  }
}

/** What happened in the page around an act, in order, with the page's own changes. */
const sequence = (all) =>
  all
    .map(({ id, value, t }) => `${Math.round(t)} ${id === "told" ? `(${value})` : id}`)
    .join(", ")
    .slice(0, 300) || "nothing";

/**
 * Runs the corpus; the peers have no such session to be compared in.
 * @param {{sidestick: string, browser: string, seed: number, quick?: boolean, tools: string[], acts?: number, say?: (row: any) => void}} asked
 */
export async function run({
  sidestick,
  browser,
  seed,
  quick = false,
  tools,
  acts = quick ? ACTS_QUICK : ACTS,
  say = () => {},
}) {
  if (!tools.includes("sidestick")) return [];
  const site = await Site.open();
  try {
    let documents = 0;
    const place = site.show("random", (it) => ({
      "": () =>
        it.page(
          "People",
          `<table><tbody id="rows"></tbody></table><div id="before"></div><script>${SCRIPT(seed + documents, documents++)}</script>`,
        ),
    }));
    const world = new World({ binary: sidestick, browser });
    const run = await world.begin(place.url, { actions: RUN_ACTIONS });
    const client = await run.connect();
    const walk = new Walk({ site, client, place, roll: random(seed) });
    await walk.look();
    await pause(WATCHED_MS);
    while (walk.acts < acts) {
      await walk.one();
      // Most of its documents end by themselves; this one sees to the rest.
      if (walk.acts % 50 === 49) {
        await client.navigate(`${place.url}?${walk.acts}`);
        await walk.look();
        await pause(WATCHED_MS);
      }
    }
    walk.rows.filter(({ verdict }) => verdict !== "right").forEach(say);
    console.log(
      `random: seed ${seed}, ${walk.acts} acts on ${documents} documents: ${JSON.stringify(walk.told)}`,
    );
    client.close();
    await run.end();
    return walk.rows;
  } finally {
    await site.close();
  }
}
