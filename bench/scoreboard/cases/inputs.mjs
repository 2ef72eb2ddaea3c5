// Controls: every kind of input, editor and widget a page can be made of without a library.

import { GO, check, click, fill, kind, press, script, select, type, uncheck } from "./make.mjs";

const input = kind("inputs");

const field = (attributes, name, text, more = {}) =>
  input(
    `fill: ${name}`,
    `<label>Field <input id="f" ${attributes}></label>`,
    fill("Field", text, more.role),
    {
      holds: { id: "f", value: more.value ?? text, like: more.like },
      ...more,
    },
  );

const fields = [
  field("", "plain text", "hello"),
  field('value="old"', "replaces what it holds", "new"),
  field('value="old"', "an empty text", "", { value: "" }),
  field("", "words of many scripts", "Zoë Ωmega 漢字 🛩️ עברית"),
  field("", "quotes and angles", `"<b>'&amp;'</b>"`),
  field('type="email"', "email", "a@example.org"),
  field('type="url"', "url", "https://example.org/a?b=c"),
  field('type="tel"', "tel", "+49 30 1234"),
  field('type="search"', "search", "boats", { role: "searchbox" }),
  field('type="number" min="0" max="10"', "number", "7", { role: "spinbutton" }),
  field('type="number" step="0.01"', "number with decimals", "3.25", { role: "spinbutton" }),
  field('type="time"', "time", "13:45"),
  field('type="month"', "month", "2026-08"),
  field('type="week"', "week", "2026-W32"),
  field('type="datetime-local"', "date and time", "2026-08-09T13:45"),
  field('type="color" value="#ff0000"', "color", "#00ff00"),
  field('type="range" min="0" max="10" value="4"', "range", "8", { role: "slider" }),
  field('type="date" value="2020-01-01"', "date over a date", "2026-12-31"),
  field('list="l"', "with a datalist", "Lyon", { role: "combobox" }),
  field(
    `oninput="this.value = this.value.replace(/[^0-9]/g, '').replace(/(\\d{3})(?=\\d)/g, '$1 ')"`,
    "separators are added",
    "123456",
    { like: /^123 456$/ },
  ),
  field(
    `onblur="this.value = Number(this.value).toLocaleString('en-US', {minimumFractionDigits: 2})" onchange="this.onblur()"`,
    "an amount that is formatted",
    "1000",
    { like: /^(1,000\.00|1000)$/ },
  ),
  field(`oninput="this.value = this.value.toUpperCase()"`, "capitals are made", "abc", {
    want: "partial",
  }),
  field(
    `oninput="this.value = this.value.replace('.', ',')"`,
    "a decimal point becomes a comma",
    "3.5",
    { want: "partial" },
  ),
  field(
    `maxlength="19" inputmode="numeric" oninput="this.value = this.value.replace(/\\D/g, '').replace(/(.{4})(?=.)/g, '$1-')"`,
    "groups of four",
    "1234567812345678",
    { like: /^1234-5678-1234-5678$/ },
  ),
  field(`style="text-transform: uppercase"`, "capitals by style alone", "abc"),
  field(
    `onkeydown="if (event.key === 'Enter') event.preventDefault()" onblur="this.value = this.value.trim()"`,
    "spaces that are trimmed on leaving",
    "abc",
  ),
  field(`pattern="[a-z]+"`, "a pattern that does not hold", "ABC1"),
  input(
    "fill: a textarea of three lines",
    `<label>Field <textarea id="f" rows="5">old\nlines</textarea></label>`,
    fill("Field", "one\ntwo\nthree"),
    { holds: { id: "f", value: "one\ntwo\nthree" } },
  ),
  input(
    "fill: 5,000 characters",
    `<label>Field <textarea id="f"></textarea></label>`,
    fill("Field", "abcde fghi ".repeat(455).trim()),
    { holds: { id: "f", value: "abcde fghi ".repeat(455).trim() } },
  ),
  input(
    "fill: autofocus goes elsewhere meanwhile",
    `<label>Field <input id="f"></label><label>Other <input id="g"></label>${script("setInterval(() => by('g').focus(), 120)")}`,
    fill("Field", "hello"),
    { holds: { id: "f", value: "hello" } },
  ),
  input(
    "type at the end",
    `<label>Field <input id="f" value="abc"></label>`,
    type("Field", "def"),
    { holds: { id: "f", value: "abcdef" }, only: ["sidestick"] },
  ),
  input("type into an empty field", `<label>Field <input id="f"></label>`, type("Field", "hello"), {
    holds: { id: "f", value: "hello" },
  }),
  input(
    "type where the page listens to keys",
    `<label>Field <input id="f" onkeyup="count += 1"></label>${script("let count = 0; window.more = () => ({count})")}`,
    type("Field", "hello"),
    {
      record: ({ after }) =>
        after.f === "hello" && after.count >= 5 ? "done" : after.f ? "altered" : "none",
      only: ["sidestick"],
    },
  ),
  input(
    "a controlled field that sets its value from state",
    `<label>Field <input id="f"></label>${script(`
    const own = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value'); let state = ''; let tracked = '';
    Object.defineProperty(by('f'), 'value', { get() { return own.get.call(this); }, set(v) { tracked = v; own.set.call(this, v); } });
    by('f').addEventListener('input', (e) => { const now = own.get.call(e.target); if (now === tracked) return; tracked = now; state = now; });
    setInterval(() => { if (own.get.call(by('f')) !== state) own.set.call(by('f'), state); }, 30);`)}`,
    fill("Field", "hello"),
    { holds: { id: "f", value: "hello" } },
  ),
  input(
    "one-time code boxes that move the focus",
    `<p>Code ${[1, 2, 3, 4].map((n) => `<input id="d${n}" aria-label="Digit ${n}" maxlength="1" size="1" oninput="this.nextElementSibling?.focus()">`).join("")}</p>`,
    type("Digit 1", "1234"),
    {
      record: ({ after }) =>
        ["d1", "d2", "d3", "d4"].map((id) => after[id]).join("") === "1234"
          ? "done"
          : after.d1
            ? "altered"
            : "none",
    },
  ),
  input(
    "a date in three sections",
    `<div role="group" aria-label="Date">${["Day", "Month", "Year"].map((n) => `<span id="${n}" role="spinbutton" tabindex="0" aria-label="${n}" aria-valuetext="empty" onkeydown="if (/^\\d$/.test(event.key)) { this.textContent = (this.textContent.replace('-', '') + event.key); did('${n}'); }">--</span>/`).join("")}</div>`,
    type("Day", "9", "spinbutton"),
    { effect: "Day" },
  ),
];

const EDITOR = (handler) =>
  `<div id="f" contenteditable="true" role="textbox" aria-label="Note"><p>old text</p></div>${script(handler)}`;
const editors = [
  input("editor: paragraphs", EDITOR(""), fill("Note", "new text"), {
    holds: { id: "f", value: "new text" },
  }),
  input(
    "editor: keeps its own model and renders it",
    EDITOR(`let model = 'old text'; const draw = () => { by('f').innerHTML = '<p>' + model + '</p>'; const r = document.createRange(); r.selectNodeContents(by('f').firstChild); r.collapse(false); getSelection().removeAllRanges(); getSelection().addRange(r); };
    by('f').addEventListener('beforeinput', (e) => { e.preventDefault(); const all = getSelection().toString().trim() === model; if (e.inputType.startsWith('delete')) model = all ? '' : model.slice(0, -1); else if (e.data) model = (all ? '' : model) + e.data; draw(); }); window.more = () => ({model})`),
    fill("Note", "new text"),
    {
      record: ({ after }) =>
        after.model === "new text" ? "done" : after.model === "old text" ? "none" : "altered",
    },
  ),
  input(
    "editor: rejects all typing",
    EDITOR(`by('f').addEventListener('beforeinput', (e) => e.preventDefault())`),
    fill("Note", "new text"),
    {
      holds: { id: "f", value: "new text" },
      want: "nothing",
      record: ({ after }) =>
        after.f === "new text" ? "done" : after.f === "old text" ? "none" : "altered",
    },
  ),
  input(
    "editor: plaintext-only",
    `<div id="f" contenteditable="plaintext-only" role="textbox" aria-label="Note">old</div>`,
    fill("Note", "new text"),
    { holds: { id: "f", value: "new text" } },
  ),
  input(
    "editor: in a frame by designMode",
    (place) => ({
      "": place.page("Case", `<iframe src="doc" title="Editor" width="400" height="120"></iframe>`),
      doc: `<!doctype html><title>Doc</title>${place.script({ name: "doc" })}<body id="f" contenteditable aria-label="Note" role="textbox">old text</body>`,
    }),
    fill("Note", "new text"),
    { holds: { id: "f", value: "new text" } },
  ),
];

const COMBO = `<div><input id="f" role="combobox" aria-label="Fruit" aria-expanded="false" aria-controls="l" onclick="this.setAttribute('aria-expanded','true'); by('l').hidden = false">
<ul id="l" role="listbox" hidden>${["Apple", "Pear", "Plum"].map((n) => `<li role="option" onmousedown="event.preventDefault()" onclick="by('f').value = '${n}'; by('l').hidden = true; did('${n}')">${n}</li>`).join("")}</ul></div>`;

const choices = [
  input(
    "select: one",
    `<label>Size <select id="f"><option>Small<option>Medium<option>Large</select></label>`,
    select("Size", "Medium"),
    { holds: { id: "f", value: "Medium" } },
  ),
  input(
    "select: by its label, the value differs",
    `<label>Size <select id="f"><option value="1">Small<option value="2">Large</select></label>`,
    select("Size", "Large"),
    { holds: { id: "f", value: "Large" } },
  ),
  input(
    "select: in a group",
    `<label>Town <select id="f"><optgroup label="France"><option>Lyon<option>Paris</optgroup><optgroup label="Spain"><option>Madrid</optgroup></select></label>`,
    select("Town", "Madrid"),
    { holds: { id: "f", value: "Madrid" } },
  ),
  input(
    "select: several",
    `<label>Colors <select id="f" multiple size="4"><option>Red<option>Green<option>Blue</select></label>`,
    { do: "select", role: "listbox", name: "Colors", values: ["Red", "Blue"] },
    { holds: { id: "f", value: "Red,Blue" } },
  ),
  input(
    "select: in a disabled group",
    `<label>Town <select id="f"><option>None<optgroup label="Spain" disabled><option>Madrid</optgroup></select></label>`,
    select("Town", "Madrid"),
    { holds: { id: "f", value: "Madrid" }, want: "refuse" },
  ),
  input(
    "select: a hidden native one behind a widget",
    `<select id="f" style="display: none"><option>A<option>B</select><div id="c" role="combobox" tabindex="0" aria-label="Pick" aria-expanded="false" onclick="by('m').hidden = false">A</div><ul id="m" role="listbox" hidden><li role="option" onclick="by('f').value = 'B'; by('c').textContent = 'B'; by('m').hidden = true; did('ok')">B item</li></ul>`,
    click("B item", "option"),
    { before: [click("Pick", "combobox"), { do: "look" }], refind: true, allowed: ["f"] },
  ),
  input("combobox: open and choose", COMBO, click("Plum", "option"), {
    effect: "Plum",
    before: [click("Fruit", "combobox")],
    refind: true,
    allowed: ["f"],
  }),
  input(
    "listbox: choose an option",
    `<ul role="listbox" aria-label="Fruit">${["Apple", "Pear"].map((n) => `<li role="option" tabindex="-1" aria-selected="false" onclick="this.setAttribute('aria-selected','true'); did('${n}')">${n}</li>`).join("")}</ul>`,
    click("Pear", "option"),
    { effect: "Pear" },
  ),
  input("check: plain", `<label><input id="f" type="checkbox"> Agree</label>`, check("Agree"), {
    holds: { id: "f", value: true },
  }),
  input(
    "uncheck: plain",
    `<label><input id="f" type="checkbox" checked> Agree</label>`,
    uncheck("Agree"),
    { holds: { id: "f", value: false } },
  ),
  input(
    "check: hidden behind its label",
    `<style>#f { position: absolute; opacity: 0; width: 0; height: 0 }</style><input id="f" type="checkbox"><label for="f">Agree</label>`,
    check("Agree"),
    { holds: { id: "f", value: true } },
  ),
  input(
    "check: clipped, with a drawn box",
    `<style>#f { clip: rect(0 0 0 0); position: absolute; width: 1px; height: 1px } .b { display: inline-block; width: 16px; height: 16px; border: 1px solid }</style><label><input id="f" type="checkbox"><span class="b"></span> Agree</label>`,
    check("Agree"),
    { holds: { id: "f", value: true } },
  ),
  input(
    "check: a label holding a link beside the box",
    `<label><input id="f" type="checkbox"> I read the <a href="#terms">terms of everything that matters here</a></label>`,
    check("I read the terms of everything that matters here"),
    { holds: { id: "f", value: true } },
  ),
  input(
    "check: a radio of a group",
    `<fieldset><legend>Plan</legend><label><input id="a" name="p" type="radio" checked> Free</label><label><input id="f" name="p" type="radio"> Pro</label></fieldset>`,
    check("Pro", "radio"),
    { holds: { id: "f", value: true }, allowed: ["a"] },
  ),
  input(
    "check: a switch",
    `<button role="switch" aria-checked="false" onclick="did('ok'); this.setAttribute('aria-checked', 'true')">Wifi</button>`,
    check("Wifi", "switch"),
  ),
  input(
    "check: three states, mixed",
    `<label><input id="f" type="checkbox"> All</label>${script("by('f').indeterminate = true")}`,
    check("All"),
    { holds: { id: "f", value: true } },
  ),
  input(
    "check: mixed goes to unchecked first",
    `<div role="checkbox" tabindex="0" aria-checked="mixed" onclick="const n = {mixed: 'false', false: 'true', true: 'false'}[this.getAttribute('aria-checked')]; this.setAttribute('aria-checked', n); window.at = n">All</div>${script("window.at = 'mixed'; window.more = () => ({at: window.at})")}`,
    check("All"),
    {
      want: "either",
      record: ({ after }) =>
        after.at === "true" ? "done" : after.at === "mixed" ? "none" : "altered",
    },
  ),
  input(
    "menu: open and choose",
    `<button aria-haspopup="menu" onclick="by('m').hidden = false">File</button><div id="m" role="menu" hidden><div role="menuitem" tabindex="-1" onclick="hit('ok')">Export</div></div>`,
    click("Export", "menuitem"),
    { before: [click("File")], refind: true },
  ),
  input(
    "tabs: show another",
    `<div role="tablist"><button role="tab" aria-selected="true">One</button><button role="tab" aria-selected="false" onclick="did('ok'); this.setAttribute('aria-selected', 'true')">Two</button></div>`,
    click("Two", "tab"),
  ),
  input(
    "slider: by keys",
    `<div id="s" role="slider" tabindex="0" aria-label="Level" aria-valuenow="4" aria-valuemin="0" aria-valuemax="10" onkeydown="if (event.key === 'ArrowRight') { this.setAttribute('aria-valuenow', +this.getAttribute('aria-valuenow') + 1); did('ok'); }" style="width: 100px; height: 20px; background: silver"></div>`,
    press("ArrowRight"),
    { before: [click("Level", "slider")] },
  ),
  input(
    "a popover opened by its button",
    `<button popovertarget="p">Open</button><div id="p" popover><button onclick="hit('ok')">Inside</button></div>`,
    click("Inside"),
    { before: [click("Open")], refind: true },
  ),
  input(
    "a button in a modal dialog",
    `<button onclick="by('d').showModal()">Open</button><dialog id="d"><button onclick="hit('ok')">Inside</button></dialog>`,
    click("Inside"),
    { before: [click("Open")], refind: true },
  ),
  input(
    "a menu that opens on hover",
    `<style>#m { display: none } #h:hover #m { display: block }</style><div id="h" style="width: 200px" tabindex="0"><button>Hover me</button><div id="m"><button onclick="hit('ok')">Inside</button></div></div>`,
    click("Inside"),
    { before: [{ do: "hover", role: "button", name: "Hover me" }], refind: true },
  ),
  input(
    "a custom element with an open shadow root",
    `<x-f id="x"></x-f>${script("customElements.define('x-f', class extends HTMLElement { connectedCallback() { this.attachShadow({mode: 'open'}).innerHTML = '<label>Inner <input></label>'; } }); window.more = () => ({f: by('x').shadowRoot.querySelector('input').value})")}`,
    fill("Inner", "hello"),
    { holds: { id: "f", value: "hello" } },
  ),
  input(
    "a field in a closed shadow root",
    `<x-f></x-f>${script("let inner; customElements.define('x-f', class extends HTMLElement { connectedCallback() { const r = this.attachShadow({mode: 'closed'}); r.innerHTML = '<label>Inner <input></label>'; inner = r.querySelector('input'); } }); window.more = () => ({f: inner.value})")}`,
    fill("Inner", "hello"),
    { holds: { id: "f", value: "hello" } },
  ),
  input(
    "a button in a closed shadow root",
    `<x-b></x-b>${script("customElements.define('x-b', class extends HTMLElement { connectedCallback() { const r = this.attachShadow({mode: 'closed'}); r.innerHTML = '<button>Closed</button>'; r.firstChild.onclick = () => hit('ok'); } })")}`,
    click("Closed"),
  ),
  input(
    "a closed root in a closed root",
    `<x-o></x-o>${script("customElements.define('x-i', class extends HTMLElement { connectedCallback() { const r = this.attachShadow({mode: 'closed'}); r.innerHTML = '<button>Innermost</button>'; r.firstChild.onclick = () => hit('ok'); } }); customElements.define('x-o', class extends HTMLElement { connectedCallback() { this.attachShadow({mode: 'closed'}).innerHTML = '<x-i></x-i>'; } })")}`,
    click("Innermost"),
  ),
  input(
    "a slotted button",
    `<x-s><button slot="b" onclick="hit('ok')">Slotted</button></x-s>${script("customElements.define('x-s', class extends HTMLElement { connectedCallback() { this.attachShadow({mode: 'open'}).innerHTML = '<p>Before</p><slot name=b></slot>'; } })")}`,
    click("Slotted"),
  ),
];

const files = [
  input(
    "upload: a plain input",
    `<label>File <input id="f" type="file"></label>`,
    { do: "upload", role: "button", name: "File", files: ["sample.txt"] },
    { holds: { id: "f", value: "sample.txt" } },
  ),
  input(
    "upload: several",
    `<label>Files <input id="f" type="file" multiple></label>`,
    { do: "upload", role: "button", name: "Files", files: ["sample.txt", "other.txt"] },
    { holds: { id: "f", value: "sample.txt,other.txt" } },
  ),
  input(
    "upload: hidden behind its label",
    `<label style="border: 1px solid">Choose a file<input id="f" type="file" style="display: none"></label>`,
    { do: "upload", role: "button", name: "Choose a file", files: ["sample.txt"] },
    { holds: { id: "f", value: "sample.txt" } },
  ),
  input(
    "upload: a button that makes an input by script",
    `<button onclick="const i = document.createElement('input'); i.type = 'file'; i.onchange = () => did('ok', i.files[0].name); i.click()">Attach</button>`,
    { do: "upload", role: "button", name: "Attach", files: ["sample.txt"] },
    {},
  ),
  input(
    "upload: a file that is not there",
    `<label>File <input id="f" type="file"></label>`,
    { do: "upload", role: "button", name: "File", files: ["absent.txt"] },
    { holds: { id: "f", value: "absent.txt" }, want: "refuse" },
  ),
  input(
    "upload: into a text field",
    `<label>Name <input id="f"></label>`,
    { do: "upload", role: "textbox", name: "Name", files: ["sample.txt"] },
    { holds: { id: "f", value: "sample.txt" }, want: "refuse", messy: true },
  ),
];

const drags = [
  input(
    "drag: by pointer events",
    `<div id="a" role="button" aria-label="Card" tabindex="0" style="width: 80px; height: 40px; background: gold; touch-action: none">Card</div><div id="b" role="button" aria-label="Goal" tabindex="0" style="margin-top: 80px; width: 200px; height: 80px; background: silver">Goal</div>${script("let held = false; by('a').onpointerdown = () => { held = true; }; addEventListener('pointerup', (e) => { if (held && document.elementFromPoint(e.clientX, e.clientY) === by('b')) hit('ok'); held = false; })")}`,
    { do: "drag", role: "button", name: "Card", to: { role: "button", name: "Goal" } },
  ),
  input(
    "drag: by HTML5 drag and drop",
    `<div id="a" draggable="true" role="button" aria-label="Card" tabindex="0" style="width: 80px; height: 40px; background: gold" ondragstart="event.dataTransfer.setData('text/plain', 'card')">Card</div><div role="button" aria-label="Goal" tabindex="0" style="margin-top: 80px; width: 200px; height: 80px; background: silver" ondragover="event.preventDefault()" ondrop="event.preventDefault(); if (event.dataTransfer.getData('text/plain') === 'card') hit('ok')">Goal</div>`,
    { do: "drag", role: "button", name: "Card", to: { role: "button", name: "Goal" } },
  ),
  input(
    "drag: onto something that does not take it",
    `<div draggable="true" role="button" aria-label="Card" tabindex="0" style="width: 80px; height: 40px; background: gold">Card</div><div role="button" aria-label="Goal" tabindex="0" style="margin-top: 80px; width: 200px; height: 80px; background: silver">Goal</div>`,
    { do: "drag", role: "button", name: "Card", to: { role: "button", name: "Goal" } },
    { want: "nothing" },
  ),
];

const keys = [
  input(
    "Enter sends a form",
    `<form onsubmit="event.preventDefault(); hit('ok')"><label>Name <input id="f"></label><button>Send</button></form>`,
    press("Enter"),
    { before: [click("Name", "textbox")] },
  ),
  input("space presses a button", GO, press("space"), {
    before: [press("Tab")],
    only: ["sidestick"],
  }),
  input(
    "a chord the page listens for",
    `<p>Text</p>${script("addEventListener('keydown', (e) => { if (e.ctrlKey && e.key === 'k') { e.preventDefault(); hit('ok'); } })")}`,
    press("ctrl+k"),
  ),
  input(
    "a context menu of the page",
    `<button oncontextmenu="event.preventDefault(); hit('ok')">Thing</button>`,
    { do: "right-click", role: "button", name: "Thing" },
  ),
  input(
    "hover shows a tip",
    `<style>#t { display: none } #h:hover + #t { display: block }</style><button id="h" onpointerenter="did('ok')">Thing</button><p id="t">A tip</p>`,
    { do: "hover", role: "button", name: "Thing" },
  ),
];

export const cases = [
  ...fields,
  ...editors,
  ...choices,
  // A chooser may be left open.
  ...files.map((one) => ({ ...one, messy: true })),
  ...drags,
  ...keys,
];
