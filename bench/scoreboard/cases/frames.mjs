// Frames: every way a document can stand in another, acted in and filled in.

import { click, fill, frame, kind, script, select } from "./make.mjs";

const inside = kind("frames");
const BUTTON = `<button onclick="hit('ok')">Inside</button>`;
const FIELD = `<label>Inner <input id="f"></label>`;
const framed = (src, more = "") =>
  `<iframe src="${src}" title="Frame" width="420" height="140" ${more}></iframe>`;

/** Makes a case of a button in a frame that stands in the page as `outer` says. */
const button = (name, outer, inner = BUTTON, more = {}) =>
  inside(
    `click: ${name}`,
    (place) => ({ "": place.page("Case", outer(place)), inner: frame(place, "inner", inner) }),
    click("Inside"),
    {
      warmMs: 250,
      ...more,
    },
  );

const plain = (place) => framed(`${place.url}inner`);
const attribute = (text) => text.replaceAll("&", "&amp;").replaceAll('"', "&quot;");

const clicks = [
  button("same origin", plain),
  button("another port", (place) => framed(`${place.beside}inner`)),
  button("another site", (place) => framed(`${place.local}inner`)),
  button("sandboxed, scripts allowed", (place) =>
    framed(`${place.url}inner`, 'sandbox="allow-scripts"'),
  ),
  button("sandboxed on another site", (place) =>
    framed(`${place.local}inner`, 'sandbox="allow-scripts allow-forms"'),
  ),
  button(
    "srcdoc",
    (place) =>
      `<iframe title="Frame" width="420" height="140" srcdoc="${attribute(frame(place, "inner", BUTTON))}"></iframe>`,
  ),
  button(
    "sandboxed srcdoc",
    (place) =>
      `<iframe title="Frame" sandbox="allow-scripts" width="420" height="140" srcdoc="${attribute(frame(place, "inner", BUTTON))}"></iframe>`,
  ),
  button(
    "blob:",
    (place) =>
      `<iframe id="b" title="Frame" width="420" height="140"></iframe>${script(`by('b').src = URL.createObjectURL(new Blob([${JSON.stringify(frame(place, "inner", BUTTON)).replaceAll("</", "<\\/")}], {type: 'text/html'}))`)}`,
  ),
  button("data:", (place) =>
    framed(
      `data:text/html;base64,${Buffer.from(frame(place, "inner", BUTTON)).toString("base64")}`,
    ),
  ),
  button(
    "about:blank written by script",
    (place) =>
      `<iframe id="b" title="Frame" width="420" height="140"></iframe>${script(`const d = by('b').contentDocument; d.open(); d.write(${JSON.stringify(frame(place, "inner", BUTTON)).replaceAll("</", "<\\/")}); d.close()`)}`,
  ),
  button(
    "in an open shadow root",
    (place) =>
      `<div id="h"></div>${script(`by('h').attachShadow({mode: 'open'}).innerHTML = ${JSON.stringify(framed(`${place.url}inner`))}`)}`,
  ),
  button(
    "in a closed shadow root",
    (place) =>
      `<x-h></x-h>${script(`customElements.define('x-h', class extends HTMLElement { connectedCallback() { this.attachShadow({mode: 'closed'}).innerHTML = ${JSON.stringify(framed(`${place.url}inner`))}; } })`)}`,
  ),
  button(
    "another site, in an open shadow root",
    (place) =>
      `<div id="h"></div>${script(`by('h').attachShadow({mode: 'open'}).innerHTML = ${JSON.stringify(framed(`${place.local}inner`))}`)}`,
  ),
  button(
    "lazy, far below",
    (place) => `<div style="height: 3000px"></div>${framed(`${place.url}inner`, 'loading="lazy"')}`,
    BUTTON,
    {
      before: [{ do: "scroll", direction: "down", amount: 6 }, { pause: 500 }],
      refind: true,
      only: ["sidestick"],
    },
  ),
  button(
    "below in a page that has to be scrolled",
    (place) => `<div style="height: 2500px"></div>${plain(place)}`,
  ),
  button(
    "another site, below in a page that has to be scrolled",
    (place) => `<div style="height: 2500px"></div>${framed(`${place.local}inner`)}`,
  ),
  button("scrolled out in the frame", plain, `<div style="height: 1200px"></div>${BUTTON}`),
  button(
    "another site, scrolled out in the frame",
    (place) => framed(`${place.local}inner`),
    `<div style="height: 1200px"></div>${BUTTON}`,
  ),
  button("made smaller", (place) =>
    framed(`${place.url}inner`, 'style="transform: scale(.5); transform-origin: 0 0"'),
  ),
  button("turned", (place) =>
    framed(`${place.url}inner`, 'style="transform: rotate(20deg); margin: 90px"'),
  ),
  button("another site, made smaller", (place) =>
    framed(`${place.local}inner`, 'style="transform: scale(.5); transform-origin: 0 0"'),
  ),
  button("with thick borders and padding", (place) =>
    framed(`${place.url}inner`, 'style="border: 20px solid gray; padding: 30px"'),
  ),
  button("another site, with thick borders and padding", (place) =>
    framed(`${place.local}inner`, 'style="border: 20px solid gray; padding: 30px"'),
  ),
  inside(
    "click: nested, each of another origin",
    (place) => ({
      "": place.page("Case", framed(`${place.local}middle`, "style='height: 240px'")),
      middle: frame(
        place,
        "middle",
        `<iframe src="${place.beside}inner" title="Inner" width="300" height="120"></iframe>`,
      ),
      inner: frame(place, "inner", BUTTON),
    }),
    click("Inside"),
    { warmMs: 400 },
  ),
  inside(
    "click: nested, one origin",
    (place) => ({
      "": place.page("Case", framed(`${place.url}middle`, "style='height: 240px'")),
      middle: frame(
        place,
        "middle",
        `<iframe src="inner" title="Inner" width="300" height="120"></iframe>`,
      ),
      inner: frame(place, "inner", BUTTON),
    }),
    click("Inside"),
    { warmMs: 300 },
  ),
  inside(
    "click: in an object",
    (place) => ({
      "": place.page(
        "Case",
        `<object data="inner" type="text/html" width="420" height="140"></object>`,
      ),
      inner: frame(place, "inner", BUTTON),
    }),
    click("Inside"),
    { warmMs: 300 },
  ),
  inside(
    "click: the second of two frames alike",
    (place) => ({
      "": place.page("Case", `${framed(`${place.url}one`)}${framed(`${place.url}two`)}`),
      one: frame(place, "one", `<button onclick="hit('one')">Inside</button>`),
      two: frame(place, "two", `<button onclick="hit('two')">Inside</button>`),
    }),
    click("Inside", "button", { nth: 1 }),
    { effect: "two", warmMs: 300 },
  ),
  inside(
    "click: the second of two frames alike, of another site",
    (place) => ({
      "": place.page("Case", `${framed(`${place.local}one`)}${framed(`${place.local}two`)}`),
      one: frame(place, "one", `<button onclick="hit('one')">Inside</button>`),
      two: frame(place, "two", `<button onclick="hit('two')">Inside</button>`),
    }),
    click("Inside", "button", { nth: 1 }),
    { effect: "two", warmMs: 400 },
  ),
  inside(
    "click: a frame made since the look",
    (place) => ({
      "": place.page(
        "Case",
        `<div id="box"></div>${script(`window.on.add = () => { by('box').innerHTML = ${JSON.stringify(framed(`${place.local}inner`))} }`)}`,
        { live: true },
      ),
      inner: frame(place, "inner", BUTTON),
    }),
    click("Inside"),
    { before: [{ tell: "add" }, { pause: 500 }], refind: true },
  ),
];

const refused = [
  button(
    "covered in the page around it",
    (place) =>
      `<div style="position: relative">${plain(place)}<div id="cover" style="position: absolute; inset: 0; background: silver" onclick="hit('cover')"></div></div>`,
    BUTTON,
    { want: "refuse" },
  ),
  button(
    "another site, covered in the page around it",
    (place) =>
      `<div style="position: relative">${framed(`${place.local}inner`)}<div id="cover" style="position: absolute; inset: 0; background: silver" onclick="hit('cover')"></div></div>`,
    BUTTON,
    { want: "refuse" },
  ),
  button("not displayed", (place) => framed(`${place.url}inner`, 'style="display: none"'), BUTTON, {
    want: "refuse",
  }),
  button("disabled", plain, `<button disabled onclick="hit('ok')">Inside</button>`, {
    want: "refuse",
  }),
  button("without an effect", plain, `<button>Inside</button>`, { want: "nothing" }),
  button(
    "another site, without an effect",
    (place) => framed(`${place.local}inner`),
    `<button>Inside</button>`,
    { want: "nothing" },
  ),
];

const filled = (name, outer, more = {}) =>
  inside(
    `fill: ${name}`,
    (place) => ({ "": place.page("Case", outer(place)), inner: frame(place, "inner", FIELD) }),
    fill("Inner", "hello"),
    {
      holds: { id: "f", value: "hello" },
      warmMs: 300,
      ...more,
    },
  );

const fills = [
  filled("same origin", plain),
  filled("another port", (place) => framed(`${place.beside}inner`)),
  filled("another site", (place) => framed(`${place.local}inner`)),
  filled("sandboxed", (place) => framed(`${place.url}inner`, 'sandbox="allow-scripts"')),
  filled("data:", (place) =>
    framed(`data:text/html;base64,${Buffer.from(frame(place, "inner", FIELD)).toString("base64")}`),
  ),
  inside(
    "select: another site",
    (place) => ({
      "": place.page("Case", framed(`${place.local}inner`)),
      inner: frame(
        place,
        "inner",
        `<label>Size <select id="f"><option>Small<option>Large</select></label>`,
      ),
    }),
    select("Size", "Large"),
    { holds: { id: "f", value: "Large" }, warmMs: 300 },
  ),
  inside(
    "fill: readonly, another site",
    (place) => ({
      "": place.page("Case", framed(`${place.local}inner`)),
      inner: frame(place, "inner", `<label>Inner <input id="f" readonly value="old"></label>`),
    }),
    fill("Inner", "hello"),
    { holds: { id: "f", value: "hello" }, want: "refuse", warmMs: 300 },
  ),
];

const looks = [
  inside(
    "look: a sandboxed frame without scripts",
    (place) => ({
      "": place.page("Case", framed(`${place.url}inner`, "sandbox")),
      inner: `<!doctype html><title>Inner</title><p>Words in the box</p><button>Plain</button>`,
    }),
    undefined,
    { shows: ["Words in the box", /button "Plain"/], warmMs: 250 },
  ),
  inside(
    "look: a frame of another site",
    (place) => ({
      "": place.page("Case", framed(`${place.local}inner`)),
      inner: `<!doctype html><title>Inner</title><p>Words in the box</p><button>Plain</button>`,
    }),
    undefined,
    { shows: ["Words in the box", /button "Plain"/], warmMs: 400 },
  ),
];

export const cases = [...clicks, ...refused, ...fills, ...looks];
