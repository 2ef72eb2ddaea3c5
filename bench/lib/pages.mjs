// The pages the rows work on, made from a seed, the same on every machine.

import { random } from "./stats.mjs";

const WORDS = (
  "anchor ballast beacon bearing berth bridge buoy cabin cargo channel chart compass course crew " +
  "current deck depth dock draft ferry flag fleet gauge galley harbor hatch helm hull keel ladder " +
  "lantern lock manifest mast mooring oar pilot port quay radio rigging rope rudder sail signal tide"
).split(" ");

const STYLE = `<style>
body { font: 14px/1.4 sans-serif; margin: 16px }
table { border-collapse: collapse } td, th { border: 1px solid #ccc; padding: 2px 6px }
.card { display: inline-block; width: 290px; vertical-align: top; border: 1px solid #ddd; margin: 5px; padding: 8px }
.row { display: flex; gap: 8px; border-bottom: 1px solid #eee; padding: 4px }
aside { float: left; width: 200px } .beside { margin-left: 220px } pre { background: #f4f4f4; padding: 6px }
</style>`;

/** The page's text grows or shrinks when the bench says so, and the page says when it has. */
const RESIZES = `<script>
new EventSource('/live' + location.search).onmessage = (event) => {
  document.documentElement.style.fontSize = document.body.style.fontSize = event.data;
  fetch('/resized' + location.search, { method: 'POST', body: event.data }).then((answer) => answer.text());
};
</script>`;

function page(title, body, head = "") {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title>${STYLE}${head}</head><body>${body}</body></html>`;
}

/** Returns a maker of texts from one seed. */
function author(seed) {
  const next = random(seed);
  const one = (list) => list[Math.floor(next() * list.length)];
  const number = (from, to) => from + Math.floor(next() * (to - from + 1));
  const words = (count) => Array.from({ length: count }, () => one(WORDS)).join(" ");
  const capital = (text) => text[0].toUpperCase() + text.slice(1);
  return {
    one,
    number,
    words,
    capital,
    title: (count) => words(count).split(" ").map(capital).join(" "),
  };
}

const times = (count, make) => Array.from({ length: count }, (_, index) => make(index)).join("");

/** A button that counts in the same task, one that does nothing, and one that sends and then counts. */
function buttons() {
  return page(
    "Buttons",
    `<h1>Buttons</h1>
    <p><button id="count">Count</button> <output id="counted">counted 0</output></p>
    <p><button id="dead">Dead</button></p>
    <p><button id="send">Send</button> <output id="sent">sent 0</output></p>
    <script>
      let [counted, sent] = [0, 0];
      const show = (id, count) => { document.getElementById(id).textContent = id + ' ' + count; };
      document.getElementById('count').onclick = () => show('counted', ++counted);
      document.getElementById('send').onclick = async () => {
        await (await fetch('/sent', { method: 'POST', body: String(sent + 1) })).text();
        show('sent', ++sent);
      };
      window.state = () => 'counted ' + counted + ' sent ' + sent;
    </script>`,
  );
}

/** A small form; what its name field received is kept, and shown on request. */
function form() {
  return page(
    "Sign up",
    `<h1>Sign up</h1>
    <form onsubmit="event.preventDefault()">
      <p><label>Full name <input id="name" name="name"></label></p>
      <p><label>Email <input name="email" type="email"></label></p>
      <p><label>Password <input type="password" name="password"></label></p>
      <p><label>Country <select name="country"><option>France<option>Japan<option>Brazil</select></label></p>
      <fieldset><legend>Plan</legend><label><input type="radio" name="plan" checked>Free</label>
        <label><input type="radio" name="plan">Pro</label></fieldset>
      <p><label><input type="checkbox" name="terms">I agree to the terms</label></p>
      <p><label>Notes <textarea name="notes"></textarea></label></p>
      <p><button>Create account</button> <button type="button" id="show">Show record</button></p>
    </form>
    <p id="record"></p>
    <script>
      const values = [];
      const name = document.getElementById('name');
      name.addEventListener('input', () => values.push(name.value));
      window.state = () => values.join('|');
      document.getElementById('show').onclick = () => {
        document.getElementById('record').textContent = window.state();
      };
    </script>`,
  );
}

/** Controls that have to be refused; every input event that reaches the page is counted. */
function refusals() {
  return page(
    "Refusals",
    `<h1>Refusals</h1>
    <p style="position:relative"><button id="covered">Covered</button>
      <span style="position:absolute;left:0;top:0;width:120px;height:40px;background:#eee">cover</span></p>
    <p><button disabled>Disabled</button></p>
    <p><label>Read only <input readonly value="fixed"></label></p>
    <p><label>Amount <input type="number"></label></p>
    <p><button id="hidden">Hidden</button> <button id="stale">Stale</button></p>
    <p><button id="prepare">Prepare</button> <button id="tell">Tell</button> <output id="told">none</output></p>
    <script>
      let events = 0;
      const kinds = ['pointermove', 'mousemove', 'pointerdown', 'mousedown', 'pointerup', 'mouseup',
        'click', 'keydown', 'keyup', 'beforeinput', 'input', 'focusin', 'wheel'];
      for (const kind of kinds) addEventListener(kind, () => { events += 1; }, true);
      document.getElementById('prepare').onclick = () => {
        document.getElementById('hidden').style.visibility = 'hidden';
        document.getElementById('stale').remove();
      };
      document.getElementById('tell').onclick = () => {
        document.getElementById('told').textContent = 'events ' + events;
        events = 0;
      };
    </script>`,
  );
}

/** 2,000 rows of 8 cells. */
function table() {
  const { one, number, words } = author(11);
  const heads = ["ID", "Customer", "Item", "Quantity", "Price", "Date", "State", "Action"];
  const rows = times(
    2000,
    (i) =>
      `<tr><td>${i}</td><td><a href="#r${i}">${words(2)}</a></td><td>${words(3)}</td><td>${number(1, 9999)}</td>` +
      `<td>${number(1, 99)}.${number(10, 99)}</td><td>2026-${String(number(1, 12)).padStart(2, "0")}-${String(number(1, 28)).padStart(2, "0")}</td>` +
      `<td>${one(["open", "closed", "waiting"])}</td><td><button>Edit</button></td></tr>`,
  );
  const head = times(8, (i) => `<th>${heads[i]}</th>`);
  return page(
    "Orders",
    `<h1>Orders</h1><table><thead><tr>${head}</tr></thead><tbody>${rows}</tbody></table>`,
    RESIZES,
  );
}

/** 300 cards under a large navigation. */
function portal() {
  const { number, words, capital, title, one } = author(12);
  const drawing = () =>
    `<svg width="120" height="60"><rect width="120" height="60" fill="hsl(${number(0, 359)} 60% 40%)"/><path d="M0 50 L40 20 L80 40 L120 10" stroke="white" fill="none"/></svg>`;
  const menu = times(
    12,
    (i) =>
      `<li><a href="#s${i}">${title(1)}</a><ul>${times(6, () => `<li><a href="#">${words(2)}</a></li>`)}</ul></li>`,
  );
  const cards = times(
    300,
    (i) =>
      `<article class="card"><a href="#a${i}">${drawing()}</a><h3><a href="#a${i}">${capital(words(7))}</a></h3>` +
      `<p>${words(28)}.</p><p><small>By <a href="#">${title(2)}</a>, <time>2026-11-${number(10, 28)}</time></small></p>` +
      `<button aria-label="Save ${i}">+</button><button aria-label="Share ${i}">&gt;</button>` +
      `<div>${times(3, () => `<a href="#">#${one(WORDS)}</a> `)}</div></article>`,
  );
  const foot = times(150, () => `<li><a href="#">${words(2)}</a></li>`);
  return page(
    "The Harbor Ledger",
    `<header><h1>The Harbor Ledger</h1><form role="search"><input type="search" aria-label="Search"><button>Search</button></form>
    <nav aria-label="Main"><ul>${menu}</ul></nav></header><main><section><h2>Latest</h2>${cards}</section></main>
    <footer><ul>${foot}</ul></footer>`,
  );
}

/** A mailbox of 400 rows beside a tree of folders. */
function mail() {
  const { number, words, capital, title } = author(13);
  const folders = times(
    30,
    () => `<li role="treeitem"><a href="#">${title(1)} <span>${number(0, 99)}</span></a></li>`,
  );
  const rows = times(
    400,
    (i) =>
      `<div class="row" role="row"><span role="gridcell"><input type="checkbox" aria-label="Select ${i}"></span>` +
      `<span role="gridcell"><button aria-pressed="false" aria-label="Star">*</button></span>` +
      `<span role="gridcell"><b>${title(2)}</b></span><span role="gridcell"><a href="#m${i}">${capital(words(6))}</a> <span>${words(12)}</span></span>` +
      `<span role="gridcell"><time>${number(1, 12)}:${number(10, 59)}</time></span>` +
      `<span role="gridcell"><button>Archive</button><button>Delete</button></span></div>`,
  );
  return page(
    "Inbox",
    `<div role="toolbar" aria-label="Actions">${times(20, () => `<button>${title(1)}</button>`)}</div>
    <aside><ul role="tree">${folders}</ul></aside><main class="beside"><h1>Inbox</h1>
    <div role="grid" aria-label="Messages">${rows}</div></main>`,
  );
}

/** A page of reference documentation: 70 functions, each with prose, code and links. */
function manual() {
  const { number, words, capital, one } = author(14);
  const code = () => `<code>${words(1)}()</code>`;
  const sentence = () =>
    `${capital(words(number(8, 16)))} ${code()} ${words(number(3, 8))} <a href="#${one(WORDS)}">${words(2)}</a>.`;
  const entry = (i) =>
    `<dt id="f${i}"><code>${words(1)}(<em>${words(1)}</em>, <em>${words(1)}=None</em>)</code> <a href="#f${i}" title="Link to this definition">#</a></dt>` +
    `<dd>${times(number(2, 4), () => `<p>${times(3, () => `${sentence()} `)}</p>`)}` +
    `${i % 3 === 0 ? `<pre>&gt;&gt;&gt; ${words(6)}\n${words(4)}</pre>` : ""}` +
    `${i % 5 === 0 ? `<ul>${times(4, () => `<li>${sentence()}</li>`)}</ul>` : ""}</dd>`;
  const index = times(70, (i) => `<li><a href="#f${i}">${words(1)}()</a></li>`);
  return page(
    "Built-in functions",
    `<nav aria-label="Related"><ul>${times(8, () => `<li><a href="#">${words(2)}</a></li>`)}</ul></nav>
    <main><h1>Built-in functions</h1><p>${times(3, () => `${sentence()} `)}</p><ul>${index}</ul><dl>${times(70, entry)}</dl></main>
    <footer><p>${sentence()}</p></footer>`,
  );
}

/** About 100,000 elements in sections inside sections. */
function nested() {
  const line = '<p>text <b>bold</b></p><p><span>a</span><a href="#">l</a></p>';
  return page(
    "Nested",
    times(1205, () => `<div><div><section>${line.repeat(16)}</section></div></div>`),
  );
}

/** 100,000 paragraphs, one after the other. */
function flat() {
  return page(
    "Flat",
    times(100_000, (i) => `<p>line ${i}</p>`),
    RESIZES,
  );
}

/** A box to drag into another, and a field to type into; what came down and up is kept. */
function holding() {
  return page(
    "Holding",
    `<h1>Holding</h1>
    <p><label>Long text <textarea rows="4" cols="60"></textarea></label></p>
    <button id="from" style="width:120px;height:60px">Carry</button>
    <button id="to" style="position:absolute;left:900px;top:560px;width:160px;height:80px">Goal</button>
    <p><button id="tell">Tell</button> <output id="told">none</output></p>
    <script>
      const seen = { mousedown: 0, mouseup: 0, keydown: 0, keyup: 0 };
      for (const kind of Object.keys(seen)) addEventListener(kind, () => { seen[kind] += 1; }, true);
      document.getElementById('tell').onclick = () => {
        document.getElementById('told').textContent = JSON.stringify(seen);
      };
    </script>`,
  );
}

/** Every page by its path. Large ones are made once, when the bench starts. */
export function pages() {
  return {
    "/buttons": buttons(),
    "/form": form(),
    "/refusals": refusals(),
    "/table": table(),
    "/portal": portal(),
    "/mail": mail(),
    "/manual": manual(),
    "/nested": nested(),
    "/flat": flat(),
    "/holding": holding(),
  };
}
