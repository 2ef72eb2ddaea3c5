// Cases for resolve: exactly one element, visible, ready, or the reason why not.

import assert from "node:assert/strict";
import { dataPage, outlineOf, resolveIn } from "./chromium.mjs";
import { node, onPage } from "./on-page.mjs";

export function resolveCases(shared) {
  const on = (name, place, run) => onPage(shared, name, place, run);
  const facts = async (page, selector, action = "click", values = null) =>
    (await resolveIn(page, { ref: await page.refOf(selector) }, action, values)).element;
  const code = async (...args) => (await facts(...args)).ready.code;

  on(
    "F1, F2: a replaced element is gone, with its look-alike told and not used",
    "list-insert-keeps-refs",
    async (page) => {
      const beta = node(await outlineOf(page), "button", "Beta").ref;
      await page.inPage("alike.click()");
      const answer = await resolveIn(page, { ref: beta });
      assert.deepEqual([answer.kind, answer.reason], ["gone", "element_gone"]);
      assert.equal(answer.look_alike.subject.name, "Beta");
      assert.notEqual(answer.look_alike.ref, beta);
      assert.equal((await resolveIn(page, { ref: "e9999" })).look_alike, null);
    },
  );

  on(
    "a recycled element tells what it meant when it was last shown",
    dataPage(
      "<table><tr><th>N<th>A<tr><td id=n>Alice<td><button>Del</button><tr><td>Bob<td><button>Del</button></table>",
    ),
    async (page) => {
      const [del] = (await outlineOf(page)).nodes.filter((at) => at.n === "Del");
      await page.inPage("n.textContent = 'Carol'");
      const { element } = await resolveIn(page, { ref: del.ref });
      assert.deepEqual([element.last_seen.row, element.subject.row], ["Alice", "Carol"]);
    },
  );

  on(
    "F3, F4: read-only, disabled, fieldset, aria-disabled, inert, pointer-events",
    "field-readonly-disabled",
    async (page) => {
      assert.equal(await code(page, "#fixed", "fill", ["x"]), "readonly");
      assert.equal(await code(page, "#fixed", "click"), null);
      assert.equal(await code(page, "#off", "fill", ["x"]), "disabled");
      assert.equal(await code(page, "#inside", "fill", ["x"]), "disabled");
      assert.equal(await code(page, "#soft", "click"), "disabled");
      assert.equal(await code(page, "#soft", "hover"), null);
      assert.equal(await code(page, "#inert", "click"), "inert");
      assert.equal(await code(page, "#through", "click"), "pointer_none");
      assert.deepEqual(await page.inPage("received"), []);
    },
  );

  on("F5, F6, F7: lengths, and values a control cannot hold", "field-values", async (page) => {
    assert.equal((await facts(page, "#short", "fill", ["abcdef"])).max_length, 3);
    assert.equal(await code(page, "#count", "fill", ["abc"]), "invalid_value");
    assert.equal(await code(page, "#count", "fill", ["-1.5e3"]), null);
    assert.equal(await code(page, "#day", "fill", ["2026-08-09"]), null);
    assert.equal(await code(page, "#day", "fill", ["2026-02-30"]), "invalid_value");
    assert.equal(await code(page, "#level", "fill", ["11"]), "invalid_value");
    assert.equal(await code(page, "#level", "fill", ["5"]), "invalid_value");
    assert.equal(await code(page, "#level", "fill", ["6"]), null);
    assert.equal(await code(page, "#paint", "fill", ["red"]), "invalid_value");
    assert.equal(await code(page, "#file", "fill", ["x"]), "wrong_kind");
    assert.equal((await facts(page, "#file")).opens, "file");
    assert.equal(await code(page, "#notes", "upload"), "wrong_kind");
  });

  on("F10: options that are missing, disabled, or chosen already", "select-options", async (page) => {
    assert.equal(await code(page, "#fruit", "select", ["Banana"]), "option_disabled");
    assert.equal(await code(page, "#fruit", "select", ["Date"]), "option_missing");
    assert.equal(await code(page, "#many", "select", ["Three"]), "option_disabled");
    assert.equal(await code(page, "#fruit", "select", ["Apple", "Cherry"]), "wrong_kind");
    assert.equal((await facts(page, "#fruit", "select", ["Apple"])).satisfied, true);
    const cherry = await facts(page, "#fruit", "select", ["c"]);
    assert.deepEqual([cherry.satisfied, cherry.options_found, cherry.ready.ok], [false, true, true]);
  });

  on(
    "F12: an overlay is named, and a free part of a covered element is found",
    "cover-overlay",
    async (page) => {
      const { visible } = await facts(page, "#under");
      assert.deepEqual(visible, {
        ok: false,
        reason: "occluded",
        cover: { role: "generic", tag: "div", name: "Please wait", id: "backdrop" },
      });
      await page.go(new URL("../cover-partial/index.html", await page.inPage("location.href")).href);
      await page.read("begin_document", { ref_start: 1, frame_start: 1 });
      const half = await facts(page, "#half");
      assert.equal(half.visible.ok, true);
      assert.equal(await page.inPage(`document.elementFromPoint(${half.point}).id`), "half");
    },
  );

  on("F22: checkable widgets, and what cannot be unchecked", "widgets-aria", async (page) => {
    assert.equal(await code(page, "#tick", "check"), null);
    assert.equal(await code(page, "#off", "check"), "disabled");
    assert.equal(await code(page, "#radio", "uncheck"), "wrong_kind");
    assert.equal((await facts(page, "#radio", "check")).satisfied, true);
    assert.equal(await code(page, "#press", "check"), "wrong_kind");
    assert.equal((await facts(page, "#tick", "check")).checked, false);
  });

  on("reasons for not being visible, and what only needs scrolling", "places-offscreen", async (page) => {
    const reason = async (id) => (await facts(page, `#${id}`)).visible.reason;
    assert.equal(await reason("none"), "display");
    assert.equal(await reason("unseen"), "hidden");
    assert.equal(await reason("clear"), "opacity");
    assert.equal(await reason("flat"), "zero_size");
    assert.equal(await reason("gone"), "offscreen");
    for (const id of ["inner", "deep"]) {
      const e = await facts(page, `#${id}`);
      assert.deepEqual([e.visible.ok, e.in_viewport, e.point], [true, false, null], id);
      await page.act("scroll_into_view", { ref: e.ref });
      const after = await facts(page, `#${id}`);
      assert.deepEqual([after.visible.ok, after.in_viewport], [true, true], id);
      await page.inPage("scrollTo(0, 0)");
    }
  });

  on(
    "a checkbox hidden behind its label is pressed through the label",
    "checkbox-behind-label",
    async (page) => {
      for (const id of ["clipped", "clear", "none", "apart"]) {
        const e = await facts(page, `#${id}`, "check");
        assert.deepEqual(
          [e.visible.ok, e.cover_ok_label],
          [true, id === "clear" ? e.cover_ok_label : true],
          id,
        );
        const armed = await page.read("arm", { ref: e.ref, point: null, focus_ref: null, expect: null });
        assert.equal(armed.ok, true, id);
        await page.press(armed.x, armed.y);
        assert.equal((await page.read("read_back", { ref: e.ref, key: "00" })).checked, true, id);
      }
    },
  );

  on("behind a modal dialog everything is inert or covered", "dialog-modal", async (page) => {
    const open = await page.refOf("#open");
    await page.inPage("dialog.showModal()");
    const { element } = await resolveIn(page, { ref: open });
    assert.equal(element.ready.code, "inert");
    assert.equal((await facts(page, "#ok")).ready.ok, true);
  });

  on("an element in nested frames is measured and hit in the top viewport", "frames-nested", async (page) => {
    const answer = await resolveIn(page, { role: "button", name: "deep button", near: null });
    assert.equal(answer.kind, "found");
    const { ref, point } = answer.element;
    await page.press(...point);
    assert.equal((await page.read("read_back", { ref, key: "00" })).text, "1");
    await page.inPage("new Promise((done) => { mid.onload = done; mid.srcdoc = mid.srcdoc })");
    assert.equal((await resolveIn(page, { ref })).kind, "gone");
  });

  on("an element in an open shadow tree is hit inside it", "shadow-open", async (page) => {
    const { element } = await resolveIn(page, { role: "button", name: "Shadow button", near: null });
    assert.equal(element.visible.ok, true);
    await page.press(...element.point);
    assert.equal((await resolveIn(page, { ref: element.ref })).element.subject.name, "Pressed");
  });

  on("moving is told, glowing is not moving", "moving-button", async (page) => {
    assert.equal(await code(page, "#moving"), "moving");
    assert.equal(await code(page, "#glowing"), null);
  });

  on("forms, links and what Enter would press", "form-submit", async (page) => {
    const user = await facts(page, "#user", "fill", ["x"]);
    assert.equal(user.default_button.name, "Log in");
    assert.deepEqual([user.form.method, user.form.password_fields], ["post", 1]);
    assert.match(user.form.action, /\/session$/);
    assert.equal((await facts(page, "#send")).submits, true);
    assert.equal((await facts(page, "#other")).submits, false);
    const link = await facts(page, "#link");
    assert.deepEqual([link.download, link.target_blank], [true, true]);
    assert.match(link.href, /file\.zip$/);
  });

  on("several answers are told as several, and points go to the control", "cards-subjects", async (page) => {
    const several = await resolveIn(page, { role: "button", name: "add to cart", near: null });
    assert.deepEqual([several.kind, several.total], ["several", 3]);
    assert.equal((await resolveIn(page, { role: "button", name: "add to cart", near: "Bob" })).kind, "found");
    assert.equal((await resolveIn(page, { role: "button", name: "nothing", near: null })).kind, "none");
    const { element } = several.matches[0] && (await resolveIn(page, { ref: several.matches[0].ref }));
    const byPoint = await resolveIn(page, { point: element.point });
    assert.equal(byPoint.element.ref, element.ref);
  });
}
