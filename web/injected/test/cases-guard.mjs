// Cases for the guard: an input that would reach another element than was meant is kept from the page.

import assert from "node:assert/strict";
import { dataPage } from "./chromium.mjs";
import { onPage } from "./on-page.mjs";

const PAGE = `<!doctype html><title>Rows</title><table><thead><tr><th>Name<th>Do<th>Note</thead><tbody id=rows>
  <tr><td>Ann<td><button id=ship>Ship</button><td><input id=note aria-label=Note></tr>
  <tr><td>Bob<td><button>Ship</button><td><input aria-label=Note></tr></tbody></table>
  <iframe srcdoc="<button id=in>Inner</button>" width=200 height=60></iframe><script>
  window.received = [];
  const types = "pointerdown mousedown pointerup mouseup click keydown keyup beforeinput input";
  for (const type of types.split(" ")) addEventListener(type, (e) => received.push(type), true);
  window.recycle = () => { rows.rows[0].cells[0].textContent = "Zoe" };
  window.sort = () => { rows.prepend(rows.rows[1]) };
</script>`;

const armOn = (page, ref, focus = false) =>
  page.read("arm", { ref: focus ? null : ref, point: null, focus_ref: focus ? ref : null, expect: null });

export function guardCases(shared) {
  const on = (name, run) => onPage(shared, name, dataPage(PAGE), run);

  for (const change of ["recycle", "sort"]) {
    on(`a press is kept from a page that has changed meanwhile: ${change}`, async (page) => {
      const armed = await armOn(page, await page.refOf("#ship"));
      assert.equal(armed.subject.row, "Ann");
      await page.inPage(`${change}(); 0`);
      await page.press(armed.x, armed.y);
      assert.deepEqual(await page.inPage("received"), []);
      assert.deepEqual(await page.read("guard_end"), { stopped: true });
      await page.press(armed.x, armed.y);
      assert.ok((await page.inPage("received")).includes("click"), "the next press is not guarded any more");
    });
  }

  on("text is kept from a field that has another row's meaning by now", async (page) => {
    const ref = await page.refOf("#note");
    await page.act("select_text", { ref });
    await armOn(page, ref, true);
    await page.inPage("recycle(); 0");
    await page.insert("wrong row");
    assert.deepEqual(await page.inPage("[note.value, ...received]"), [""]);
    assert.deepEqual(await page.read("guard_end"), { stopped: true });
  });

  on("a control that is set by script is left alone when its row is another one by now", async (page) => {
    await page.inPage("rows.rows[0].cells[2].innerHTML = '<select id=kind aria-label=Kind><option>One<option>Two</select>'; 0");
    const ref = await page.refOf("#kind");
    await armOn(page, ref, true);
    await page.inPage("recycle(); 0");
    const answer = await page.act("select_options", { ref, values: ["Two"] });
    assert.deepEqual([answer.ok, answer.changed, answer.selected], [false, true, ["One"]]);
    await armOn(page, ref, true);
    assert.equal((await page.act("select_options", { ref, values: ["Two"] })).ok, true);
  });

  on("an act that was cut keeps nobody's input back for longer than a second", async (page) => {
    const armed = await armOn(page, await page.refOf("#ship"));
    await page.inPage("recycle(); 0");
    await page.press(armed.x, armed.y);
    assert.deepEqual(await page.inPage("received"), []);
    await new Promise((done) => setTimeout(done, 1100));
    await page.press(armed.x, armed.y);
    assert.ok((await page.inPage("received")).includes("click"));
  });

  on("what is still meant gets its press and its keys", async (page) => {
    const armed = await armOn(page, await page.refOf("#ship"));
    await page.press(armed.x, armed.y);
    assert.deepEqual(await page.read("guard_end"), { stopped: false });
    assert.ok((await page.inPage("received")).includes("click"));
    const ref = await page.refOf("#note");
    await page.act("select_text", { ref });
    await armOn(page, ref, true);
    await page.insert("right row");
    assert.deepEqual(await page.read("guard_end"), { stopped: false });
    assert.equal(await page.inPage("note.value"), "right row");
  });

  on("a frame of the same origin is guarded by the document above", async (page) => {
    const outline = await page.read("outline", {
      scope: "document", within: null, query: null, nodes_max: 1000, chars_max: 1e6,
    });
    const ref = outline.nodes.find((node) => node.n === "Inner").ref;
    const armed = await armOn(page, ref);
    await page.inPage("frames[0].document.getElementById('in').textContent = 'Other'; 0");
    await page.inPage("frames[0].addEventListener('click', () => received.push('inner click'), true); 0");
    await page.press(armed.x, armed.y);
    assert.deepEqual(await page.inPage("received"), []);
    assert.deepEqual(await page.read("guard_end"), { stopped: true });
  });
}
