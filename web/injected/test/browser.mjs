// The page scripts in a real browser, over fixtures/web: `node --test web/injected/test/browser.mjs`.
//
// A page records what reached it, and the cases read that record, not our own answers alone.

import { after, before, describe } from "node:test";
import { Browser } from "./chromium.mjs";
import { actCases } from "./cases-act.mjs";
import { changesCases } from "./cases-changes.mjs";
import { completeCases } from "./cases-complete.mjs";
import { frameCases } from "./cases-frames.mjs";
import { guardCases } from "./cases-guard.mjs";
import { outlineCases } from "./cases-outline.mjs";
import { resolveCases } from "./cases-resolve.mjs";
import { settleCases } from "./cases-settle.mjs";
import { tieCases } from "./cases-ties.mjs";

describe("page scripts", { concurrency: 1 }, () => {
  const shared = { browser: null };
  before(async () => void (shared.browser = await Browser.start()));
  after(() => shared.browser?.stop());
  outlineCases(shared);
  resolveCases(shared);
  settleCases(shared);
  actCases(shared);
  changesCases(shared);
  completeCases(shared);
  frameCases(shared);
  guardCases(shared);
  tieCases(shared);
});
