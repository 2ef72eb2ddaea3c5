// False success, false failure and duplicates: what came of an act, and what did not.

import { GO, check, click, fill, kind, press, script, select, type, uncheck } from "./make.mjs";
import { answers, html, lost } from "../site.mjs";

const success = kind("false success");
const failure = kind("false failure");
const duplicate = kind("duplicate");

const turned = (text) => script(`window.on.turn = () => { ${text} };`);
const posts = ({ hits }) => {
  const count = hits.filter(({ method }) => method === "POST").length;
  return count === 0 ? "none" : count === 1 ? "done" : "twice";
};

const hidden = (name, style, code) =>
  success(
    `click a button that is ${name}`,
    `<div><button style="${style}" onclick="hit('ok')">Go</button></div>`,
    click("Go"),
    {
      want: "refuse",
      says: code,
    },
  );

const successes = [
  success(
    "click a disabled button",
    `<button disabled onclick="hit('ok')">Go</button>`,
    click("Go"),
    { want: "refuse", says: /disabled/ },
  ),
  success(
    "click in a disabled fieldset",
    `<fieldset disabled><button onclick="hit('ok')">Go</button></fieldset>`,
    click("Go"),
    { want: "refuse", says: /disabled/ },
  ),
  success(
    "click what is aria-disabled",
    `<div role="button" tabindex="0" aria-disabled="true">Go</div>`,
    click("Go"),
    { want: "refuse", says: /disabled/ },
  ),
  success(
    "click where pointer-events is none",
    `<button style="pointer-events: none" onclick="hit('ok')">Go</button>`,
    click("Go"),
    { want: "refuse", says: /pointer_none|occluded/ },
  ),
  success("click what is inert", `<div inert>${GO}</div>`, click("Go"), { want: "refuse" }),
  success(
    "click behind the backdrop of a modal",
    `${GO}<dialog id="d"><p>Question</p><button>Yes</button></dialog>${turned("by('d').showModal()")}`,
    click("Go"),
    { want: "refuse", before: [{ tell: "turn" }] },
  ),
  hidden("visibility: hidden", "visibility: hidden"),
  hidden("display: none", "display: none"),
  hidden("transparent", "opacity: 0", undefined),
  hidden("of no size", "width: 0; height: 0; padding: 0; border: 0; overflow: hidden"),
  hidden("out of reach on the left", "position: absolute; left: -9999px"),
  hidden("clipped away", "position: absolute; clip-path: inset(50%)"),
  success(
    "click in a closed details",
    `<details><summary>More</summary>${GO}</details>`,
    click("Go"),
    { want: "refuse" },
  ),
  success(
    "click what was disabled since the look",
    `<button id="it" onclick="hit('ok')">Go</button>${turned("by('it').disabled = true")}`,
    click("Go"),
    {
      want: "refuse",
      before: [{ tell: "turn" }],
    },
  ),
  success(
    "click what was covered since the look",
    `${GO}<div id="veil" hidden style="position: fixed; inset: 0; background: white" onclick="hit('veil')"></div>${turned("by('veil').hidden = false")}`,
    click("Go"),
    { want: "refuse", before: [{ tell: "turn" }], says: /veil/ },
  ),
  success(
    "click under a cover that can be seen through",
    `<div style="position: relative">${GO}<div style="position: absolute; inset: -9px; opacity: 0" onclick="hit('cover')"></div></div>`,
    click("Go"),
    {
      want: "refuse",
    },
  ),
  success(
    "click under a cover of the top layer",
    `${GO}<div id="p" popover="manual" style="inset: 0; width: 100%; height: 100%" onclick="hit('cover')">Popover</div>${turned("by('p').showPopover()")}`,
    click("Go"),
    {
      want: "refuse",
      before: [{ tell: "turn" }],
    },
  ),
  success(
    "click under a cover that lets the pointer through",
    `<div style="position: relative">${GO}<div style="position: absolute; inset: -9px; pointer-events: none; background: rgba(0,0,0,.1)"></div></div>`,
    click("Go"),
  ),
  success(
    "click what is covered in part",
    `<div style="position: relative; width: 200px"><button style="width: 200px; height: 60px" onclick="hit('ok')">Go</button><div style="position: absolute; left: 0; top: 0; width: 130px; height: 60px; background: silver" onclick="hit('cover')"></div></div>`,
    click("Go"),
    {
      want: "either",
    },
  ),
  success(
    "click what is scrolled out of an inner box",
    `<div style="height: 80px; overflow: auto; border: 1px solid"><div style="height: 400px"></div>${GO}</div>`,
    click("Go"),
  ),
  success("click what is far below", `<div style="height: 3000px"></div>${GO}`, click("Go")),
  success(
    "click what a sticky head covers once scrolled to",
    `<div style="position: sticky; top: 0; height: 120px; background: silver">Head</div><div style="height: 1500px"></div>${GO}<div style="height: 3000px"></div>`,
    click("Go"),
  ),
  success(
    "a button that only shows a ripple",
    `<style>.r { outline: 2px solid red }</style><button onclick="this.classList.toggle('r'); this.append(document.createElement('i'))">Ripple</button>`,
    click("Ripple"),
    { want: "nothing" },
  ),
  success(
    "a button that only takes the focus",
    `<button onclick="this.focus()">Focus</button>`,
    click("Focus"),
    { want: "nothing" },
  ),
  success(
    "a dead button beside a clock",
    `<p id="clock">0</p><button>Dead</button>${script("setInterval(() => { by('clock').textContent = 'tick ' + Math.round(performance.now()) }, 250)")}`,
    click("Dead"),
    {
      want: "nothing",
      warmMs: 2500,
    },
  ),
  success(
    "a dead button beside a feed",
    `<button>Dead</button><div id="feed" style="height: 200px; overflow: hidden"></div>${script("let n = 0; setInterval(() => { const p = document.createElement('p'); p.textContent = 'Post ' + ++n; by('feed').prepend(p); }, 300)")}`,
    click("Dead"),
    {
      want: "nothing",
      warmMs: 2500,
    },
  ),
  success(
    "a link whose click is cancelled",
    `<a href="elsewhere" onclick="event.preventDefault()">Leave</a>`,
    click("Leave", "link"),
    { want: "nothing" },
  ),
  success(
    "a route guard that stays",
    `<a href="?two" onclick="event.preventDefault(); history.pushState(null, '', '?two'); history.back()">Leave</a>`,
    click("Leave", "link"),
    { want: "nothing" },
  ),
  success(
    "a checkbox whose click is cancelled",
    `<label><input id="f" type="checkbox" onclick="event.preventDefault()"> Agree</label>`,
    check("Agree"),
    {
      holds: { id: "f", value: true },
      want: "nothing",
    },
  ),
  success(
    "a checkbox that goes back at once",
    `<label><input id="f" type="checkbox" onchange="setTimeout(() => { this.checked = false })"> Agree</label>`,
    check("Agree"),
    {
      want: "reverts",
      record: ({ after }) => (after.f === true ? "done" : "none"),
    },
  ),
  success(
    "a field that swallows every key",
    `<label>Name <input id="f" onkeydown="event.preventDefault()" onbeforeinput="event.preventDefault()"></label>`,
    type("Name", "abc"),
    {
      holds: { id: "f", value: "abc" },
      want: "nothing",
    },
  ),
  success(
    "a field that goes back to what it held",
    `<label>Name <input id="f" value="old" oninput="this.value = 'old'"></label>`,
    fill("Name", "new"),
    {
      want: "reverts",
      record: ({ after, happened }) =>
        after.f === "new"
          ? "done"
          : happened.some(({ kind: what }) => what === "input")
            ? "altered"
            : "none",
    },
  ),
  success(
    "a select that goes back",
    `<label>Size <select id="f" onchange="this.value = 'Small'"><option>Small<option>Large</select></label>`,
    select("Size", "Large"),
    {
      want: "reverts",
      record: ({ after, happened }) =>
        after.f === "Large"
          ? "done"
          : happened.some(({ kind: what }) => what === "change")
            ? "altered"
            : "none",
    },
  ),
  success(
    "an option that is not there",
    `<label>Size <select id="f"><option>Small<option>Large</select></label>`,
    select("Size", "Huge"),
    {
      holds: { id: "f", value: "Huge" },
      want: "refuse",
      says: /option_missing/,
    },
  ),
  success(
    "fill a time that is none",
    `<label>At <input id="f" type="time"></label>`,
    fill("At", "25:99"),
    { holds: { id: "f", value: "25:99" }, want: "refuse", says: /invalid_value/ },
  ),
  success("fill a button", GO, fill("Go", "x", "button"), { want: "refuse", says: /wrong_kind/ }),
  success("check a link", `<a href="#x">Link</a>`, check("Link", "link"), {
    want: "refuse",
    says: /wrong_kind/,
  }),
  success(
    "select in a text field",
    `<label>Name <input id="f"></label>`,
    { do: "select", role: "textbox", name: "Name", values: ["x"] },
    { holds: { id: "f", value: "x" }, want: "refuse", says: /wrong_kind/ },
  ),
  success(
    "fill where editing is switched off",
    `<div id="f" contenteditable="false" role="textbox" aria-label="Note" aria-readonly="true">old</div>`,
    fill("Note", "new"),
    { holds: { id: "f", value: "new" }, want: "refuse" },
  ),
  success("press a key where nobody listens", GO, press("F9"), { want: "nothing" }),
  success(
    "an answer that changes nothing (204)",
    (place) => ({
      "": place.page("Case", `<button onclick="fetch('save', {method: 'POST'})">Save</button>`),
      save: answers(204),
    }),
    click("Save"),
    {
      want: "sent",
      record: posts,
    },
  ),
  success(
    "uncheck what is unchecked",
    `<label><input id="f" type="checkbox"> Off</label>`,
    uncheck("Off"),
    { holds: { id: "f", value: true }, want: "satisfied", only: ["sidestick"] },
  ),
];

const works = (name, body, act, more) => failure(name, body, act, more);

const failures = [
  works(
    "a button that goes away with its dialog",
    `<dialog id="d" open><button onclick="hit('ok'); by('d').close()">Close it</button></dialog>`,
    click("Close it"),
  ),
  works(
    "an effect after 60 ms",
    `<button onclick="setTimeout(() => hit('ok'), 60)">Later</button>`,
    click("Later"),
  ),
  works(
    "an effect after a request of 300 ms",
    (place) => ({
      "": place.page(
        "Case",
        `<button onclick="fetch('save', {method: 'POST'}).then(() => hit('ok'))">Save</button>`,
      ),
      save: answers(200, 300),
    }),
    click("Save"),
    { lateMs: 900 },
  ),
  works(
    "an effect in the title alone",
    `<button onclick="did('ok'); document.title = 'Other'">Rename</button>`,
    click("Rename"),
  ),
  works(
    "an effect in the address alone",
    `<button onclick="did('ok'); location.hash = 'other'">Anchor</button>`,
    click("Anchor"),
  ),
  works(
    "an effect in a state alone",
    `<button aria-expanded="false" onclick="did('ok'); this.setAttribute('aria-expanded', 'true')">Expand</button>`,
    click("Expand"),
  ),
  works(
    "an effect far below what is shown",
    `<button onclick="did('ok'); by('far').textContent = 'Here it is'">Write below</button><div style="height: 4000px"></div><p id="far">Nothing</p>`,
    click("Write below"),
  ),
  works(
    "an effect in an inner box, scrolled out",
    `<button onclick="did('ok'); by('far').textContent = 'Here it is'">Write</button><div style="height: 60px; overflow: auto"><div style="height: 400px"></div><p id="far">Nothing</p></div>`,
    click("Write"),
  ),
  works(
    "an effect in a frame",
    (place) => ({
      "": place.page(
        "Case",
        `<button onclick="did('ok'); frames[0].document.body.textContent = 'Written'">Write</button><iframe src="inner" title="Inner"></iframe>`,
      ),
      inner: `<!doctype html><title>Inner</title>Nothing`,
    }),
    click("Write"),
  ),
  works(
    "an effect in an open shadow root",
    `<button onclick="did('ok'); by('h').shadowRoot.querySelector('p').textContent = 'Written'">Write</button><div id="h"></div>${script("by('h').attachShadow({mode: 'open'}).innerHTML = '<p>Nothing</p>'")}`,
    click("Write"),
  ),
  works(
    "an effect in a closed shadow root",
    `<button onclick="did('ok'); root.querySelector('p').textContent = 'Written'">Write</button><x-h></x-h>${script("customElements.define('x-h', class extends HTMLElement {}); const root = document.querySelector('x-h').attachShadow({mode: 'closed'}); root.innerHTML = '<p>Nothing</p>'")}`,
    click("Write"),
  ),
  works(
    "a class that shows a panel",
    `<style>#p { display: none } #p.on { display: block }</style><button onclick="did('ok'); by('p').classList.add('on')">Show</button><div id="p"><p>The panel</p></div>`,
    click("Show"),
  ),
  works(
    "a panel shown by a sibling's checkbox alone",
    `<style>#c:checked ~ #p { display: block } #p { display: none }</style><label for="c" onclick="did('ok')">Show</label><input id="c" type="checkbox" style="position: absolute; left: -999px"><div id="p">The panel</div>`,
    click("Show", "label"),
    { allowed: ["c"] },
  ),
  works(
    "details that open",
    `<details ontoggle="did('ok')"><summary>More</summary><p>Text</p></details>`,
    click("More", "summary"),
  ),
  works(
    "a list that loses its last item",
    `<ul id="l"><li>Only</li></ul><button onclick="did('ok'); by('l').innerHTML = ''">Empty it</button>`,
    click("Empty it"),
  ),
  works(
    "a text that is replaced by one as long",
    `<p id="p">aaaa</p><button onclick="did('ok'); by('p').firstChild.data = 'bbbb'">Swap</button>`,
    click("Swap"),
  ),
  works(
    "a picture of a canvas alone",
    `<canvas id="c" width="200" height="60"></canvas><button onclick="did('ok'); by('c').getContext('2d').fillRect(0, 0, 200, 60)">Draw</button>`,
    click("Draw"),
    {
      record: ({ happened }) => (happened.some(({ id }) => id === "ok") ? "none" : "none"),
      want: "unsure",
      only: ["sidestick"],
    },
  ),
  works(
    "a field whose value goes into a chip",
    `<label>Tags <input id="f" oninput="if (this.value.endsWith(',')) { did('ok'); by('chips').append(this.value.slice(0, -1) + ' '); this.value = ''; }"></label><p id="chips">Chips: </p>`,
    fill("Tags", "red,"),
    { allowed: ["f"] },
  ),
  works(
    "a field that empties itself on Enter and shows a chip",
    `<label>Tags <input id="f" onkeydown="if (event.key === 'Enter') { did('ok'); by('chips').append(this.value + ' '); this.value = ''; }"></label><p id="chips">Chips: </p>`,
    press("Enter"),
    { before: [type("Tags", "red")], allowed: ["f"] },
  ),
  works(
    "a dropzone that empties its input after reading",
    `<label>File <input id="f" type="file" onchange="did('ok'); by('out').textContent = 'Got ' + this.files[0].name; this.value = ''"></label>`,
    { do: "upload", role: "button", name: "File", files: ["sample.txt"] },
    { allowed: ["f"] },
  ),
  works(
    "a select that renders itself anew on change",
    `<p id="box"><label>Size <select id="f" onchange="again(this.value)"><option>Small<option>Large</select></label></p>${script("const again = (v) => { by('box').innerHTML = '<label>Size <select id=f onchange=again(this.value)><option>Small<option>Large</select></label>'; by('f').value = v; did('ok'); }")}`,
    select("Size", "Large"),
    { allowed: ["f"] },
  ),
  works(
    "a checkbox that renders itself anew on change",
    `<p id="box"><label><input id="f" type="checkbox" onchange="again(this.checked)"> Agree</label></p>${script("const again = (v) => { by('box').innerHTML = '<label><input id=f type=checkbox onchange=again(this.checked)> Agree</label>'; by('f').checked = v; did('ok'); }")}`,
    check("Agree"),
    { allowed: ["f"] },
  ),
  works(
    "a field that renders itself anew on each key",
    `<p id="box"><label>Name <input id="f" oninput="again(this.value)"></label></p>${script("const again = (v) => { by('box').innerHTML = '<label>Name <input id=f oninput=again(this.value)></label>'; by('f').value = v; by('f').focus(); by('f').setSelectionRange(v.length, v.length); }")}`,
    fill("Name", "abc"),
    { record: ({ after }) => (after.f === "abc" ? "done" : after.f === "" ? "none" : "altered") },
  ),
  works(
    "a value kept in the page's own state",
    `<label>Name <input id="f"></label><p id="shown"></p>${script("let held = ''; by('f').oninput = (e) => { held = e.target.value; queueMicrotask(() => { by('f').value = held; by('shown').textContent = held; }); }; window.more = () => ({held})")}`,
    fill("Name", "abc"),
    {
      allowed: ["f", "held"],
      record: ({ after }) => (after.held === "abc" ? "done" : after.held ? "altered" : "none"),
    },
  ),
  works(
    "a click that loads the same page again",
    (place) => {
      let n = 0;
      return { "": (it) => it.page("Case", `<p>Load ${++n}</p><a href="">Again</a>`) };
    },
    click("Again", "link"),
    {
      record: ({ hits }) =>
        hits.filter(({ method, path }) => method === "GET" && path === "").length === 1
          ? "done"
          : "none",
    },
  ),
  works(
    "a form that answers with a page",
    (place) => ({
      "": place.page("Case", `<form method="post" action="save"><button>Save</button></form>`),
      save: { serve: (it, _request, response) => html(response, it.page("Saved", "<p>Saved</p>")) },
    }),
    click("Save"),
    { record: posts },
  ),
  works(
    "an image whose words change",
    `<img id="i" alt="Off" width="40" height="40" src="data:image/gif;base64,R0lGODlhAQABAAAAACw="><button onclick="did('ok'); by('i').alt = 'On'">Switch</button>`,
    click("Switch"),
  ),
  works(
    "options that come for another choice",
    `<label>Land <select id="a" onchange="did('ok'); by('b').innerHTML = '<option>Lyon<option>Paris'"><option>None<option>France</select></label><label>Town <select id="b"></select></label>`,
    select("Land", "France"),
    { allowed: ["a", "b"] },
  ),
  works(
    "a sorted table",
    `<table id="t"><tbody><tr><td>b</td></tr><tr><td>a</td></tr></tbody></table><button onclick="did('ok'); by('t').tBodies[0].prepend(by('t').rows[1])">Sort</button>`,
    click("Sort"),
  ),
];

const block = (ms) => `const end = performance.now() + ${ms}; while (performance.now() < end);`;

const duplicates = [
  duplicate(
    "a click whose handler blocks for 3 s",
    `<button onclick="${block(3000)} hit('ok')">Slow</button>`,
    click("Slow"),
    { repeats: true, lateMs: 4500 },
  ),
  duplicate(
    "a click whose handler blocks for 7 s",
    `<button onclick="${block(7000)} hit('ok')">Slow</button>`,
    click("Slow"),
    { repeats: true, lateMs: 8500, want: "unsure" },
  ),
  duplicate(
    "a click whose request takes 3 s",
    (place) => ({
      "": place.page(
        "Case",
        `<button onclick="fetch('save', {method: 'POST'}).then(() => { by('out').textContent = 'Saved'; })">Save</button>`,
      ),
      save: answers(200, 3000),
    }),
    click("Save"),
    { repeats: true, record: posts, lateMs: 3500, want: "sent" },
  ),
  duplicate(
    "a form whose answer takes 3 s",
    (place) => ({
      "": place.page("Case", `<form method="post" action="save"><button>Send it</button></form>`),
      save: {
        serve: (it, _q, response) =>
          setTimeout(() => html(response, it.page("Saved", "Saved")), 3000),
      },
    }),
    click("Send it"),
    { repeats: true, record: posts, lateMs: 4000, want: "sent", dirty: true },
  ),
  duplicate(
    "a form whose answer is lost after it was delivered",
    (place) => ({
      "": place.page("Case", `<form method="post" action="save"><button>Send it</button></form>`),
      save: lost(),
    }),
    click("Send it"),
    { repeats: true, record: posts, lateMs: 1500, want: "sent", dirty: true },
  ),
  duplicate(
    "a request whose answer is lost after it was delivered",
    (place) => ({
      "": place.page(
        "Case",
        `<button onclick="fetch('save', {method: 'POST'}).catch(() => {})">Save</button>`,
      ),
      save: lost(),
    }),
    click("Save"),
    { repeats: true, record: posts, lateMs: 1500, want: "sent" },
  ),
  duplicate(
    "a button that counts every press",
    `<button onclick="hit('ok')">Count</button>`,
    click("Count"),
  ),
  duplicate(
    "a double click is two presses and one double click",
    `<button ondblclick="hit('ok')">Twice</button>`,
    { do: "double-click", role: "button", name: "Twice" },
  ),
  duplicate(
    "a key that saves",
    `<label>Name <input id="f" onkeydown="if (event.key === 'Enter') hit('ok')"></label>`,
    press("Enter"),
    { before: [click("Name", "textbox")] },
  ),
  duplicate(
    "a label around its box",
    `<label onclick="0"><input id="f" type="checkbox" onchange="hit('ok')"> Agree</label>`,
    check("Agree"),
    { allowed: ["f"] },
  ),
  duplicate(
    "a list that grows while it is pressed",
    `<ul id="l"></ul><button onclick="hit('ok'); by('l').append(document.createElement('li'))">Add</button>${script("setInterval(() => { by('l').append(Object.assign(document.createElement('li'), {textContent: 'x'})); }, 200)")}`,
    click("Add"),
    { warmMs: 1500 },
  ),
];

export const cases = [...successes, ...failures, ...duplicates];
