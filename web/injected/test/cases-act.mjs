// Cases for act.js, read_back and focus_info.

import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { onPage } from "./on-page.mjs";

export function actCases(shared) {
  const on = (name, place, run) => onPage(shared, name, place, run);
  const back = async (page, ref) => page.read("read_back", { ref, key: "0b0b" });

  on("F9: a contenteditable is replaced and read back", "editor-contenteditable", async (page) => {
    for (const id of ["#plain", "#role"]) {
      const ref = await page.refOf(id);
      assert.equal((await page.act("select_text", { ref })).ok, true);
      await page.insert("new text");
      assert.equal((await back(page, ref)).value, "new text", id);
    }
    const ref = await page.refOf("#plain");
    await page.act("caret_to_end", { ref });
    await page.insert("!");
    assert.equal((await back(page, ref)).value, "new text!");
  });

  on("F5, F8: what the page kept is what is read back", "field-values", async (page) => {
    for (const [id, typed, kept] of [
      ["#short", "abcdef", "abc"],
      ["#code", "ab12c", "ABC"],
      ["#notes", "one", "one"],
    ]) {
      const ref = await page.refOf(id);
      await page.act("select_text", { ref });
      await page.insert(typed);
      assert.equal((await back(page, ref)).value, kept, id);
    }
  });

  on("F7: date, range and color are set with both events", "field-values", async (page) => {
    for (const [id, value] of [
      ["day", "2026-08-09"],
      ["level", "6"],
      ["paint", "#00ff00"],
    ]) {
      const ref = await page.refOf(`#${id}`);
      assert.deepEqual(await page.act("set_value", { ref, value }), { ok: true });
      assert.equal((await back(page, ref)).value, value);
    }
    const events = (await page.inPage("received")).map((at) => `${at.type} ${at.target}`);
    assert.deepEqual(events, [
      "input day",
      "change day",
      "input level",
      "change level",
      "input paint",
      "change paint",
    ]);
    assert.deepEqual(await page.act("set_value", { ref: await page.refOf("#count"), value: "2" }), {
      ok: false,
    });
  });

  on("options are chosen by label, else by value, never disabled ones", "select-options", async (page) => {
    const fruit = await page.refOf("#fruit");
    assert.deepEqual(await page.act("select_options", { ref: fruit, values: ["Cherry"] }), {
      ok: true,
      selected: ["Cherry"],
    });
    assert.deepEqual((await back(page, fruit)).selected, ["Cherry"]);
    assert.equal((await page.act("select_options", { ref: fruit, values: ["Banana"] })).ok, false);
    const many = await page.refOf("#many");
    assert.deepEqual(await page.act("select_options", { ref: many, values: ["One", "Two"] }), {
      ok: true,
      selected: ["One", "Two"],
    });
    assert.equal((await page.inPage("received")).length, 4);
  });

  on("a secret reads back as a digest under the key", "secrets-fields", async (page) => {
    const answer = await back(page, await page.refOf("#pw"));
    const digest = createHmac("sha256", Buffer.from("0b0b", "hex")).update("hunter2").digest("hex");
    assert.deepEqual([answer.value, answer.digest, answer.is_secret], [null, digest, true]);
  });

  on("the focus is told, and whether a key would operate it", "widgets-aria", async (page) => {
    assert.equal((await page.read("focus_info")).ref, null);
    await page.inPage("press.focus()");
    const button = await page.read("focus_info");
    assert.deepEqual([button.subject.name, button.operates, button.is_text_field], ["Bold", true, false]);
    const view = await page.read("viewport");
    assert.ok(view.width > 0 && view.page_height >= view.height - 1);
  });
}
