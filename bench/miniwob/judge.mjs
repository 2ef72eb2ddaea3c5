// Holds what Sidestick said of one act against what the page says reached it.

/** An effect that came this close to the end of the looking may be told either way, in ms. */
const EDGE_MS = 60;
/** Events tell whole pixels. */
const POINT_EDGE_PX = 1;
/** How much a box may differ from itself: it may be scaled, or grow under the pointer. */
const BOX_EDGE_PX = 4;
const PRESSES = { click: 1, "double-click": 2, check: 1, uncheck: 1 };
/** What an input event of a person would be. */
const REACHES = ["pointerdown", "mousedown", "keydown", "wheel", "dragstart"];

/**
 * @typedef {import('../soak/record.mjs').Happened & Record<string, any>} Happened
 * @typedef {{verdict: 'false_success' | 'false_failure' | 'wrong_target' | 'duplicate' | 'error', what: string}} Complaint
 */

/**
 * Returns what is wrong with an outcome, or nothing.
 * @param {Record<string, any>} action What was asked.
 * @param {Record<string, any>} outcome What was answered.
 * @param {Happened[]} happened What the page told since it was asked.
 * @param {Set<string>} [own] What the page was seen to change by itself.
 * @returns {Complaint[]}
 */
export function judge(action, outcome, happened, own = new Set()) {
  const inputs = happened.filter((each) => each.kind === "input-event");
  return [
    unsent(outcome, inputs),
    success(outcome, happened),
    failure(action, outcome, happened, own),
    target(action, outcome, inputs, happened),
    presses(action, inputs),
  ].filter((complaint) => complaint !== undefined);
}

function unsent({ fate, status }, inputs) {
  const reached = inputs.filter((each) => REACHES.includes(each.type));
  if (fate !== "not_sent" || reached.length === 0) return undefined;
  return { verdict: "error", what: `${status} was told as not sent, and ${told(reached)} reached the page` };
}

/** Whether anything at all happened that a success can mean. */
function success({ status, signals }, happened) {
  if (!["OBSERVED", "PARTIAL"].includes(status)) return undefined;
  const effects = happened.filter(isEffect);
  if (effects.length > 0) return undefined;
  // A style that only follows the pointer changes no node.
  if (happened.some((each) => each.kind === "moved") && signals.includes("screen")) return undefined;
  return { verdict: "false_success", what: `${status} (${signals}), and nothing happened` };
}

/** That parts of a page cannot be read excuses what was drawn or styled, not what can be read. */
function failure({ action }, { status, code, effect, expect }, happened, own) {
  if (status !== "NO_EFFECT") return undefined;
  const [input] = happened.filter((each) => each.kind === "input-event");
  const within = (each) => each.t - (input?.t ?? each.t) < (effect?.looked_ms ?? 0) - EDGE_MS;
  const isAsked = (each) => action === "scroll" && each.kind === "scrolled" && input !== undefined && each.t > input.t;
  const isOwn = (each) => each.kind === "mutated" && each.what.every((one) => own.has(one));
  const isSeen = (each) => isLoud(each) && (code !== "not_observable" || each.kind !== "change");
  const effects = happened.filter((each) => (isSeen(each) || isAsked(each)) && within(each) && !isOwn(each));
  if (effects.length === 0) return undefined;
  return { verdict: "false_failure", what: `NO_EFFECT (expected ${expect}), and ${told(effects)}` };
}

/** The press was where it was told to be, and reached the element that was asked for. */
function target(action, outcome, inputs, happened) {
  const [press] = inputs.filter((each) => each.type === "mousedown");
  const { box, point, ref } = outcome.target ?? {};
  const asked = action.target?.ref;
  if (asked !== undefined && ref !== undefined && ref !== asked) {
    return { verdict: "wrong_target", what: `asked for ${asked}, took ${ref}` };
  }
  if (press === undefined || !point || !box) return undefined;
  if (Math.abs(press.x - point[0]) > POINT_EDGE_PX || Math.abs(press.y - point[1]) > POINT_EDGE_PX) {
    return { verdict: "wrong_target", what: `pressed ${press.on} at ${press.x},${press.y}, told ${point}` };
  }
  // A checkbox that is drawn by its label is pressed there.
  if (action.action === "check" || action.action === "uncheck") return undefined;
  const isReached = press.path.some(
    ([width, height]) => Math.abs(width - box[2]) <= BOX_EDGE_PX && Math.abs(height - box[3]) <= BOX_EDGE_PX,
  );
  // What changes under the pointer changes its size as well.
  if (isReached || happened.some((each) => each.kind === "mutated" && each.t < press.t)) return undefined;
  return { verdict: "wrong_target", what: `pressed ${press.on}, of sizes ${press.path.map((size) => size.join("x"))}, none of the size of ${box}` };
}

function presses({ action }, inputs) {
  const most = PRESSES[action];
  // Not clicks: a label that is clicked clicks its control.
  const found = inputs.filter((each) => each.type === "mousedown").length;
  if (most === undefined || found <= most) return undefined;
  return { verdict: "duplicate", what: `${action} pressed ${found} times` };
}

const EFFECTS = ["mutated", "ended", "input", "change", "focused", "scroll", "scrolled", "selected", "hello"];
const isEffect = (each) => EFFECTS.includes(each.kind);
/** Effects that nobody can call nothing: what is seen to be said has changed. */
const isLoud = (each) => ["ended", "input", "change"].includes(each.kind) || (each.kind === "mutated" && each.isText);

function told(list) {
  const words = list.map(({ kind, type, on, what, id }) => [type ?? kind, on ?? id ?? what?.[0] ?? ""].join(" "));
  return [...new Set(words)].slice(0, 4).join(", ");
}
