// Cases for what an outline owes: every control a sighted person can use is in it, or counted.

import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { dataPage, outlineOf } from "./chromium.mjs";
import { onPage } from "./on-page.mjs";

const FIXTURES = join(import.meta.dirname, "../../../fixtures/web");
const USABLE =
  "a[href],button,input:not([type=hidden]),select,textarea,summary,[onclick],[tabindex],[contenteditable=''],[contenteditable=true]";

/** What can be seen and pressed at its middle, by the browser's own word, and is not in the outline. */
const MISSING = (refs) => `(() => {
  const shown = ${JSON.stringify(refs)}.map((ref) => sidestickRead.element({ ref })).filter(Boolean);
  const isInIt = (e) => shown.some((at) => at === e || at.contains(e) || e.contains(at));
  const isUsable = (e) => {
    if (!e.checkVisibility({ opacityProperty: true, visibilityProperty: true }) || e.disabled) return false;
    const box = e.getBoundingClientRect();
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    if (x < 0 || y < 0 || x >= innerWidth || y >= innerHeight || box.width < 2 || box.height < 2) return false;
    const hit = document.elementFromPoint(x, y);
    return hit !== null && (e.contains(hit) || hit.contains(e) && hit.localName === "label");
  };
  return [...document.querySelectorAll(${JSON.stringify(USABLE)})]
    .filter((e) => isUsable(e) && !isInIt(e)).map((e) => e.outerHTML.slice(0, 120));
})()`;

const refsOf = (outline) => outline.nodes.map((node) => node.ref).filter((ref) => ref !== null);

export function completeCases(shared) {
  for (const fixture of readdirSync(FIXTURES).filter((name) => !name.includes("."))) {
    onPage(shared, `nothing usable is missing: ${fixture}`, fixture, async (page) => {
      const outline = await outlineOf(page);
      assert.deepEqual(await page.inWorld(MISSING(refsOf(outline))), []);
    });
  }

  const buttons = Array.from({ length: 60 }, (_, i) => `<button>Button ${i}</button><a href="#${i}">Link</a><p>Words</p>`);
  onPage(shared, "what the budget cuts is counted, control by control", dataPage(buttons.join("")), async (page) => {
    const whole = refsOf(await outlineOf(page, { scope: "document" })).length;
    assert.equal(whole, 120);
    for (const chars_max of [1, 90, 400, 1000, 2222, 5000]) {
      const outline = await outlineOf(page, { scope: "document", chars_max });
      assert.equal(refsOf(outline).length + outline.omitted.controls, whole, String(chars_max));
    }
  });
}
