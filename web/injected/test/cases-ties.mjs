// Cases for what ties a later change to an input: what its handlers set going, and nothing else.

import assert from "node:assert/strict";
import { click, dataPage } from "./chromium.mjs";
import { onPage } from "./on-page.mjs";

// What happens by itself is timed from the press by a timer that the page has had all along.
const PAGE = `<!doctype html><title>Ties</title><p id=out>nothing</p><table><tbody id=rows>
  <tr><th>Ann<td><button id=dead>Dead</button><td><input aria-label=Note></tr>
  <tr><th>Bob<td><button>Dead</button><td><input aria-label=Note></tr></table>
  <button id=timer>Timer</button><button id=frames>Frames</button><button id=message>Message</button>
  <button id=nested>Nested</button><button id=promise>Promise</button><button id=idle>Idle</button>
  <button id=slow>Slow</button><script>
  const by = (id) => document.getElementById(id), says = (text) => { out.textContent = text };
  let pressed = Infinity, delay = Infinity;
  addEventListener('click', () => { pressed = performance.now() });
  setInterval(() => { if (performance.now() - pressed > delay) { delay = Infinity; recycle() } }, 5);
  by('timer').onclick = () => setTimeout(says, 450, 'timer');
  by('nested').onclick = () => setTimeout(() => setTimeout(says, 200, 'nested'), 200);
  by('frames').onclick = () => { let n = 0; const go = () => ++n < 12 ? requestAnimationFrame(go) : says('frames'); requestAnimationFrame(go) };
  by('idle').onclick = () => requestIdleCallback(() => says('idle'));
  by('message').onclick = () => { const c = new MessageChannel(); c.port1.onmessage = () => says('message'); c.port2.postMessage(0) };
  by('promise').onclick = async () => { says(await new Blob(['promise']).text()) };
  window.recycle = () => { [...rows.rows].forEach((r, at) => { r.cells[0].textContent = ['Cid', 'Dot'][at]; r.querySelector('input').value = 'x' + at }) };
  window.later = (ms) => { delay = ms; return 0 };
</script>`;

const kinds = (settled) => settled.changes.map((at) => `${at.kind} ${at.after ?? at.before}`);

export function tieCases(shared) {
  const on = (name, run) => onPage(shared, name, dataPage(PAGE), run);
  const press = async (page, id, settle) => (await click(page, await page.refOf(`#${id}`), settle)).settled;

  for (const id of ["timer", "nested", "frames", "idle", "message", "promise"]) {
    on(`what the handlers set going is the input's doing: ${id}`, async (page) => {
      const settled = await press(page, id);
      assert.deepEqual([settled.state, kinds(settled)], ["changed", [`text ${id}`]]);
      assert.equal(settled.untied, false);
    });
  }

  for (const ms of [70, 90, 300]) {
    on(`what a page does by itself after a press is nobody's: ${ms} ms`, async (page) => {
      const ref = await page.refOf("#dead");
      // Quiet for long enough that time alone would call it the input's.
      await new Promise((done) => setTimeout(done, 1800));
      await page.inPage(`later(${ms})`);
      const { settled } = await click(page, ref);
      assert.deepEqual([kinds(settled), settled.signals.tree, settled.signals.value], [[], false, false]);
      // Either it had not come by then, or it is told as what nothing ties to the press.
      if (settled.noise.length > 0) assert.equal(settled.untied, true);
    });
  }

  on("what the host knows to have been asked for ties what comes later", async (page) => {
    const ref = await page.refOf("#dead");
    await new Promise((done) => setTimeout(done, 1800));
    await page.inPage("later(90)");
    const { settled } = await click(page, ref, { asked: true });
    assert.ok(kinds(settled).length > 0, JSON.stringify(settled));
  });

  on("a field that loses the focus to a press was not changed by it", async (page) => {
    const note = await page.refOf("input");
    await page.act("select_text", { ref: note });
    await page.read("arm", { ref: null, point: null, focus_ref: note, expect: null });
    await page.insert("typed");
    await page.read("settle", { cap_ms: 1000, expect: null, asked: false });
    const ref = await page.refOf("#dead");
    await page.inPage("later(80)");
    const { settled } = await click(page, ref);
    assert.deepEqual([kinds(settled), settled.signals.value], [[], false]);
  });

  on("a row that a page moves, with the focus in it, is moved by the page", async (page) => {
    const note = await page.refOf("input");
    await page.act("select_text", { ref: note });
    await page.read("arm", { ref: null, point: null, focus_ref: note, expect: null });
    await page.insert("typed");
    await page.read("settle", { cap_ms: 1000, expect: null, asked: false });
    await page.read("arm", { ref: note, point: null, focus_ref: null, expect: null });
    await page.inPage("rows.append(rows.rows[0]); 0");
    const settled = await page.read("settle", { cap_ms: 2000, expect: null, asked: false });
    assert.deepEqual([kinds(settled), settled.signals.tree], [[], false]);
  });

  on("what changed before the input arrived is not its doing", async (page) => {
    const armed = await page.read("arm", { ref: await page.refOf("#timer"), point: null, focus_ref: null, expect: null });
    await new Promise((done) => setTimeout(done, 1800));
    await page.inPage("says('by itself'); rows.append(rows.rows[0]); rows.rows[1].querySelector('input').value = 'set'; 0");
    await page.inPage("by('timer').onclick = null; 0");
    await page.press(armed.x, armed.y);
    const settled = await page.read("settle", { cap_ms: 2000, expect: null, asked: false });
    assert.deepEqual([kinds(settled), settled.signals.tree], [[], false], JSON.stringify(settled));
  });
}
