// The rows of the table of trap inputs, F1 to F25.

import { check, click, fill, kind, script, select, uncheck } from "./make.mjs";

const row = kind("table");

const LIST = `<ul id="list">${["Alpha", "Beta", "Gamma"]
  .map((name) => `<li><button onclick="hit('${name}')">${name}</button></li>`)
  .join("")}</ul>`;
const INSERT = `window.on.insert = () => {
  const item = document.createElement('li');
  item.innerHTML = '<button onclick="hit(\\'New\\')">New</button>';
  by('list').prepend(item);
};`;

export const cases = [
  row("F1 a ref is remembered across an insert and a look", LIST + script(INSERT), click("Beta"), {
    effect: "Beta",
    before: [{ tell: "insert" }],
    relook: true,
  }),
  row(
    "F2 an old ref on the next page, which has a namesake",
    (place) => ({
      "": place.page(
        "Old",
        `<button onclick="hit('old')">Archive</button> <a href="next">Next page</a>`,
      ),
      next: place.page("New", `<button onclick="hit('new')">Archive</button>`),
    }),
    click("Archive"),
    { effect: "old", want: "refuse", before: [click("Next page", "link"), { pause: 300 }] },
  ),
  row(
    "F3 fill a readonly field",
    `<label>Name <input id="f" readonly value="old"></label>`,
    fill("Name", "new"),
    {
      holds: { id: "f", value: "new" },
      want: "refuse",
      says: /readonly/,
    },
  ),
  row(
    "F4 fill a disabled field",
    `<label>Name <input id="f" disabled value="old"></label>`,
    fill("Name", "new"),
    {
      holds: { id: "f", value: "new" },
      want: "refuse",
      says: /disabled/,
    },
  ),
  row(
    "F5 fill abcdef where three characters fit",
    `<label>Short <input id="f" maxlength="3"></label>`,
    fill("Short", "abcdef"),
    {
      holds: { id: "f", value: "abcdef" },
      want: "partial",
      says: /abc/,
    },
  ),
  row(
    "F6 fill abc into a number field",
    `<label>Count <input id="f" type="number" value="1"></label>`,
    fill("Count", "abc", "spinbutton"),
    {
      holds: { id: "f", value: "abc" },
      want: "refuse",
      says: /invalid_value/,
    },
  ),
  row(
    "F7 fill a date",
    `<label>Day <input id="f" type="date"></label>`,
    fill("Day", "2026-08-09"),
    {
      holds: { id: "f", value: "2026-08-09" },
    },
  ),
  row(
    "F8 fill a field that keeps letters only",
    `<label>Code <input id="f" oninput="this.value = this.value.replace(/[^a-z]/gi, '').toUpperCase()"></label>`,
    fill("Code", "ab12c"),
    { holds: { id: "f", value: "ab12c" }, want: "partial", says: /ABC/ },
  ),
  row(
    "F9 fill a contenteditable that holds text",
    `<div id="f" contenteditable aria-label="Note">old text</div>`,
    fill("Note", "new text"),
    {
      holds: { id: "f", value: "new text" },
    },
  ),
  row(
    "F10 select a disabled option",
    `<label>Size <select id="f"><option>Small<option>Medium<option disabled>Large</select></label>`,
    select("Size", "Large"),
    { holds: { id: "f", value: "Large" }, want: "refuse", says: /option_disabled/ },
  ),
  row("F11 click a button without a handler", `<button>Dead</button>`, click("Dead"), {
    want: "nothing",
  }),
  row(
    "F12 click a button under an overlay",
    `<div style="position: relative"><button onclick="hit('ok')">Under</button>
    <div id="overlay" style="position: absolute; inset: -6px; background: silver"></div></div>`,
    click("Under"),
    { want: "refuse", says: /overlay/ },
  ),
  row(
    "F13 a click that asks by confirm()",
    `<button onclick="did('ok'); did(confirm('Really go on?') ? 'yes' : 'no')">Ask</button>`,
    click("Ask"),
    {
      allowed: ["yes", "no"],
      says: /dialog|confirm/i,
      after: [{ do: "dialog", answer: "dismiss" }],
      messy: true,
    },
  ),
  row(
    "F14 a button in a frame in a frame is listed",
    (place) => ({
      "": place.page(
        "Outer",
        `<iframe src="middle" title="Middle" width="400" height="200"></iframe>`,
      ),
      middle: `<!doctype html><title>Middle</title><iframe src="inner" title="Inner" width="300" height="120"></iframe>`,
      inner: `<!doctype html><title>Inner</title><button>Deep</button>`,
    }),
    undefined,
    { shows: [/button "Deep"/], warmMs: 300 },
  ),
  row(
    "F15 a button in a closed shadow root is listed",
    `<x-box></x-box>${script(`customElements.define('x-box', class extends HTMLElement { constructor() { super();
      this.attachShadow({mode: 'closed'}).innerHTML = '<button>Closed</button>'; } })`)}`,
    undefined,
    { shows: [/button "Closed"/] },
  ),
  row(
    "F16 the value of a password field",
    `<label>Password <input type="password" value="hunter2x"></label>`,
    undefined,
    {
      secrets: ["hunter2x", /[•●*]{8}/],
      shows: ["Password"],
    },
  ),
  ...["new-password", "cc-number", "one-time-code"].map((word) =>
    row(
      `F17 the value of a text field marked ${word}`,
      `<input aria-label="Field" autocomplete="${word}" value="98765432">`,
      undefined,
      {
        secrets: ["98765432", /[•●*]{8}/],
        shows: ["Field"],
      },
    ),
  ),
  row(
    "F18 a paragraph is kept",
    `<p>Status: order #4711 pending</p><button>Go</button>`,
    undefined,
    {
      shows: ["Status: order #4711 pending"],
    },
  ),
  row(
    "F19 two rows, each with Del",
    `<table><tr><th>Name<th>Action</tr>${["Ann", "Bob"]
      .map(
        (name) => `<tr><td>${name}</td><td><button onclick="hit('${name}')">Del</button></td></tr>`,
      )
      .join("")}</table>`,
    click("Del", "button", { nth: 1 }),
    { effect: "Bob" },
  ),
  row(
    "F19 the rows are kept in the outline",
    `<table><tr><td>Ann</td><td><button>Del</button></td></tr><tr><td>Bob</td><td><button>Del</button></td></tr></table>`,
    undefined,
    {
      shows: [/Ann[\s\S]*Del[\s\S]*Bob[\s\S]*Del/],
    },
  ),
  row(
    "F20 what a textbox role holds",
    `<div contenteditable role="textbox" aria-label="Note">old text</div>`,
    undefined,
    {
      shows: ["old text"],
    },
  ),
  row(
    "F21 a plain div with onclick is marked",
    `<div style="cursor: pointer" onclick="hit('ok')">Plain box</div><p>Only words</p>`,
    undefined,
    {
      shows: [/Plain box"?[^\n]*(clickable|cursor|onclick)|(clickable|cursor)[^\n]*Plain box/],
    },
  ),
  row(
    "F21 a plain div with onclick is pressed",
    `<div onclick="hit('ok')">Plain box</div>`,
    click("Plain box", "generic"),
  ),
  row(
    "F22 check a div of role checkbox",
    `<div role="checkbox" tabindex="0" aria-checked="false" onclick="did('ok'); this.setAttribute('aria-checked', 'true')">Tick</div>`,
    check("Tick"),
  ),
  row(
    "F22 check a div of role checkbox that does not change",
    `<div role="checkbox" tabindex="0" aria-checked="false">Stuck</div>`,
    check("Stuck"),
    { want: "nothing" },
  ),
  row(
    "F22 check a disabled checkbox",
    `<label><input id="f" type="checkbox" disabled> Off</label>`,
    check("Off"),
    {
      holds: { id: "f", value: true },
      want: "refuse",
      says: /disabled/,
    },
  ),
  row(
    "F22 uncheck a radio",
    `<label><input id="f" type="radio" checked> Radio</label>`,
    uncheck("Radio", "radio"),
    {
      holds: { id: "f", value: false },
      want: "refuse",
    },
  ),
  row(
    "F22 check a box that is checked",
    `<label><input id="f" type="checkbox" checked> On</label>`,
    check("On"),
    {
      holds: { id: "f", value: false },
      want: "satisfied",
      only: ["sidestick"],
    },
  ),
  row(
    "F24 an act that needs leave",
    `<button onclick="hit('ok')">Delete account</button>`,
    click("Delete account"),
    {
      want: "refuse",
      says: /GATE_REQUIRED/,
      only: ["sidestick"],
    },
  ),
  row("F25 what a click returns", `<button onclick="hit('ok')">Save</button>`, click("Save"), {
    says: /"ref":"e\d+"[\s\S]*"changes":\[\{[\s\S]*"observation":\{"id":"o\d+"/,
    only: ["sidestick"],
  }),
];
