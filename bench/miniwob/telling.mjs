// The scripts that are added to a task's page: they start the episode and tell what happened in it.

import { telling } from "../soak/record.mjs";

/** Long enough for every solution; rewards that shrink with time stay near their full value. */
const EPISODE_TIME_MS = 30 * 60_000;

/**
 * Returns the script for the page of an episode.
 * @param {{page: string, seed: string, recorder: string}} of
 */
export function script({ page, seed, recorder }) {
  const settings = JSON.stringify({ seed, time: EPISODE_TIME_MS });
  return `(() => {${telling(recorder, page)}
window.tellTask = tell;
const watch = (${watching})(tell);
(${starting})(tell, watch, ${settings});})();`;
}

/** Returns the script for a page inside of a task's page, told by the socket of the outer one. */
export function frameScript() {
  return `if (window.parent.tellTask !== undefined) (${watching})(window.parent.tellTask)();`;
}

/**
 * Runs in the page, and returns what begins to watch the document. It tells `input-event` for every
 * trusted event of a pointer or a key, `moved`, `focused`, `scrolled`, `selected`, and `mutated`.
 */
function watching(tell) {
  // Not the task, but what surrounds it: the clock, the reward and the picture of the clicks.
  const AROUND = "#reward-display, #click-canvas, #sync-task-cover";
  const EVENTS = ["pointerdown", "pointerup", "mousedown", "mouseup", "click", "dblclick",
    "contextmenu", "keydown", "wheel", "dragstart", "drop", "paste"];
  const { document } = window;
  const quiet = { capture: true, passive: true };

  const named = (node) => {
    const element = node.nodeType === 1 ? node : node.parentElement;
    if (element === null) return node.nodeName;
    return element.nodeName.toLowerCase() + (element.id === "" ? "" : `#${element.id}`);
  };
  const place = ({ clientX, clientY }) => {
    const frame = window.frameElement?.getBoundingClientRect();
    return { x: clientX + (frame?.left ?? 0), y: clientY + (frame?.top ?? 0) };
  };
  const sizes = (event) => event.composedPath().filter((each) => each.nodeType === 1)
    .map((each) => each.getBoundingClientRect()).map((box) => [box.width, box.height]);
  for (const type of EVENTS) {
    addEventListener(type, (event) => {
      if (!event.isTrusted) return;
      const path = type === "mousedown" ? sizes(event) : undefined;
      tell("input-event", { type, ...place(event), key: event.key, on: named(event.target), path });
    }, quiet);
  }
  addEventListener("mousemove", (event) => {
    if (event.isTrusted) tell("moved", place(event));
  }, quiet);
  addEventListener("focusin", (event) => tell("focused", { on: named(event.target) }), true);
  addEventListener("scroll", (event) => tell("scrolled", { on: named(event.target) }), true);
  document.addEventListener("selectionchange", () => {
    const text = String(getSelection());
    if (text !== "") tell("selected", { text: text.slice(0, 200) });
  });
  if (window.frameElement !== null) {
    for (const type of ["input", "change"]) {
      addEventListener(type, (event) => tell(type, { id: event.target.id, value: event.target.value }), true);
    }
  }

  const isOwn = ({ target, type, attributeName, oldValue }) => {
    const element = target.nodeType === 1 ? target : target.parentElement;
    if (element === null || element.closest(AROUND) !== null) return false;
    // Set to what it was is no change.
    return type !== "attributes" ||
      (!attributeName.startsWith("data-") && oldValue !== element.getAttribute(attributeName));
  };
  // What it says, without what nobody sees: a text that is written anew as it was is no change.
  const said = () => (document.getElementById("wrap") ?? document.body).innerText
    ?.replace(/[\s\u200b\ufeff]+/g, " ");
  let before = "";
  const observer = new MutationObserver((records) => {
    const own = records.filter(isOwn);
    if (own.length === 0) return;
    const what = own.slice(0, 5).map((record) =>
      `${record.type} ${named(record.target)} ${record.attributeName ?? ""}`.trim());
    const now = said();
    tell("mutated", { count: own.length, what, isText: now !== before });
    before = now;
  });
  return () => {
    before = said();
    observer.observe(document, {
      subtree: true, childList: true, characterData: true, attributes: true, attributeOldValue: true,
    });
  };
}

/**
 * Runs in the page: starts its episode as soon as it is loaded. It tells `started` with the
 * instruction, and `ended` with the reward.
 */
function starting(tell, watch, { seed, time }) {
  const { core } = window;
  const begin = () => {
    core.EPISODE_MAX_TIME = time;
    const end = core.endEpisode;
    core.endEpisode = function (reward, proportional, reason, more) {
      const isFirst = core.EP_TIMER !== null;
      end.call(core, reward, proportional, reason, more);
      if (!isFirst) return;
      tell("ended", {
        raw: window.WOB_RAW_REWARD_GLOBAL,
        reward: window.WOB_REWARD_GLOBAL,
        done: window.WOB_DONE_GLOBAL,
        reason: String(reason ?? "").slice(0, 300),
      });
    };
    Math.seedrandom(seed);
    core.startEpisodeReal();
    watch();
    const isReady = () => {
      if (window.WOB_TASK_READY) tell("started", { query: core.getUtterance() });
      else setTimeout(isReady, 20);
    };
    isReady();
  };
  Math.seedrandom(seed);
  addEventListener("load", () => setTimeout(begin), { once: true });
}
