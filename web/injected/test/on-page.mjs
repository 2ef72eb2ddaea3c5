// Opens a fixture for one case and closes it again, whatever happens in between.

import { it } from "node:test";
import { fixture } from "./chromium.mjs";

/** A case named `name` on the fixture (or the data URL) `place`. */
export function onPage(shared, name, place, run) {
  it(name, { timeout: 20_000 }, async () => {
    const page = await shared.browser.open(place.startsWith("data:") ? place : fixture(place));
    try {
      await page.read("begin_document", { ref_start: 1, frame_start: 1 });
      await run(page);
    } finally {
      await page.close();
    }
  });
}

/** The outline as lines, for asserting on shape. */
export const lines = (outline) =>
  outline.nodes.map((node) => {
    const states = node.s.filter((word) => word !== "focused").join(" ");
    return `${" ".repeat(node.d)}${node.r}${node.n ? ` "${node.n}"` : ""}${states ? ` [${states}]` : ""}${node.v === null ? "" : ` = ${node.v}`}`;
  });

export const node = (outline, role, name) => outline.nodes.find((at) => at.r === role && at.n === name);
