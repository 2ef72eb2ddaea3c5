// Times the page scripts inside the page: median and 95th percentile over many calls.
//
// `node web/injected/test/bench.mjs [NAME]`; prints the load average, since a busy machine lies.

import { loadavg } from "node:os";
import { Browser, click, dataPage, fixture } from "./chromium.mjs";

const row = (i) =>
  `<tr><td>${i}</td><th scope=row><a href="/order/${i}">Order ${i}</a></th><td>Customer ${i}</td><td>2026-01-${(i % 28) + 1}</td>` +
  `<td>${i * 3}.50</td><td>open</td><td><button>Edit</button></td><td><button>Delete</button></td></tr>`;
const head =
  "<thead><tr>" +
  ["#", "Order", "Customer", "Date", "Total", "State", "", ""].map((t) => `<th>${t}</th>`).join("") +
  "</tr></thead>";
const script = (body) => `<!doctype html><title>bench</title><body><script>${body}</script>`;

const PAGES = {
  small: dataPage(
    "<!doctype html><title>Small</title><h1>Sign in</h1><form><label>User <input name=user></label><label>Password <input type=password></label>" +
      "<button>Sign in</button></form><p>Forgot? <a href='/x'>Reset</a></p><ul><li>One<li>Two<li>Three</ul>",
  ),
  table: dataPage(
    script(
      `const rows=[];const row=${row};for(let i=1;i<=2000;i++)rows.push(row(i));` +
        `document.body.innerHTML='<h1>Orders</h1><table>${head}<tbody>'+rows.join('')+'</tbody></table>';`,
    ),
  ),
  cards: dataPage(
    "<!doctype html><style>.g{display:grid;grid-template-columns:repeat(4,1fr);gap:8px}.c{border:1px solid;padding:8px}</style>" +
      script(
        "document.body.innerHTML='<h1>Portal</h1><div class=g>'+Array.from({length:300},(_,i)=>`<div class=c><h3>Product ${i}</h3>" +
          "<p>Text about product ${i}</p><span>Price</span> <b>${i}.00</b><div><button>Add to cart</button> <a href=/p/${i}>Details</a></div></div>`).join('')+'</div>';",
      ),
  ),
  mail: dataPage(
    "<!doctype html><style>.r{display:flex;gap:8px;border-bottom:1px solid;padding:6px}.s{flex:1;overflow:hidden;white-space:nowrap}" +
      "nav{position:fixed;left:0;top:0;width:200px}main{margin-left:210px}</style>" +
      script(
        "document.body.innerHTML='<nav aria-label=Folders><ul>'+['Inbox','Sent','Trash'].map(f=>`<li><a href=/f/${f}>${f} <span>(12)</span></a>`).join('')+" +
          "'</ul></nav><main><h1>Inbox</h1><ul>'+Array.from({length:400},(_,i)=>`<li class=r><input type=checkbox aria-label='Select ${i}'>" +
          "<button aria-label=Star aria-pressed=${i%7===0}>*</button><span>Sender ${i}</span><a class=s href=/m/${i}><b>Subject ${i}</b> - and how it begins</a>" +
          "<time>1${i%10}:2${i%6}</time></li>`).join('')+'</ul></main>';",
      ),
  ),
  docs: dataPage(
    "<!doctype html><style>.d{max-width:800px;font:16px sans-serif}code{background:#eee}dt{font-weight:bold}dt a{visibility:hidden}</style>" +
      script(
        "const ref=(i)=>`<a class=reference href='#f${i%71}' title=f${i%71}><code><span>f${i%71}()</span></code></a>`;" +
          "document.body.innerHTML='<nav><ul><li><a href=/i>index</a><li><form><input type=search aria-label=Search><input type=submit value=Go></form></ul></nav>" +
          "<main class=d><section><h1>Functions</h1>'+Array.from({length:71},(_,i)=>`<dl><dt id=f${i}><span><span>f${i}</span></span><span>(</span><em><span><span>x</span></span></em>" +
          "<span>)</span><a href='#f${i}'>¶</a></dt><dd><p>Returns the value of ${i}, an object with <code><span>__f${i}__()</span></code>. See ${ref(i+3)} and ${ref(i+9)}.</p>" +
          "${i%4?'':'<div><pre><span>&gt;&gt;&gt; </span><span>f</span><span>('+i+')</span></pre></div>'}</dd></dl>`).join('')+'</section></main>';",
      ),
  ),
  nested: dataPage(
    script(
      "let h='';for(let i=0;i<1000;i++){h+='<div><div><section>'+'<p>text <b>bold</b></p><p><span>a</span><a href=#>l</a></p>'.repeat(16)+'</section></div></div>'}document.body.innerHTML=h;",
    ),
  ),
  flat: dataPage(
    script("let h='';for(let i=0;i<100000;i++)h+='<p>line '+i+'</p>';document.body.innerHTML=h;"),
  ),
};

const LIMITS = "within:null,query:null,nodes_max:1e6,chars_max:1e9";
const CALLS = {
  "outline viewport": `sidestickRead.outline({scope:"viewport",${LIMITS}})`,
  "outline document": `sidestickRead.outline({scope:"document",${LIMITS}})`,
  "layout alone": "document.documentElement.getBoundingClientRect()",
  "layout and a hit test": "document.elementFromPoint(5, 5)",
  arm: `sidestickRead.arm({ref:null,point:null,focus_ref:null,expect:null})`,
};

const DIRTY = "document.documentElement.style.fontSize = (16 + (round % 2)) + 'px'";
const WORK = [
  ["small", "outline viewport", 200],
  ["small", "arm", 200],
  ["table", "outline viewport", 60],
  ["table", "layout alone", 20, DIRTY],
  ["table", "layout and a hit test", 20, DIRTY],
  ["table", "outline viewport", 20, DIRTY],
  ["table", "arm", 60],
  ["table", "arm", 20, DIRTY],
  ["table", "outline document", 12],
  ["cards", "outline viewport", 60],
  ["cards", "outline document", 30],
  ["cards", "arm", 60],
  ["mail", "outline viewport", 60],
  ["mail", "outline document", 30],
  ["mail", "arm", 60],
  ["docs", "outline viewport", 60],
  ["docs", "outline document", 30],
  ["docs", "arm", 60],
  ["nested", "outline viewport", 15],
  ["flat", "outline viewport", 15],
  ["flat", "layout alone", 7, DIRTY],
  ["flat", "outline viewport", 7, DIRTY],
  ["flat", "arm", 15],
];

const browser = await Browser.start();
try {
  console.log(
    `load ${loadavg()
      .map((n) => n.toFixed(2))
      .join(" ")}`,
  );
  for (const name of Object.keys(PAGES)) {
    if (process.argv[2] && process.argv[2] !== name) continue;
    const page = await browser.open(PAGES[name]);
    await page.read("begin_document", { ref_start: 1, frame_start: 1 });
    for (const [owner, call, rounds, before] of WORK) {
      if (owner !== name) continue;
      await time(page, name, call, rounds, before ?? "");
    }
    await resolveTime(page, name);
    await page.close();
  }
  if (!process.argv[2] || process.argv[2] === "click") await clicks();
} finally {
  await browser.stop();
}

/** One click with a verdict next to the same three input messages alone, taken in turns. */
async function clicks() {
  const page = await browser.open(fixture("effects"));
  await page.read("begin_document", { ref_start: 1, frame_start: 1 });
  const ref = await page.refOf("#counter");
  const { element } = await page.read("resolve", {
    target: { ref },
    action: "click",
    values: null,
    text_kind: null,
    expect: null,
  });
  const [raw, judged, looked] = [[], [], []];
  for (let round = 0; round < 60; round += 1) {
    let start = performance.now();
    await page.press(...element.point);
    raw.push(performance.now() - start);
    start = performance.now();
    const { settled } = await click(page, ref);
    judged.push(performance.now() - start);
    looked.push(settled.looked_ms);
  }
  print("click: the raw protocol", raw, "");
  print("click: arm, press, settle, disarm", judged, "");
  print("click: of that, settle", looked, "");
  await page.close();
}

async function time(page, name, call, rounds, before) {
  const code = `(() => { const times = []; let size = 0;
    for (let round = 0; round < ${rounds}; round += 1) {
      ${before};
      const start = performance.now(); const answer = ${CALLS[call]}; times.push(performance.now() - start);
      size = JSON.stringify(answer).length;
    }
    sidestickRead.disarm({});
    return { times, size }; })()`;
  const { times, size } = await page.inWorld(code);
  print(`${name}: ${call}${before ? " after a layout change" : ""}`, times, `${size} bytes`);
}

async function resolveTime(page, name) {
  const code = `(async () => { const times = [];
    const ref = sidestickRead.find({role:"button",name:null,name_exact:false,text:null,near:null,scope:"viewport",limit:1}).matches[0]?.ref;
    if (!ref) return times;
    for (let round = 0; round < 50; round += 1) {
      const start = performance.now();
      await sidestickRead.resolve({target:{ref},action:"click",values:null,text_kind:null,expect:null});
      times.push(performance.now() - start);
    }
    return times; })()`;
  const times = await page.inWorld(code);
  if (times.length > 0) print(`${name}: resolve by ref`, times, "");
}

function print(what, times, note) {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (part) =>
    (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0).toFixed(2);
  console.log(
    `${what.padEnd(48)} min ${sorted[0].toFixed(2).padStart(8)}  p50 ${at(0.5).padStart(8)} ms  p95 ${at(0.95).padStart(8)} ms  first ${times[0].toFixed(2)}  ${note}`,
  );
}
