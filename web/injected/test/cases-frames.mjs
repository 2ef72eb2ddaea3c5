// Cases for documents in documents: where what is in them is painted, however their frame lies.

import assert from "node:assert/strict";
import { click, dataPage, outlineOf, resolveIn } from "./chromium.mjs";
import { onPage } from "./on-page.mjs";

const INNER = `<style>body { margin: 0 } button { position: absolute; width: 70px; height: 22px }</style>
  <button id=near style='left: 12px; top: 8px'>Near</button><button id=far style='left: 210px; top: 110px'>Far</button>
  <div style='height: 900px'></div><button id=low style='left: 30px; top: 860px'>Low</button>
  <script>for (const type of ['pointerdown', 'click']) addEventListener(type, (e) =>
    top.received.push(type + ' ' + e.target.id), true)</script>`;
const attribute = (html) => html.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
const framed = (style, inner = INNER) =>
  `<iframe style="width: 300px; height: 150px; ${style}" srcdoc="${attribute(inner)}"></iframe>`;
const outer = (body) =>
  dataPage(`<!doctype html><title>Outer</title><script>window.received = []</script><p>Above</p>${body}`);

/** How a frame may lie in its page. */
const LYING = {
  plainly: framed(""),
  "made smaller": framed("transform: scale(.5); transform-origin: 0 0"),
  "made larger": framed("transform: scale(1.7); transform-origin: 0 0; border: 3px solid; padding: 5px 9px"),
  turned: framed("transform: rotate(20deg); margin: 90px"),
  "turned over": framed("rotate: 180deg"),
  mirrored: framed("scale: -1 1"),
  "on its side, moved and larger": framed("rotate: 90deg; scale: 1.2; translate: 90px 80px; margin: 40px"),
  slanted: framed("transform: skew(20deg, 5deg); margin: 60px; border-left: 17px solid; padding-right: 30px"),
  zoomed: framed("zoom: 1.5; border: 4px solid; padding: 10px"),
  "zoomed out in something turned": `<div style="transform: rotate(-8deg); margin: 60px">${framed("zoom: .6")}</div>`,
  tilted: framed("transform: perspective(500px) rotateY(35deg)"),
  "tilted in a room": `<div style="perspective: 600px; transform-style: preserve-3d"><div style="transform: rotateX(30deg);
     transform-style: preserve-3d; width: 400px">${framed("transform: translateZ(60px) rotateY(-20deg)")}</div></div>`,
  "in a drawing": `<svg width=700 height=400 viewBox="0 0 350 200"><foreignObject x=20 y=10 width=320 height=180
     transform="rotate(5)">${framed("border: 0")}</foreignObject></svg>`,
  "in a shadow tree": `<div id=host style="transform: scale(.8) rotate(3deg)"></div><script>
     host.attachShadow({mode: 'open'}).innerHTML = ${JSON.stringify(framed("")).replaceAll("</", "<\\/")}</script>`,
  "in a frame that is turned, and turned back": framed(
    "height: 320px; width: 420px; transform: rotate(15deg) scale(.9); margin: 60px",
    `<div style="height: 30px"></div>${framed("transform: rotate(-40deg) scale(.8); margin: 50px")}`,
  ),
  "zoomed in a frame that is zoomed and tilted": framed(
    "height: 260px; width: 420px; zoom: 1.2; transform: perspective(800px) rotateX(20deg)",
    framed("zoom: .8; padding: 6px; border: 2px solid; transform: rotate(4deg); margin: 20px"),
  ),
};

async function refOf(page, name) {
  const { nodes } = await outlineOf(page, { scope: "document" });
  return nodes.find((node) => node.r === "button" && node.n === name)?.ref;
}

async function press(page, name) {
  const ref = await refOf(page, name);
  const armed = await page.read("arm", { ref, point: null, focus_ref: null, expect: null });
  assert.equal(armed.ok, true, `${name}: ${JSON.stringify(armed)}`);
  await page.press(armed.x, armed.y);
  assert.deepEqual(await page.read("guard_end"), { stopped: false }, name);
  await page.read("disarm");
}

export function frameCases(shared) {
  for (const [how, body] of Object.entries(LYING)) {
    onPage(shared, `what is in a frame is pressed where it is painted: ${how}`, outer(body), async (page) => {
      await press(page, "Far");
      await press(page, "Near");
      const expected = ["pointerdown far", "click far", "pointerdown near", "click near"];
      assert.deepEqual(await page.inPage("received"), expected);
      const low = await resolveIn(page, { ref: await refOf(page, "Low") });
      assert.deepEqual([low.element.visible.ok, low.element.point], [true, null], "it can be scrolled to");
    });
  }

  for (const factor of [1.5, 2]) {
    const how = `on a screen of ${factor} pixels to one: zoomed and turned in a frame that is zoomed`;
    const body = framed("height: 260px; width: 420px; zoom: 1.2", framed("zoom: .8; rotate: 4deg; margin: 20px"));
    onPage(shared, `what is in a frame is pressed where it is painted, ${how}`, outer(body), async (page) => {
      const metrics = { width: 1200, height: 800, deviceScaleFactor: factor, mobile: false };
      await page.send("Emulation.setDeviceMetricsOverride", metrics);
      await press(page, "Far");
      await press(page, "Near");
      assert.deepEqual((await page.inPage("received")).length, 4);
    });
  }

  const BEHIND = framed("transform: perspective(60px) rotateX(70deg); margin: 80px");
  onPage(shared, "a frame that reaches behind the eye has no place, and nothing in it is pressed", outer(BEHIND), async (page) => {
    const { element } = await resolveIn(page, { ref: await refOf(page, "Near") });
    assert.deepEqual([element.visible.ok, element.visible.reason, element.point], [false, "unplaced", null]);
    const { frames } = await page.read("frames");
    assert.deepEqual(frames, [], "it is read from here all the same");
  });

  const FOREIGN = `${framed("transform: scale(.5); transform-origin: 0 0; border: 10px solid; padding: 6px").replace("<iframe", "<iframe sandbox")}
    ${BEHIND.replace("<iframe", "<iframe sandbox")}${framed("").replace("<iframe", "<iframe sandbox")}`;
  onPage(shared, "of a frame that cannot be read it is told how it lies", outer(FOREIGN), async (page) => {
    const { frames } = await page.read("frames");
    const [smaller, behind, plain] = frames;
    assert.deepEqual(frames.map((frame) => frame.is_known), [true, false, true]);
    assert.equal(plain.map, null);
    assert.equal(behind.map, null);
    const [a, b, x, c, d, y, g, h, i] = smaller.map;
    const near = (is, wanted) => assert.ok(Math.abs(is - wanted) < 0.01, `${is} is not ${wanted}`);
    near(a / i, 0.5);
    near(d / i, 0.5);
    for (const none of [b, c, g, h]) near(none, 0);
    near(x / i, smaller.x);
    near(y / i, smaller.y);
    const [left, top, right, bottom] = smaller.clip;
    near(right - left, 150);
    near(bottom - top, 75);
    near(left, smaller.x);
  });

  onPage(shared, "what a document is told of its place is how it is pressed", outer("<button id=b>Here</button>"), async (page) => {
    const told = { x: 400, y: 100, zoom: 1, is_known: true, clip: [0, 0, 900, 700], origin: "null" };
    const [smaller, shown] = [[0.5, 0, 400, 0, 0.5, 100, 0, 0, 1], "document.getElementById('b').getBoundingClientRect()"];
    const { left, top } = JSON.parse(await page.inPage(`JSON.stringify(${shown})`));
    const ref = await refOf(page, "Here");
    const resolved = (outer) =>
      page.read("resolve", { target: { ref }, action: "click", values: null, text_kind: null, expect: null, outer });
    const { element } = await resolved({ ...told, map: smaller });
    assert.deepEqual(element.box.slice(0, 2), [400 + left / 2, 100 + top / 2]);
    const lost = await resolved({ ...told, map: null, is_known: false });
    assert.equal(lost.element.visible.reason, "unplaced");
    const flat = await resolved({ ...told, map: [1, 0, 0, 1, 0, 0, 0, 0, 1] });
    assert.equal(flat.element.visible.reason, "unplaced", "a mapping onto a line is none");
  });

  // A blob of the page's own is of its origin in whatever it is shown.
  const SHOWN = (tag, name, more = "") => `<${tag} id=shown type="text/html" ${more} style="width: 300px; height: 150px">
    ${tag === "object" ? "<button>Instead</button></object>" : ""}<script>shown.${name} = URL.createObjectURL(
    new Blob([${JSON.stringify(INNER).replaceAll("</", "<\\/")}], {type: "text/html"}))</script>`;
  const shown = async (page) => {
    await page.inPage("new Promise((done) => { const ask = () => frames[0]?.document.getElementById('low') ? done() : setTimeout(ask, 10); ask() })");
    await page.inPage("delete shown.dataset.x");
  };
  for (const [tag, name, more] of [["object", "data"], ["embed", "src"], ["embed", "src", "data-turned hidden"], ["object", "data", "data-turned"]]) {
    const style = more ? "<style>#shown { rotate: 30deg; margin: 60px; border: 8px solid; padding: 5px }</style>" : "";
    const body = outer(style + SHOWN(tag, name, (more ?? "").replace(" hidden", "")));
    onPage(shared, `a document in an ${tag} is read and pressed like one in a frame${more ? ": turned" : ""}`, body, async (page) => {
      await shown(page);
      const { nodes, blind } = await outlineOf(page);
      assert.deepEqual(nodes.filter((node) => node.r === "button").map((node) => node.n), ["Near", "Far"]);
      assert.match(nodes.find((node) => node.n === "Near").ref, /^f1e/);
      assert.ok(nodes.some((node) => node.r === "iframe"));
      assert.deepEqual(blind, [], "all of it was read");
      await press(page, "Far");
      await press(page, "Near");
      const expected = ["pointerdown far", "click far", "pointerdown near", "click near"];
      assert.deepEqual(await page.inPage("received"), expected);
      const instead = await resolveIn(page, { role: "button", name: "Instead", near: null });
      assert.notEqual(instead.element?.visible.ok, true, "what stands in for it is not shown");
    });
  }

  for (const address of ["file:///nowhere/at/all.html", ""]) {
    const body = `<object data='${address}'><button onclick='received.push(1)'>Instead</button></object>`;
    onPage(shared, `an object that shows what stands in for it is no frame: ${address}`, outer(body), async (page) => {
      const { nodes } = await outlineOf(page);
      assert.deepEqual(nodes.map((node) => node.r).filter((role) => role === "iframe"), []);
      await press(page, "Instead");
      assert.deepEqual(await page.inPage("received"), [1]);
    });
  }

  const WRITTEN = "<p id=p>idle</p><button onclick=\"p.textContent = 'pressed'\">Go</button>";
  onPage(shared, "an input in a document that was written anew is heard", outer("<iframe id=f></iframe>"), async (page) => {
    await outlineOf(page);
    await page.inPage(`(() => { const d = f.contentDocument; d.open(); d.write(${JSON.stringify(WRITTEN)}); d.close() })()`);
    const ref = await refOf(page, "Go");
    const [x, y] = (await resolveIn(page, { ref })).element.point;
    // The pointer is there already: the document around the frame hears nothing of the press.
    await page.send("Input.dispatchMouseEvent", { type: "mouseMoved", x, y });
    const { settled } = await click(page, ref);
    assert.deepEqual(settled.changes.map((change) => change.after), ["pressed"], JSON.stringify(settled));
    assert.equal(settled.untied, false);
  });
}
