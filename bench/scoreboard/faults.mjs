// The corpus `faults`: a server that saves half, twice, late or not at all, and pages that say
// "Saved" all the same.
//
// Where the truth is known only after the act, ours is asked for a verdict as well, and the script's
// own check of the record; what a tool says in the end is what is judged.

import fs from "node:fs";
import os from "node:os";
import path from "node:path";

import { click, fill, kind, script } from "./cases/make.mjs";
import { runWith } from "./corpus.mjs";
import { answers, lost } from "./site.mjs";

const fault = kind("faults");
const SAVE = { role: "button", name: "Save" };

/** A server's store; `keep` says what it keeps of what came. */
function store(keep, answer) {
  const saved = [];
  return {
    saved,
    route: {
      serve: (_place, _request, response, hit) => {
        saved.push(...keep(JSON.parse(hit.body || "{}")));
        answer(response, saved);
      },
    },
  };
}

const json = (response, status, value) => {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
};

/** A form that posts what it holds. `then` is what the page does with the answer `r`. */
const form = (
  then,
  more = "",
) => `<label>Name <input id="name" value="Ann"></label> <label>Phone <input id="phone" value="555"></label>
<button id="save" onclick="save()">Save</button>${more}${script(`const save = async () => { ${then} };
const send = () => fetch('save', {method: 'POST', body: JSON.stringify({name: by('name').value, phone: by('phone').value})});
const show = (text) => { by('out').textContent = text; };`)}`;

const posted = ({ hits }) => {
  const count = hits.filter(({ method }) => method === "POST").length;
  return count === 0 ? "none" : count === 1 ? "done" : "twice";
};

/** Acts for a goal and gives it the verdict pass; what the verdict says is what was said. */
const proven = (waitFor) => async (tool, target) => {
  if (tool.who !== "sidestick") return tool.act({ do: "click", ...SAVE }, target);
  const id = `g${++goals}`;
  await tool.client.ask({ call: "goal", id, title: "Save the form" });
  let told = await tool.told(() => tool.client.click(target, { goal: id }));
  if (told.said !== "done" && waitFor === undefined) return told;
  if (waitFor !== undefined)
    await tool.client.ask({ call: "wait", kind: "text", value: waitFor, timeout_ms: 5_000 });
  const verdict = {
    call: "verdict",
    goal: id,
    verdict: "pass",
    summary: "it was saved",
    proof: null,
    verified: null,
  };
  const act = told;
  told = await tool.client.ask(verdict).then(
    (answer) => ({
      said: answer.linked_findings.length > 0 ? "unsure" : "done",
      text: JSON.stringify(answer),
      message: `verdict pass; findings ${answer.linked_findings}`,
    }),
    (error) => ({ said: "refused", code: error.code, text: error.message, message: error.message }),
  );
  return {
    ...told,
    message: `${act.message}; ${told.message}`,
    text: `${act.text}\n${told.text}`,
    isLate: true,
  };
};
let goals = 0;

/** Our own answer to an act that carries the finding of a failed request is no plain "done". */
const withFindings = async (tool, target, step) => {
  const told = await tool.act(step, target);
  const failed = told.outcome?.requests?.some(
    ({ status, finding }) => status >= 400 && finding !== null,
  );
  return told.said === "done" && failed ? { ...told, said: "unsure" } : told;
};

const plain = (then, status, afterMs, more = {}) => ({
  routes: (place) => ({ "": place.page("Case", form(then)), save: answers(status, afterMs) }),
  ...more,
});
const saved = (name, of, want, more) => ({
  ...fault(name, "", click("Save"), { want, record: posted, ...more }),
  ...of,
});

const never = () => "none";

export const CASES = [
  saved(
    "a save that works, with a verdict",
    plain("await send(); show('Saved')", 200, 30),
    "done",
    { how: proven() },
  ),
  saved("a save that takes 2.5 s", plain("await send(); show('Saved')", 200, 2_500), "sent", {
    lateMs: 3_500,
    repeats: true,
  }),
  saved(
    "a save that takes 2.5 s, waited for, with a verdict",
    plain("show('Saving'); await send(); show('Saved')", 200, 2_500),
    "either",
    { lateMs: 3_500, how: proven("Saved") },
  ),
  saved("an answer without content", plain("await send()", 204, 20), "sent"),
  saved("an answer that is empty", plain("await send()", 200, 20), "sent"),
  saved("a server that never answers", plain("await send(); show('Saved')", 200, 60_000), "sent", {
    lateMs: 200,
    repeats: true,
    dirty: true,
  }),
  saved(
    "a careless repeat while the answer is slow",
    plain("await send(); show('Saved')", 200, 3_000),
    "sent",
    { lateMs: 4_000, repeats: true },
  ),
  saved(
    "the page says Saved at once, the server says 500 after 300 ms, the page takes it back",
    plain("show('Saved'); const r = await send(); if (!r.ok) show('nothing yet')", 500, 300),
    "refuse",
    { how: proven(), record: never, lateMs: 800, says: /effect_reverted/ },
  ),
  saved(
    "the page says Saved at once and takes it back silently after 900 ms",
    plain("show('Saved'); const r = await send(); if (!r.ok) show('nothing yet')", 500, 900),
    "refuse",
    { how: proven(), record: never, lateMs: 1_500, says: /effect_reverted/ },
  ),
  saved(
    "an entry appears at once and is taken away when the server refuses it",
    plain(
      "const li = document.createElement('p'); li.textContent = 'Entry Ann'; document.body.append(li); const r = await send(); if (!r.ok) li.remove()",
      409,
      300,
    ),
    "refuse",
    { how: proven(), record: never, lateMs: 800, says: /effect_reverted/ },
  ),
  saved(
    "a switch that goes back when the server refuses it",
    {
      routes: (place) => ({
        "": place.page(
          "Case",
          `<button id="s" role="switch" aria-checked="false" onclick="this.setAttribute('aria-checked', 'true'); fetch('save', {method: 'POST'}).then((r) => r.ok || this.setAttribute('aria-checked', 'false'))">Save</button>`,
        ),
        save: answers(500, 300),
      }),
    },
    "refuse",
    {
      act: { do: "click", role: "switch", name: "Save" },
      how: proven(),
      record: never,
      lateMs: 800,
      says: /effect_reverted/,
    },
  ),
  saved(
    "the page says Saved whatever the server answers (500)",
    plain("await send(); show('Saved')", 500, 50),
    "unsure",
    { how: withFindings, record: never, says: /"status":500,"finding":"F\d+"/ },
  ),
  saved(
    "the page says Saved whatever the server answers (500), with a verdict",
    plain("await send(); show('Saved')", 500, 50),
    "unsure",
    { how: proven(), record: never, only: ["sidestick"] },
  ),
  saved(
    "the page says Saved, the answer (500) comes after the verdict was asked for",
    plain("show('Saved'); await send()", 500, 700),
    "unsure",
    { how: proven(), record: never, lateMs: 1_000 },
  ),
  saved(
    "the server refuses (422) and the page says nothing",
    plain("await send()", 422, 50),
    "sent",
    { record: posted, says: /"status":422,"finding":"F\d+"/ },
  ),
  saved(
    "the connection breaks and the page says Saved",
    {
      routes: (place) => ({
        "": place.page(
          "Case",
          form(
            "show('Saved'); await send().then((r) => r.text()).catch(() => show('nothing yet'))",
          ),
        ),
        save: lost(200),
      }),
    },
    "refuse",
    { how: proven(), record: never, lateMs: 800, says: /effect_reverted/ },
  ),
  fault(
    "a route guard that cancels",
    `<a href="next" onclick="did('asked'); event.preventDefault()">Leave</a>`,
    click("Leave", "link"),
    { want: "nothing", allowed: ["asked"] },
  ),
  fault(
    "a save that a guard of the page stops",
    `${form("if (by('phone').value !== '') return; await send()")}`,
    click("Save"),
    { want: "nothing", record: posted },
  ),
  fault(
    "a field that is taken back when the server refuses it",
    (place) => ({
      "": place.page(
        "Case",
        `<label>Name <input id="f" value="old" onchange="fetch('save', {method: 'POST'}).then((r) => { if (!r.ok) this.value = 'old'; })"></label>`,
      ),
      save: answers(500, 20),
    }),
    fill("Name", "new"),
    {
      want: "reverts",
      record: ({ after }) => (after.f === "new" ? "done" : "none"),
      lateMs: 500,
      only: ["sidestick"],
    },
  ),
];

/**
 * Runs the corpus.
 * @param {{sidestick: string, browser: string, only?: string, tools: string[], say?: (row: any) => void}} asked
 */
export async function run(asked) {
  const named = CASES.filter(({ name }) => asked.only === undefined || name.includes(asked.only));
  return runWith(
    "faults",
    asked,
    () => named,
    async (tool, rows) => {
      if (tool.who !== "sidestick") return;
      for (const row of await checked(tool)) {
        asked.say?.(row);
        rows.push(row);
      }
    },
  );
}

const PAGE = "show((await (await send()).json()).saved ? 'Saved' : 'Not saved')";

/** Servers whose pages say "Saved", and a script that asks the system of record. */
const SYSTEMS = [
  {
    name: "all of it is saved: the check agrees",
    keep: ({ name, phone }) => [name, phone],
    equals: "555",
    exit: 0,
  },
  {
    name: "half of it is saved: the check denies what the page says",
    keep: ({ name }) => [name],
    equals: "555",
    exit: 30,
  },
  {
    name: "nothing is saved: the check denies what the page says",
    keep: () => [],
    equals: "555",
    exit: 30,
  },
];

/** Runs a script of one goal against each, whose check decides. */
async function checked(tool) {
  const rows = [];
  for (const [at, { name, keep, equals, exit }] of SYSTEMS.entries()) {
    const { saved: kept, route } = store(keep, (response) => json(response, 200, { saved: true }));
    const place = tool.site.show(`s${at}-check`, (it) => ({
      "": it.page("Case", form(PAGE)),
      save: route,
      record: { serve: (_p, _q, response) => json(response, 200, { phone: kept[1] ?? null }) },
    }));
    const file = path.join(tool.world.project, `check-${at}.yaml`);
    fs.writeFileSync(file, scriptOf(place.url, equals));
    const args = [
      "run",
      file,
      "--browser",
      tool.world.browser,
      ...(os.userInfo().uid === 0 ? ["--no-sandbox"] : []),
    ];
    const said = await tool.world.run([...args, "--json"]);
    const isRight = said.exit === exit;
    const verdict = isRight ? "right" : said.exit === 0 ? "false_success" : "refused";
    const note = isRight
      ? ""
      : `exit ${said.exit} where ${exit} is right: ${(said.out + said.err).slice(0, 300)}`;
    rows.push({
      corpus: "faults",
      case: name,
      kind: "faults",
      tool: tool.who,
      verdict,
      ms: said.ms,
      note,
    });
  }
  return rows;
}

function scriptOf(url, equals) {
  return `version: 1
target: "${url}"
surface: web
owner: yours
attended: false
goals:
  - id: save
    title: Save the form
    demands: pass
    check: { http: "${url}record", pointer: /phone, equals: "${equals}" }
    steps:
      - act: click
        target: { role: button, name: Save }
        expect: "text:Saved"
      - verdict: { status: pass, summary: The page says that it was saved. }
`;
}
