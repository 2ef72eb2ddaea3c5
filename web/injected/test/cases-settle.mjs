// Cases for arm and settle: what changed, what only moved by itself, and when to stop looking.

import assert from "node:assert/strict";
import { click, dataPage } from "./chromium.mjs";
import { onPage } from "./on-page.mjs";

const EXPECT = { kind: "text", value: "", role: null, name: null };
const kinds = (settled) => settled.changes.map((at) => `${at.kind} ${at.role} ${at.after ?? at.before}`);
const pause = (ms) => new Promise((done) => setTimeout(done, ms));

export function settleCases(shared) {
  const on = (name, place, run) => onPage(shared, name, place, run);
  const press = async (page, id, settle) => (await click(page, await page.refOf(`#${id}`), settle)).settled;

  on("F11: a dead button is quiet, with focus as the only signal", "button-dead", async (page) => {
    const settled = await press(page, "dead");
    assert.equal(settled.state, "quiet");
    assert.deepEqual(settled.signals, { tree: false, value: false, focus: true, title: false, url: false });
    assert.deepEqual([settled.changes, settled.still_changing], [[], false]);
    assert.ok(settled.looked_ms < 400, String(settled.looked_ms));
    const [event] = await page.inPage("received");
    assert.deepEqual(event, { type: "click", target: "dead", isTrusted: true });
  });

  on("class flips, ripples and cancelled presses are no change", "button-dead", async (page) => {
    for (const id of ["flip", "ripple", "cancels"]) {
      const settled = await press(page, id);
      assert.deepEqual([settled.state, settled.changes], ["quiet", []], id);
    }
  });

  on("a counter is changed within a few frames", "effects", async (page) => {
    const settled = await press(page, "counter");
    assert.equal(settled.state, "changed");
    assert.deepEqual(kinds(settled), ["name button Count: 1"]);
    assert.ok(settled.looked_ms < 120, String(settled.looked_ms));
    assert.equal(settled.target_alive, true);
  });

  on("a toast that appears is told, also when it leaves", "effects", async (page) => {
    const settled = await press(page, "toast", { expect: { ...EXPECT, value: "never" } });
    assert.match(kinds(settled).join(), /appeared status Saved/);
    assert.match(kinds(settled).join(), /gone status Saved/);
  });

  on("a toast out of view is told as well", "effects", async (page) => {
    const settled = await press(page, "lowtoast", { expect: { ...EXPECT, value: "never" } });
    assert.deepEqual(
      settled.changes.map((at) => [at.kind, at.after ?? at.before, at.offscreen]),
      [
        ["appeared", "Low", true],
        ["gone", "Low", true],
      ],
    );
  });

  on("a class flip that reveals what was hidden counts, and so does a fade", "effects", async (page) => {
    assert.deepEqual(kinds(await press(page, "reveal")), ["appeared text Hidden panel"]);
    assert.deepEqual(kinds(await press(page, "fade")), ["appeared text Faded words"]);
  });

  on("a late effect is found by what is expected", "effects", async (page) => {
    const expect = { ...EXPECT, value: "Order placed" };
    const settled = await press(page, "late", { expect });
    assert.equal(settled.state, "expected");
    assert.ok(settled.looked_ms > 400 && settled.looked_ms < 1200, String(settled.looked_ms));
    assert.ok(settled.expect_held);
  });

  on(
    "an effect is waited for while a timer that its handlers set may bring it",
    "effects",
    async (page) => {
      const late = await press(page, "late");
      assert.deepEqual([late.state, kinds(late)], ["changed", ["appeared text Order placed"]]);
    },
  );

  on("what is added out of view counts and is marked", "effects", async (page) => {
    const settled = await press(page, "below");
    assert.deepEqual(
      settled.changes.map((at) => [at.kind, at.after, at.offscreen]),
      [["appeared", "Far line", true]],
    );
  });

  on("an address, an order and a re-render", "effects", async (page) => {
    const route = await press(page, "route");
    assert.deepEqual([route.state, route.signals.url, route.changes], ["changed", true, []]);
    const again = await press(page, "again");
    assert.deepEqual([again.state, again.changes], ["quiet", []]);
    const sorted = await press(page, "sort");
    assert.deepEqual(kinds(sorted), ["text listitem Second", "text listitem First"]);
  });

  on("a checkbox is a state and a value signal", "effects", async (page) => {
    const settled = await press(page, "box");
    assert.deepEqual(
      settled.changes.map((at) => [at.kind, at.role, at.before, at.after]),
      [["state", "checkbox", "unchecked", "checked"]],
    );
    assert.ok(settled.signals.value);
  });

  on(
    "a clock and a feed are noise after two seconds; a counter beside them is not",
    "clock-ticks",
    async (page) => {
      // By then the feed has its full length, and the buttons stay where they are.
      await pause(2600);
      const dead = await press(page, "dead");
      assert.deepEqual([dead.state, dead.changes, dead.signals.tree], ["quiet", [], false]);
      const counter = await press(page, "counter");
      assert.deepEqual(kinds(counter), ["name button Count: 1"]);
      const args = { cap_ms: 700, expect: { ...EXPECT, value: "never" }, asked: false };
      const ref = await page.refOf("#dead");
      await page.read("arm", { ref, point: null, focus_ref: null, expect: null });
      for (const began = performance.now(); performance.now() - began < 1000; ) {
        const watched = await page.read("settle", args);
        assert.deepEqual(watched.changes, []);
      }
      assert.deepEqual((await press(page, "dead")).changes, [], "it is noise still after a long window");
    },
  );

  on("the first tick of a clock on a young page is not an effect", "clocks-young", async (page) => {
    for (let run = 0; run < 5; run += 1) {
      const dead = await press(page, "dead");
      assert.deepEqual([dead.changes, dead.signals.tree, dead.signals.title], [[], false, false], `run ${run}`);
      assert.ok(dead.noise.length > 0 || dead.looked_ms < 400, JSON.stringify(dead));
    }
  });

  on("what a table does by itself is no effect of a dead button in it", "table-restless", async (page) => {
    await pause(4000);
    for (let run = 0; run < 12; run += 1) {
      const dead = await press(page, "dead");
      assert.deepEqual([dead.changes, dead.signals.tree], [[], false], `run ${run} ${JSON.stringify(dead.changes)}`);
    }
    const honest = await press(page, "honest");
    assert.match(kinds(honest).join("|"), /marked/);
    assert.ok(honest.looked_ms < 300, String(honest.looked_ms));
  });

  for (const [id, change] of [
    ["honest", "text text Pressed"],
    ["sets", /value textbox set /],
    ["late", "text text Came late"],
    ["frame", "text text Painted"],
  ]) {
    on(`beside young clocks an effect is told: ${id}`, "clocks-young", async (page) => {
      const settled = await press(page, id);
      assert.match(kinds(settled).join("|"), new RegExp(change.source ?? change.replace("text text", "appeared text")));
      if (id === "honest") assert.ok(settled.looked_ms < 200, String(settled.looked_ms));
    });
  }

  on(
    "typing into a field is a value change, into a secret one only a state",
    "secrets-fields",
    async (page) => {
      const type = async (selector, text) => {
        const ref = await page.refOf(selector);
        await page.act("select_text", { ref });
        await page.read("arm", { ref: null, point: null, focus_ref: ref, expect: null });
        await page.insert(text);
        return page.read("settle", { cap_ms: 2000, expect: null, asked: false });
      };
      const plain = await type("#user", "other");
      assert.deepEqual(
        plain.changes.map((at) => [at.kind, at.before, at.after]),
        [["value", "visible", "other"]],
      );
      const secret = await type("#pw", "swordfish");
      assert.deepEqual(
        secret.changes.map((at) => [at.kind, at.before, at.after]),
        [["value", null, null]],
      );
      assert.doesNotMatch(JSON.stringify(secret), /swordfish|hunter2/);
    },
  );

  on("opening a modal tells what appeared and not that the rest went", "dialog-modal", async (page) => {
    const settled = await press(page, "open");
    assert.ok(
      settled.changes.every((at) => at.kind === "appeared"),
      JSON.stringify(kinds(settled)),
    );
    assert.match(kinds(settled).join(), /button OK/);
  });

  on("a submit is seen", "form-submit", async (page) => {
    const settled = await press(page, "send");
    assert.deepEqual([settled.submitted, kinds(settled)], [true, ["appeared text Sent"]]);
  });

  on("arm refuses a covered element at that instant", "cover-overlay", async (page) => {
    const { armed } = await click(page, await page.refOf("#under"));
    assert.deepEqual([armed.ok, armed.hit.cover.id], [false, "backdrop"]);
    assert.deepEqual(await page.inPage("received"), []);
  });

  on("scrolling brings things into view without their having appeared", "places-offscreen", async (page) => {
    await page.read("arm", { ref: null, point: null, focus_ref: null, expect: null });
    await page.inPage("scrollTo(0, 3000)");
    const settled = await page.read("settle", { cap_ms: 1000, expect: null, asked: false });
    assert.deepEqual([settled.state, settled.changes], ["quiet", []]);
  });

  const canvas =
    "<canvas width=300 height=200></canvas><img width=100 height=100 src='data:,'><button id=b>B</button>";
  on("where it is blind it says so", dataPage(canvas), async (page) => {
    const settled = await press(page, "b");
    assert.deepEqual(settled.blind, ["canvas", "image"]);
  });

  on("waits are answered when the condition comes", "effects", async (page) => {
    await page.inPage("setTimeout(() => out.textContent = 'Later words', 200); 0");
    const text = await page.read("wait", {
      kind: "text",
      value: "Later words",
      timeout_ms: 3000,
      quiet_ms: null,
    });
    assert.ok(text.held && text.looked_ms < 1500, JSON.stringify(text));
    await page.inPage("setTimeout(() => out.textContent = '', 100); 0");
    assert.ok(
      (await page.read("wait", { kind: "gone", value: "Later words", timeout_ms: 3000, quiet_ms: null }))
        .held,
    );
    assert.ok(
      (await page.read("wait", { kind: "ready", value: null, timeout_ms: 3000, quiet_ms: null })).held,
    );
    assert.ok(
      (await page.read("wait", { kind: "still", value: null, timeout_ms: 3000, quiet_ms: 200 })).held,
    );
    assert.ok(
      !(await page.read("wait", { kind: "url", value: "#nowhere", timeout_ms: 150, quiet_ms: null })).held,
    );
  });
}
