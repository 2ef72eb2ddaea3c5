// The table of rules and the reading of records: `node --test bench/scoreboard/test/`.

import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { RULES, judge, recorded } from "../judge.mjs";
import { barsOf, counted } from "../report.mjs";
import { entriesOf, pick } from "../tools.mjs";

const facts = (want, said, record, more = {}) => ({
  want,
  said,
  record,
  leaked: false,
  told: true,
  ...more,
});
const verdict = (...all) => judge(facts(...all)).verdict;

const SAIDS = [
  "done",
  "satisfied",
  "partial",
  "nothing",
  "sent",
  "unsure",
  "refused",
  "absent",
  "error",
];
const RECORDS = ["none", "done", "altered", "twice", "other"];
const WANTS = [
  "done",
  "partial",
  "refuse",
  "nothing",
  "sent",
  "either",
  "satisfied",
  "unsure",
  "reverts",
];

describe("the table of rules", () => {
  it("has a rule for every case, and uses every rule", () => {
    const used = new Set();
    for (const want of WANTS)
      for (const said of SAIDS)
        for (const record of RECORDS)
          for (const leaked of [false, true])
            used.add(judge(facts(want, said, record, { leaked })).why);

    assert.ok(!used.has("no rule holds"));
    for (const { why } of RULES) assert.ok(used.has(why), why);
  });

  it("never calls it right to say done where nothing, or something else, happened", () => {
    for (const want of WANTS)
      for (const record of ["none", "altered"])
        assert.equal(verdict(want, "done", record), "false_success");
  });

  it("never calls it right when something else was hit, or when it happened twice", () => {
    for (const want of WANTS)
      for (const said of SAIDS) {
        assert.equal(verdict(want, said, "other"), "wrong_target");
        assert.equal(verdict(want, said, "twice"), "duplicate");
      }
  });

  it("never calls it right to say no to what happened", () => {
    for (const want of WANTS)
      for (const said of ["nothing", "refused", "absent", "error"])
        assert.equal(verdict(want, said, "done"), "false_failure");
  });

  it("wants a refusal where a refusal is right, and counts one where it is not", () => {
    assert.equal(verdict("refuse", "refused", "none"), "right");
    assert.equal(verdict("done", "refused", "none"), "refused");
    assert.equal(verdict("refuse", "done", "done"), "false_success");
    assert.equal(verdict("refuse", "nothing", "none"), "missed");
  });

  it("counts an answer that does not say what it has to as a miss", () => {
    assert.equal(verdict("refuse", "refused", "none", { told: false }), "missed");
  });
});

describe("a record", () => {
  const effect = (id) => ({ page: "p", kind: "effect", id, t: 0 });
  const state = (value) => ({ page: "p", kind: "state", value, t: 0 });

  it("tells nothing, once, twice and something else apart", () => {
    const of = { effect: "ok" };

    assert.equal(recorded(of, {}, []), "none");
    assert.equal(recorded(of, {}, [effect("ok")]), "done");
    assert.equal(recorded(of, {}, [effect("ok"), effect("ok")]), "twice");
    assert.equal(recorded(of, {}, [effect("ok"), effect("near")]), "other");
  });

  it("tells what a field holds from what was asked, and another field from it", () => {
    const of = { holds: { id: "f", value: "abc" } };
    const before = { f: "", g: "" };

    assert.equal(recorded(of, before, [state({ f: "", g: "" })]), "none");
    assert.equal(recorded(of, before, [state({ f: "abc", g: "" })]), "done");
    assert.equal(recorded(of, before, [state({ f: "ab", g: "" })]), "altered");
    assert.equal(recorded(of, before, [state({ f: "", g: "abc" })]), "other");
  });
});

describe("an outline of ours", () => {
  const outline =
    'row 1 | "Ann" | textbox "Note" value "say e9 | button" filled e7 | button "Open" disabled e8\nlistbox "Colors" options  of 3 multiple e1';

  it("gives each ref its own role and name", () => {
    const found = entriesOf(outline).map(({ role, name, ref }) => [role, name, ref]);

    assert.deepEqual(found, [
      ["textbox", "Note", "e7"],
      ["button", "Open", "e8"],
      ["listbox", "Colors", "e1"],
    ]);
    assert.equal(pick(entriesOf(outline), { role: "button", name: "Open" }), "e8");
  });
});

describe("the rates", () => {
  const row = (verdict_, more) => ({
    corpus: "truth",
    case: "c",
    tool: "sidestick",
    verdict: verdict_,
    ms: 1,
    ...more,
  });

  it("time refusals that were right alone", () => {
    const rows = [
      row("right", { refusal_ms: 10 }),
      row("refused", { refusal_ms: 5000 }),
      row("right", {}),
    ];

    assert.equal(counted(rows).refusal.n, 1);
    assert.equal(counted(rows).refusal.p50, 10);
  });

  it("miss a bar for one false success of ours, and for none of a peer", () => {
    assert.ok(
      barsOf([row("right"), row("false_success", { tool: "agent-browser" })]).every(({ ok }) => ok),
    );
    assert.ok(!barsOf([row("false_success")]).every(({ ok }) => ok));
  });
});
