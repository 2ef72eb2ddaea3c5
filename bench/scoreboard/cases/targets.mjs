// Wrong target: what was pointed at has moved, changed its meaning, gone, or has a namesake.

import { click, kind, script } from "./make.mjs";

const target = kind("wrong target");
const NAMES = ["Ann", "Bob", "Cid", "Dot"];
const rows = (names) =>
  names
    .map(
      (name) => `<tr><td>${name}</td><td><button onclick="hit('${name}')">Open</button></td></tr>`,
    )
    .join("");
const table = (names = NAMES) => `<table><tbody id="rows">${rows(names)}</tbody></table>`;
const bob = click("Open", "button", { nth: 1 });
const turned = (text) => script(`window.on.turn = () => { ${text} };`);

export const cases = [
  target(
    "a node is inserted above",
    table() +
      turned(
        `by('rows').insertAdjacentHTML('afterbegin', '<tr><td>Zoe</td><td><button onclick="hit(\\'Zoe\\')">Open</button></td></tr>')`,
      ),
    bob,
    {
      effect: "Bob",
      want: "either",
      before: [{ tell: "turn" }],
    },
  ),
  target(
    "rows are sorted by moving their nodes",
    table() +
      turned(`[...by('rows').children].reverse().forEach((each) => by('rows').append(each))`),
    bob,
    {
      effect: "Bob",
      want: "either",
      before: [{ tell: "turn" }],
    },
  ),
  target(
    "rows are sorted by moving their nodes, looked at again",
    table() +
      turned(`[...by('rows').children].reverse().forEach((each) => by('rows').append(each))`),
    bob,
    {
      effect: "Bob",
      want: "either",
      before: [{ tell: "turn" }],
      relook: true,
    },
  ),
  target(
    "everything is rendered anew in another order",
    table() + turned(`by('rows').innerHTML = ${JSON.stringify(rows([...NAMES].reverse()))}`),
    bob,
    {
      effect: "Bob",
      want: "either",
      before: [{ tell: "turn" }],
    },
  ),
  target(
    "everything is rendered anew, looked at again",
    table() + turned(`by('rows').innerHTML = ${JSON.stringify(rows([...NAMES].reverse()))}`),
    bob,
    {
      effect: "Bob",
      want: "either",
      before: [{ tell: "turn" }],
      relook: true,
    },
  ),
  target(
    "nodes stay and their rows mean somebody else",
    `<table><tbody id="rows">${NAMES.map((name) => `<tr><td>${name}</td><td><button onclick="hit(this.closest('tr').cells[0].textContent)">Open</button></td></tr>`).join("")}</tbody></table>` +
      turned(
        `const names = ${JSON.stringify([...NAMES].reverse())}; [...by('rows').rows].forEach((row, at) => { row.cells[0].textContent = names[at]; })`,
      ),
    bob,
    { effect: "Bob", want: "refuse", before: [{ tell: "turn" }] },
  ),
  target(
    "two buttons swap their labels",
    `<button id="one" onclick="hit(this.textContent)">Keep</button> <button id="two" onclick="hit(this.textContent)">Discard</button>` +
      turned(
        `[by('one').textContent, by('two').textContent] = [by('two').textContent, by('one').textContent]`,
      ),
    click("Keep"),
    { effect: "Keep", want: "refuse", before: [{ tell: "turn" }] },
  ),
  target(
    "a menu now belongs to another row",
    `<div role="menu" id="menu" aria-label="Menu of Ann"><div role="menuitem" tabindex="0" onclick="hit('rename ' + by('menu').getAttribute('aria-label'))">Rename</div></div>` +
      turned(`by('menu').setAttribute('aria-label', 'Menu of Bob')`),
    click("Rename", "menuitem"),
    { effect: "rename Menu of Ann", want: "refuse", before: [{ tell: "turn" }] },
  ),
  target(
    "the view is another by pushState, the button the same node",
    `<h2 id="head">Order 1</h2><button onclick="hit(by('head').textContent)">Ship</button>` +
      turned(`history.pushState(null, '', '?order=2'); by('head').textContent = 'Order 2'`),
    click("Ship"),
    { effect: "Order 1", want: "refuse", before: [{ tell: "turn" }] },
  ),
  target(
    "the page goes elsewhere by itself, where a namesake is",
    (place) => ({
      "": place.page(
        "One",
        `<button onclick="hit('one')">Ship</button>${turned(`setTimeout(() => { location.href = 'two' }, 50)`)}`,
        { live: true },
      ),
      two: place.page("Two", `<button onclick="hit('two')">Ship</button>`),
    }),
    click("Ship"),
    { effect: "one", want: "refuse", before: [{ tell: "turn" }, { pause: 500 }] },
  ),
  target(
    "the page is loaded again",
    (place) => {
      let count = 0;
      return {
        "": (it) =>
          it.page(
            "Again",
            `<button onclick="hit('load ${++count}')">Ship</button>${turned("setTimeout(() => location.reload(), 50)")}`,
            { live: true },
          ),
        place,
      };
    },
    click("Ship"),
    { effect: "load 1", want: "refuse", before: [{ tell: "turn" }, { pause: 500 }] },
  ),
  target(
    "the element is taken away",
    `<button id="gone" onclick="hit('ok')">Gone</button><button onclick="hit('near')">Near</button>` +
      turned(`by('gone').remove()`),
    click("Gone"),
    {
      want: "refuse",
      before: [{ tell: "turn" }],
    },
  ),
  target(
    "the element is replaced by one that looks alike and does something else",
    `<p id="box"><button onclick="hit('ok')">Pick</button></p>` +
      turned(`by('box').innerHTML = '<button onclick="hit(\\'other\\')">Pick</button>'`),
    click("Pick"),
    { want: "refuse", before: [{ tell: "turn" }], says: /e\d+/ },
  ),
  target(
    "the element is taken out and put back elsewhere",
    `<p id="a"><button id="it" onclick="hit('ok')">Pick</button></p><p id="b"></p>` +
      turned(`by('b').append(by('it'))`),
    click("Pick"),
    {
      want: "either",
      before: [{ tell: "turn" }],
    },
  ),
  target(
    "a recycled node of a virtual list",
    `<ul id="list">${["Row 3", "Row 4", "Row 5"].map((name) => `<li><button onclick="hit(this.textContent)">${name}</button></li>`).join("")}</ul>` +
      turned(
        `[...by('list').querySelectorAll('button')].forEach((each, at) => { each.textContent = 'Row ' + (23 + at); })`,
      ),
    click("Row 3"),
    { effect: "Row 3", want: "refuse", before: [{ tell: "turn" }] },
  ),
  target(
    "a ref in a frame that has loaded another document",
    (place) => ({
      "": place.page(
        "Frame",
        `<iframe id="frame" src="one" title="Frame" width="400" height="100"></iframe>${turned(`by('frame').src = 'two'`)}`,
        { live: true },
      ),
      one: `<!doctype html><title>One</title>${place.script({ name: "one" })}<output id="out"></output><button onclick="hit('one')">Ship</button>`,
      two: `<!doctype html><title>Two</title>${place.script({ name: "two" })}<output id="out"></output><button onclick="hit('two')">Ship</button>`,
    }),
    click("Ship"),
    { effect: "one", want: "refuse", before: [{ tell: "turn" }, { pause: 400 }] },
  ),
  target(
    "a frame that has loaded its document again",
    (place) => ({
      "": place.page(
        "Frame",
        `<iframe id="frame" src="one" title="Frame" width="400" height="100"></iframe>${turned(`by('frame').contentWindow.location.reload()`)}`,
        { live: true },
      ),
      one: (
        it,
      ) => `<!doctype html><title>One</title>${it.script({ name: "one" })}<output id="out"></output><button onclick="hit('load ' + sessionStorage.loads)">Ship</button>
        <script>sessionStorage.loads = Number(sessionStorage.loads ?? 0) + 1</script>`,
    }),
    click("Ship"),
    { effect: "load 1", want: "refuse", before: [{ tell: "turn" }, { pause: 400 }] },
  ),
  target(
    "a frame that is taken away",
    (place) => ({
      "": place.page(
        "Frame",
        `<iframe id="frame" src="one" title="Frame" width="400" height="100"></iframe>${turned(`by('frame').remove()`)}<button onclick="hit('top')">Ship</button>`,
        { live: true },
      ),
      one: `<!doctype html><title>One</title><button>Ship it</button>`,
    }),
    click("Ship it"),
    { effect: "one", want: "refuse", before: [{ tell: "turn" }] },
  ),
  target(
    "the button jumps away when the pointer comes, and another is in its place",
    `<div style="position: relative; height: 60px"><button id="it" style="position: absolute; left: 0; width: 120px; height: 30px" onclick="hit('ok')">Catch</button>
    <button id="trap" style="display: none; position: absolute; left: 0; width: 120px; height: 30px" onclick="hit('trap')">Trap</button></div>` +
      script(
        `by('it').addEventListener('pointerenter', () => { by('it').style.left = '300px'; by('trap').style.display = 'block'; })`,
      ),
    click("Catch"),
    { want: "either" },
  ),
  target(
    "a cover comes when the pointer comes",
    `<div style="position: relative; height: 60px"><button id="it" style="width: 120px; height: 30px" onclick="hit('ok')">Catch</button>
    <div id="trap" style="display: none; position: absolute; inset: 0" onclick="hit('trap')"></div></div>` +
      script(
        `by('it').addEventListener('mousemove', () => { by('trap').style.display = 'block'; })`,
      ),
    click("Catch"),
    { want: "refuse" },
  ),
  target(
    "a double click whose first press shows something else there",
    `<div id="box"><button style="width: 160px; height: 40px" onclick="hit('ok'); by('box').innerHTML = '<button style=&quot;width:160px;height:40px&quot; onclick=&quot;hit(\\'pay\\')&quot;>Pay</button>'">Show</button></div>`,
    { do: "double-click", role: "button", name: "Show" },
    {
      want: "partial",
      record: ({ happened }) =>
        happened.some(({ kind: what, id }) => what === "effect" && id === "pay")
          ? "other"
          : "altered",
    },
  ),
  target(
    "two elements with one id",
    `<button id="same" onclick="hit('first')">First</button><button id="same" onclick="hit('second')">Second</button>`,
    click("Second"),
    {
      effect: "second",
    },
  ),
  target(
    "two places change every 40 ms",
    `<div style="position: relative; height: 80px"><button class="x" style="position: absolute; top: 0; width: 150px" onclick="hit('ok')">Left one</button>
    <button class="x" style="position: absolute; top: 40px; width: 150px" onclick="hit('other')">Right one</button></div>` +
      script(
        `setInterval(() => { for (const e of document.querySelectorAll('.x')) e.style.top = e.style.top === '0px' ? '40px' : '0px'; }, 40)`,
      ),
    click("Left one"),
    { want: "either" },
  ),
  target(
    "a name that two have, described",
    `<button onclick="hit('a')">Open</button><button onclick="hit('b')">Open</button>`,
    click("Open", "button", { described: true }),
    {
      want: "refuse",
      says: /AMBIGUOUS/,
    },
  ),
  target(
    "a name that nobody has, described",
    `<button onclick="hit('a')">Open</button>`,
    click("Opens", "button", { described: true }),
    {
      want: "refuse",
      says: /NOT_FOUND/,
    },
  ),
  target(
    "a name that two have, told apart by the row",
    table(),
    { ...click("Open", "button", { described: true }), near: "Cid" },
    { effect: "Cid" },
  ),
  target(
    "a list is prepended to every 50 ms",
    `<ul id="list"></ul>${script(`let at = 0; const add = () => { const item = document.createElement('li'); const name = 'Item ' + at++;
      item.innerHTML = '<button>' + name + '</button>'; item.onclick = () => hit(name); by('list').prepend(item); };
      for (let i = 0; i < 5; i++) add(); setInterval(() => { if (at < 40) add(); }, 50)`)}`,
    click("Item 2"),
    { effect: "Item 2", want: "either" },
  ),
  target(
    "a tab panel is switched, its button has a namesake",
    `<div id="one"><h2>Home</h2><button onclick="hit('home')">Edit</button></div><div id="two" hidden><h2>Work</h2><button onclick="hit('work')">Edit</button></div>` +
      turned(`by('one').hidden = true; by('two').hidden = false`),
    click("Edit"),
    { effect: "home", want: "refuse", before: [{ tell: "turn" }] },
  ),
];
