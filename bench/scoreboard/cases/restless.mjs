// Pages that never rest, and pages that fight.

import { GO, click, fill, kind, press, script } from "./make.mjs";
import { html } from "../site.mjs";

const restless = kind("never rests");
const hostile = kind("fights");

const CLOCK = `<p id="clock">0</p>${script("setInterval(() => { by('clock').textContent = 'tick ' + Math.round(performance.now()) }, 100)")}`;
const VIRTUAL = `<div id="v" role="list" aria-label="People" tabindex="0" style="height: 120px; overflow: auto; border: 1px solid"><div id="s" style="height: 20000px; position: relative"></div></div>${script(`
const draw = () => { const from = Math.floor(by('v').scrollTop / 20); by('s').innerHTML = '';
  for (let at = from; at < Math.min(from + 8, 1000); at++) { const row = document.createElement('div'); row.setAttribute('role', 'listitem'); row.style.cssText = 'position: absolute; height: 20px; top: ' + at * 20 + 'px';
    row.innerHTML = '<button>Person ' + at + '</button>'; row.firstChild.onclick = () => hit('Person ' + at); by('s').append(row); } };
by('v').addEventListener('scroll', draw); draw();`)}`;

const moving = [
  restless("a clock: an act that works", GO + CLOCK, click("Go")),
  restless(
    "a clock: a field",
    `<label>Name <input id="f"></label>${CLOCK}`,
    fill("Name", "hello"),
    { holds: { id: "f", value: "hello" } },
  ),
  restless("a clock: nothing, watched before", `<button>Dead</button>${CLOCK}`, click("Dead"), {
    want: "nothing",
    warmMs: 2500,
  }),
  restless(
    "a carousel",
    `${GO}<div id="c"><a href="#1">Slide 1</a></div>${script("let n = 1; setInterval(() => { n = n % 4 + 1; by('c').innerHTML = '<a href=\"#' + n + '\">Slide ' + n + '</a>'; }, 400)")}`,
    click("Go"),
  ),
  restless(
    "a carousel: nothing, watched before",
    `<button>Dead</button><div id="c"><a href="#1">Slide 1</a></div>${script("let n = 1; setInterval(() => { n = n % 4 + 1; by('c').innerHTML = '<a href=\"#' + n + '\">Slide ' + n + '</a>'; }, 400)")}`,
    click("Dead"),
    { want: "nothing", warmMs: 3000 },
  ),
  restless(
    "a spinner",
    `<style>@keyframes r { to { transform: rotate(1turn) } } .s { animation: r 1s linear infinite; width: 20px; height: 20px; border: 3px solid; border-top-color: red }</style><div class="s"></div>${GO}`,
    click("Go"),
  ),
  restless(
    "a spinner: nothing",
    `<style>@keyframes r { to { transform: rotate(1turn) } } .s { animation: r 1s linear infinite; width: 20px; height: 20px; border: 3px solid; border-top-color: red }</style><div class="s"></div><button>Dead</button>`,
    click("Dead"),
    { want: "nothing" },
  ),
  restless(
    "a feed",
    `${GO}<div id="feed" style="height: 300px; overflow: hidden"></div>${script("let n = 0; setInterval(() => { const p = document.createElement('article'); p.textContent = 'Post ' + ++n; by('feed').prepend(p); }, 200)")}`,
    click("Go"),
  ),
  restless(
    "a long poll that never answers",
    (place) => ({
      "": place.page("Case", `${GO}${script("fetch('poll')")}`),
      poll: { serve: () => {} },
    }),
    click("Go"),
  ),
  restless(
    "a long poll: nothing",
    (place) => ({
      "": place.page("Case", `<button>Dead</button>${script("fetch('poll')")}`),
      poll: { serve: () => {} },
    }),
    click("Dead"),
    { want: "nothing" },
  ),
  restless(
    "a request every 150 ms",
    (place) => ({
      "": place.page(
        "Case",
        `${GO}${script("setInterval(() => fetch('beat', {method: 'POST'}), 150)")}`,
      ),
      beat: { serve: (_p, _q, response) => response.writeHead(204).end() },
    }),
    click("Go"),
  ),
  restless(
    "a request every 150 ms: nothing",
    (place) => ({
      "": place.page(
        "Case",
        `<button>Dead</button>${script("setInterval(() => fetch('beat', {method: 'POST'}), 150)")}`,
      ),
      beat: { serve: (_p, _q, response) => response.writeHead(204).end() },
    }),
    click("Dead"),
    { want: "nothing", warmMs: 2000 },
  ),
  restless(
    "a button rendered anew every 80 ms",
    `<p id="box"></p>${script("setInterval(() => { by('box').innerHTML = '<button>Go</button>'; by('box').firstChild.onclick = () => hit('ok'); }, 80); by('box').innerHTML = '<button>Go</button>'; by('box').firstChild.onclick = () => hit('ok');")}`,
    click("Go"),
    { want: "either" },
  ),
  restless(
    "a button rendered anew every 80 ms, described",
    `<p id="box"></p>${script("setInterval(() => { by('box').innerHTML = '<button>Go</button>'; by('box').firstChild.onclick = () => hit('ok'); }, 80)")}`,
    click("Go", "button", { described: true }),
    { want: "either" },
  ),
  restless(
    "a button that moves for ever",
    `<style>@keyframes m { from { margin-left: 0 } to { margin-left: 500px } }</style><button style="animation: m 3s linear infinite alternate" onclick="hit('ok')">Go</button>`,
    click("Go"),
    { want: "either" },
  ),
  restless(
    "infinite scroll",
    `${GO}<div id="l" style="height: 900px">Items</div>${script("new IntersectionObserver(() => { by('l').style.height = by('l').offsetHeight + 600 + 'px'; }).observe(by('l'))")}`,
    click("Go"),
  ),
  restless("a virtual list: a row that is rendered", VIRTUAL, click("Person 2"), {
    effect: "Person 2",
  }),
  restless("a virtual list: a row that scrolling brings", VIRTUAL, click("Person 12"), {
    effect: "Person 12",
    before: [
      { do: "scroll", role: "button", name: "Person 2", direction: "down", amount: 0.25 },
      { pause: 200 },
    ],
    refind: true,
    only: ["sidestick"],
  }),
  restless(
    "a virtual list: an old ref after it was scrolled",
    `${VIRTUAL}${script("window.on.turn = () => { by('v').scrollTop = 4000 }")}`,
    click("Person 2"),
    { effect: "Person 2", want: "refuse", before: [{ tell: "turn" }, { pause: 150 }] },
  ),
  restless(
    "a canvas that is pressed by a pixel of its picture",
    `<canvas id="c" width="120" height="120" style="position: absolute; left: 200px; top: 200px; background: gold"></canvas>${script("by('c').onclick = (e) => { if (e.offsetX > 40 && e.offsetX < 80 && e.offsetY > 40 && e.offsetY < 80) hit('ok'); else did('off'); }")}`,
    { do: "click", pixel: { x: 260, y: 260, label: "the middle of the square" } },
    {
      before: [{ call: (tool) => tool.client.observe({ screenshot: true }) }],
      only: ["sidestick"],
    },
  ),
  restless(
    "a web socket that talks all the time",
    `${GO}${script("setInterval(() => tell('beat', {value: 1}), 40)")}`,
    click("Go"),
  ),
  restless(
    "a video that plays",
    `${GO}<canvas id="c" width="80" height="60" hidden></canvas><video id="v" width="160" height="120" muted></video>${script("const g = by('c').getContext('2d'); setInterval(() => { g.fillStyle = 'hsl(' + performance.now() / 5 + ' 80% 50%)'; g.fillRect(0, 0, 80, 60); }, 40); by('v').srcObject = by('c').captureStream(25); by('v').play()")}`,
    click("Go"),
  ),
  restless(
    "a caret that blinks in a field with the focus: nothing",
    `<label>Name <input id="f" autofocus></label><button>Dead</button>`,
    click("Dead"),
    { want: "nothing" },
  ),
  restless("a virtual list: the end of it", VIRTUAL, undefined, {
    shows: [/Person 0/, /Person 4/],
    hides: ["Person 12"],
  }),
  restless(
    "a canvas that is painted all the time",
    `${GO}<canvas id="c" width="300" height="100"></canvas>${script("const g = by('c').getContext('2d'); (function draw() { g.fillStyle = 'hsl(' + performance.now() / 10 + ' 50% 50%)'; g.fillRect(0, 0, 300, 100); requestAnimationFrame(draw); })()")}`,
    click("Go"),
  ),
];

const block = (ms) => `{ const end = performance.now() + ${ms}; while (performance.now() < end); }`;
const POLLUTE = `
Array.prototype.map = Array.prototype.filter = Array.prototype.push = () => { throw new Error('no'); };
const real = JSON.stringify; JSON.stringify = (v) => (v && (v.page || v.pong) ? real(v) : '{}'); JSON.parse = () => ({}); window.MutationObserver = class { observe() {} disconnect() {} takeRecords() { return []; } };
Node.prototype.contains = () => true; Element.prototype.getBoundingClientRect = () => ({x: 0, y: 0, left: 0, top: 0, width: 0, height: 0, right: 0, bottom: 0});
Element.prototype.closest = () => null; Element.prototype.matches = () => false; Document.prototype.elementFromPoint = () => null;
Object.defineProperty(Node.prototype, 'textContent', { get: () => 'lie' }); window.requestAnimationFrame = () => 0; Object.prototype.then = undefined;`;

const fights = [
  hostile(
    "2,000 elements deep",
    `${GO}<div id="deep"></div>${script("let at = by('deep'); for (let i = 0; i < 2000; i++) { const d = document.createElement('div'); at.append(d); at = d; } at.textContent = 'bottom'")}`,
    click("Go"),
  ),
  hostile(
    "100,000 elements",
    `${GO}<div id="many"></div>${script("let t = ''; for (let i = 0; i < 100000; i++) t += '<p>line ' + i + '</p>'; by('many').innerHTML = t")}`,
    click("Go"),
    { dirty: true },
  ),
  hostile(
    "a text of 10 MB",
    `${GO}<pre id="t"></pre>${script("by('t').textContent = ('word '.repeat(20) + '\\n').repeat(100000)")}`,
    click("Go"),
    { dirty: true },
  ),
  hostile(
    "a name of 1 MB",
    `<button onclick="hit('ok')" id="n">Go</button><button id="huge"></button>${script("by('huge').setAttribute('aria-label', 'x'.repeat(1000000))")}`,
    click("Go"),
  ),
  hostile(
    "a page that fights its readers",
    `<p id="box"><button id="go">Go</button></p>${script(`by('go').addEventListener('click', () => { did('ok'); by('out').firstChild.data = 'ok'; }); ${POLLUTE}`)}`,
    click("Go"),
    {
      record: ({ happened }) => {
        const n = happened.filter(({ id }) => id === "ok").length;
        return n === 0 ? "none" : "done";
      },
    },
  ),
  hostile(
    "a page that fights its readers: nothing",
    `<button>Dead</button>${script(POLLUTE)}`,
    click("Dead"),
    { want: "nothing", record: () => "none" },
  ),
  hostile(
    "a main thread blocked for 5 s when it is looked at",
    `${GO}${script(`setTimeout(() => ${block(5000)}, 50)`)}`,
    click("Go"),
    { lateMs: 6000 },
  ),
  hostile(
    "a main thread blocked for 5 s when it is pressed",
    `${GO}${script(`window.on.turn = () => setTimeout(() => ${block(5000)}, 100)`)}`,
    click("Go"),
    { before: [{ tell: "turn" }, { pause: 150 }], want: "either", lateMs: 6000, repeats: true },
  ),
  hostile(
    "an alert in a loop",
    `<button onclick="did('ok'); for (let i = 0; i < 5; i++) alert('Again ' + i)">Go</button>`,
    click("Go"),
    { after: Array.from({ length: 5 }, () => ({ do: "dialog", answer: "accept" })), messy: true },
  ),
  hostile(
    "no scripts allowed (CSP)",
    (place) => ({
      "": {
        serve: (_p, _q, response) =>
          html(
            response,
            `<!doctype html><title>Case</title><form method="post" action="save"><button>Send it</button></form>`,
            { "content-security-policy": "default-src 'none'; form-action 'self'" },
          ),
      },
      save: {
        serve: (_p, _q, response) =>
          html(response, "<!doctype html><title>Saved</title><p>Saved</p>"),
      },
      place,
    }),
    click("Send it"),
    {
      silent: true,
      record: ({ hits }) => {
        const n = hits.filter(({ method }) => method === "POST").length;
        return n === 0 ? "none" : n === 1 ? "done" : "twice";
      },
    },
  ),
  hostile(
    "nodes vanish as the pointer nears",
    `<div id="box">${GO}</div>${script("addEventListener('pointermove', () => { by('box').innerHTML = ''; }, true)")}`,
    click("Go"),
    { want: "either" },
  ),
  hostile(
    "the page changes on hover and is dead to presses",
    `<button onpointerenter="by('out').textContent = 'hovered'">Dead</button>`,
    click("Dead"),
    { want: "nothing" },
  ),
  hostile(
    "the page answers a press by showing what looks like success elsewhere, by itself",
    `<button>Dead</button>${script("setInterval(() => { by('out').textContent = by('out').textContent === 'Saved' ? 'Saving' : 'Saved'; }, 400)")}`,
    click("Dead"),
    { want: "nothing", warmMs: 3000 },
  ),
  hostile(
    "a history that is filled by the page",
    `${GO}${script("for (let i = 0; i < 60; i++) history.pushState(null, '', '?' + i)")}`,
    click("Go"),
  ),
  hostile(
    "an endless redirect",
    (place) => ({
      "": place.page("Case", `<a href="round" onclick="did('ok')">Go round</a>`),
      round: { serve: (_p, _q, response) => response.writeHead(302, { location: "round" }).end() },
    }),
    click("Go round", "link"),
    {
      want: "either",
      record: ({ hits }) => (hits.some(({ path }) => path === "round") ? "done" : "none"),
      dirty: true,
      lateMs: 200,
    },
  ),
  hostile(
    "a page that asks for a hundred windows",
    `<button onclick="did('ok'); for (let i = 0; i < 100; i++) open('about:blank'); by('out').textContent = 'opened'">Go</button>`,
    click("Go"),
    { messy: true, dirty: true },
  ),
  hostile(
    "a page that opens a window without a press",
    `${GO}${script("window.on.turn = () => open('about:blank')")}`,
    click("Go"),
    { before: [{ tell: "turn" }, { pause: 200 }], messy: true },
  ),
  hostile(
    "a page that takes the pointer",
    `<button onclick="did('ok'); document.body.requestPointerLock?.(); by('out').textContent = 'locked'">Go</button>`,
    click("Go"),
    { messy: true, dirty: true },
  ),
  hostile(
    "a page that goes elsewhere as it is pressed",
    (place) => ({
      "": place.page(
        "Case",
        `<button onpointerdown="did('ok'); location.href = 'next'">Go</button>`,
      ),
      next: place.page(
        "Next",
        `<button onclick="hit('next')" style="position: absolute; left: 0; top: 0; width: 100vw; height: 100vh">Trap</button>`,
      ),
    }),
    click("Go"),
    { want: "either" },
  ),
  hostile(
    "a body that is replaced every 300 ms",
    `${GO}${script("setInterval(() => { const html = document.body.innerHTML; document.body.innerHTML = html; }, 300)")}`,
    click("Go"),
    { want: "either" },
  ),
  hostile(
    "keys are swallowed by the page",
    `<label>Name <input id="f"></label>${script("addEventListener('keydown', (e) => e.preventDefault(), true); addEventListener('click', (e) => e.stopImmediatePropagation(), true)")}`,
    press("a"),
    { want: "nothing", before: [click("Name", "textbox")], holds: { id: "f", value: "a" } },
  ),
];

export const cases = [...moving, ...fights];
