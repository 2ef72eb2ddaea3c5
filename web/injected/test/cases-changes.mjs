// Cases for the change recorder: what is told, what brought it about, and where it stops.

import assert from "node:assert/strict";
import { click, dataPage } from "./chromium.mjs";
import { onPage } from "./on-page.mjs";

const pause = (ms) => new Promise((done) => setTimeout(done, ms));
const read = (page, args = {}) => page.read("changes", { since: null, back_ms: null, unmask: false, ...args });
const words = (told) => `${told.kind} ${told.before || "-"} > ${told.after || "-"}`;
const caused = (answer) => answer.changes.filter((told) => told.cause !== null);
const press = async (page, id) => click(page, await page.refOf(`#${id}`));

const BOARD = dataPage(`<title>Board</title><button id=dead>Dead</button>
  <table><tr><th>Row<td><button id=quick>Quick</button><td id=soon></td></tr>
  <tr><th>Row two<td><button id=slow>Slow</button><td id=late></td></tr></table>
  <table id=board></table><ul id=chat></ul><script>
  let n = 0, line = 0;
  for (let row = 0; row < 4; row += 1) board.insertRow();
  const cells = [...board.rows].flatMap((row) => [1, 2, 3, 4, 5].map(() => row.insertCell()));
  setInterval(() => cells.forEach((cell, i) => (cell.textContent = String((n += i)))), 250);
  setInterval(() => { const li = document.createElement('li'); li.textContent = 'line ' + (line += 1);
    chat.append(li); if (8 < chat.children.length) chat.firstChild.remove() }, 1000);
  quick.onclick = () => setTimeout(() => (soon.textContent = 'Saved'), 2500);
  slow.onclick = () => setTimeout(() => (late.textContent = 'Saved'), 3500);
  </script>`);

export function changesCases(shared) {
  const on = (name, html, run) => onPage(shared, name, html, run);

  on("a first read starts and tells nothing; later ones tell each change once", dataPage(`<p id=n>0</p>
    <script>let i = 0; setInterval(() => (n.textContent = String((i += 1))), 40)</script>`), async (page) => {
    const first = await read(page);
    assert.deepEqual([first.started, first.changes], [true, []]);
    let [since, count, last] = [first.until, 0, null];
    for (let at = 0; at < 5; at += 1) {
      await pause(150);
      const answer = await read(page, { since });
      assert.deepEqual([answer.from, answer.dropped], [since, 0]);
      const [told] = answer.changes;
      if (last !== null) assert.equal(told.before, last);
      assert.equal(told.count, Number(told.after) - Number(told.before));
      if (told.count > 1) assert.deepEqual([told.min, told.max], [Number(told.before) + 1, Number(told.after)]);
      [since, count, last] = [answer.until, count + told.count, told.after];
    }
    assert.ok(count >= 8, String(count));
  });

  on("each kind is told with its subject", dataPage(`<title>One</title><h1>Prices</h1><table>
    <tr><th>Coin<th>Last</tr><tr><th>BTC<td id=price>12</tr></table><p id=old>Old</p><div id=at></div><div id=flash></div>
    <div id=shut>Shut</div><input id=field aria-label=Name><input id=pin type=password aria-label=Pin>`), async (page) => {
    await read(page);
    await page.inPage(`(price.textContent = '15', old.remove(), at.innerHTML = '<p>New</p>',
      shut.style.display = 'none', document.title = 'Two', 0)`);
    await pause(120);
    const shown = (await read(page, { since: 0 })).changes;
    assert.deepEqual(shown.map(words).sort(), [
      "appeared - > New", "disappeared Old > -", "disappeared Shut > -", "text 12 > 15", "title One > Two",
    ]);
    const price = shown.find((told) => told.kind === "text");
    assert.deepEqual([price.subject.row, price.subject.column, price.cause], ["BTC", "Last", null]);
    await page.inPage("(flash.innerHTML = '<p>Brief</p>', 0)");
    await pause(100);
    await page.inPage("(flash.innerHTML = '', 0)");
    await pause(100);
    const brief = (await read(page, { since: (await read(page, { back_ms: 0 })).until - 250 })).changes;
    assert.ok(brief.map(words).includes("brief - > Brief"), JSON.stringify(brief));
  });

  on("what a field holds is masked unless asked for, a secret always", dataPage(`<input id=field
    aria-label=Name><input id=pin type=password aria-label=Pin>`), async (page) => {
    await read(page);
    for (const id of ["field", "pin"]) {
      const { armed } = await press(page, id);
      assert.ok(armed.ok);
      await page.send("Input.insertText", { text: "hunter2" });
    }
    const values = async (unmask) =>
      (await read(page, { since: 0, unmask })).changes.filter((told) => told.kind === "value").map((told) => told.after);
    assert.deepEqual(await values(false), ["••••", "••••"]);
    assert.deepEqual(await values(true), ["hunter2", "••••"]);
  });

  on("inert presses on a board that ticks bring nothing about (BR-149)", BOARD, async (page) => {
    await read(page);
    await pause(1500);
    for (let at = 0; at < 12; at += 1) await press(page, "dead");
    const answer = await read(page, { since: 0 });
    assert.ok(answer.changes.length > 10, String(answer.changes.length));
    assert.deepEqual(caused(answer), []);
  });

  on("what comes into the row of a press within 3 s is its doing, later is not (BR-146)", BOARD, async (page) => {
    await read(page);
    await press(page, "quick");
    await pause(2700);
    const quick = caused(await read(page, { since: 0 }));
    assert.deepEqual(quick.map((told) => [words(told), told.cause.name, told.cause.act]), [["text - > Saved", "Quick", true]]);
    const { until } = await read(page, { back_ms: 0 });
    await press(page, "slow");
    await pause(3700);
    const slow = await read(page, { since: until });
    assert.ok(slow.changes.some((told) => told.after === "Saved"));
    assert.deepEqual(caused(slow).filter((told) => told.after === "Saved"), []);
  });

  const menu = (ms, before = "") => dataPage(`<p id=news>-</p><button id=go>Open</button><script>${before}
    go.onclick = () => setTimeout(() => { const div = document.createElement('div');
      div.textContent = 'Menu'; document.body.append(div) }, ${ms})</script>`);
  for (const [ms, isCaused, before] of [[400, true, ""], [620, false, ""], [400, false, "change"]]) {
    on(`a menu ${ms} ms after a press on a page that ${before ? "moved" : "rested"}`, menu(ms), async (page) => {
      await read(page);
      await pause(2200);
      if (before) await page.inPage("(news.textContent = 'News', 0)");
      if (before) await pause(1200);
      await press(page, "go");
      await pause(800);
      const told = (await read(page, { since: 0 })).changes.find((at) => at.after === "Menu");
      assert.equal(told.cause !== null, isCaused);
    });
  }

  on("what comes after an act was told is told as late, once", dataPage(`<form><button type=button id=save>Save</button>
    <output id=out></output></form><script>save.onclick = () => setTimeout(() => (out.textContent = 'Saved'), 1200)
    </script>`), async (page) => {
    const { settled } = await press(page, "save");
    assert.deepEqual(settled.changes, []);
    assert.deepEqual(await page.read("late"), []);
    await pause(1300);
    assert.deepEqual((await page.read("late")).map(words), ["text - > Saved"]);
    assert.deepEqual(await page.read("late"), []);
  });

  on("more elements than are kept are counted, and the window is shortened", dataPage(`<div id=all style="font-size:4px;
    line-height:4px"></div><script>all.innerHTML = Array.from({length: 300}, (_, i) => '<b>' + i + '</b> ').join('')
    </script>`), async (page) => {
    const first = await read(page);
    await page.inPage("(document.querySelectorAll('b').forEach((b) => (b.textContent += 'x')), 0)");
    await pause(100);
    const answer = await read(page, { since: first.until });
    assert.ok(answer.changes.length <= 256 && answer.dropped >= 44, `${answer.changes.length} ${answer.dropped}`);
    assert.ok(answer.from > first.until);
  });
}
