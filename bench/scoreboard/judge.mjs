// One table of rules: what a tool said, held against what the page's own record says.

/**
 * What a tool said of an act.
 * `done` it worked, `satisfied` it was so already, `partial` something else came of it than asked,
 * `nothing` no effect was seen, `sent` no effect was seen and a request went out, `unsure` not known,
 * `refused` it was not done, `absent` its target is in no list of the tool, `error` it broke.
 * A tool that answers "done" without saying what came of it is taken at its word.
 * @typedef {'done' | 'satisfied' | 'partial' | 'nothing' | 'sent' | 'unsure' | 'refused' | 'absent' | 'error'} Said
 *
 * What the page's record holds: `none` nothing of it happened, `done` just what was asked, once,
 * `altered` what was asked about changed into something else, `twice`, `other` something else was hit.
 * @typedef {'none' | 'done' | 'altered' | 'twice' | 'other'} Recorded
 *
 * What is right: `done` it can be done, `partial` it can be done in part, `refuse` nothing may reach
 * the page, `nothing` it has no effect, `sent` a request goes out and no effect is seen in time,
 * `either` the very element or a refusal, `satisfied` it is so already, `unsure` nobody can know,
 * `reverts` the page takes it back at once: no effect and another value than asked are both true.
 * @typedef {'done' | 'partial' | 'refuse' | 'nothing' | 'sent' | 'either' | 'satisfied' | 'unsure' | 'reverts'} Want
 *
 * @typedef {'right' | 'false_success' | 'false_failure' | 'wrong_target' | 'duplicate' | 'leaked' | 'refused' | 'missed' | 'error'} Verdict
 * @typedef {{want: Want, said: Said, record: Recorded, leaked: boolean, told: boolean}} Facts
 */

const among = (...words) => new Set(words);

/**
 * The first rule that holds decides. Each names sets of words; a missing one holds always.
 * @type {{said?: Set<string>, record?: Set<string>, want?: Set<string>, is?: (facts: Facts) => boolean, verdict: Verdict, why: string}[]}
 */
export const RULES = [
  { is: ({ leaked }) => leaked, verdict: "leaked", why: "a secret stands in what it said" },
  { record: among("other"), verdict: "wrong_target", why: "something else was hit" },
  { record: among("twice"), verdict: "duplicate", why: "it happened more than once" },

  {
    said: among("satisfied"),
    want: among("satisfied"),
    record: among("none"),
    verdict: "right",
    why: "it was so already",
  },
  {
    said: among("done", "satisfied"),
    record: among("none"),
    verdict: "false_success",
    why: "it said done, and nothing happened",
  },
  {
    said: among("done", "satisfied"),
    record: among("altered"),
    verdict: "false_success",
    why: "it said done, and something else came of it",
  },
  {
    said: among("done"),
    want: among("refuse"),
    verdict: "false_success",
    why: "it said done where nobody could do that",
  },
  {
    said: among("done", "satisfied"),
    record: among("done"),
    verdict: "right",
    why: "done, and said so",
  },

  {
    said: among("partial", "nothing", "sent", "refused"),
    want: among("reverts"),
    record: among("none", "altered"),
    verdict: "right",
    why: "the page took it back, and it said so",
  },
  {
    said: among("partial"),
    record: among("none"),
    verdict: "false_success",
    why: "it said partly done, and nothing happened",
  },
  {
    said: among("partial"),
    record: among("done"),
    verdict: "false_failure",
    why: "it said partly done, and all of it was",
  },
  {
    said: among("partial"),
    want: among("partial", "either"),
    verdict: "right",
    why: "partly done, and said so",
  },
  {
    said: among("partial"),
    want: among("refuse"),
    verdict: "missed",
    why: "it should have been refused",
  },
  { said: among("partial"), verdict: "missed", why: "done in part where all could be done" },

  {
    said: among("sent"),
    want: among("sent", "unsure"),
    verdict: "right",
    why: "it said that a request went out",
  },
  {
    said: among("unsure"),
    want: among("partial", "either"),
    record: among("altered"),
    verdict: "right",
    why: "partly done, and it said that it does not know",
  },
  {
    said: among("unsure"),
    want: among("sent", "unsure"),
    verdict: "right",
    why: "it said that it does not know",
  },
  {
    said: among("nothing", "sent", "refused", "absent", "error"),
    record: among("done", "altered"),
    verdict: "false_failure",
    why: "it said no, and it happened",
  },
  {
    said: among("nothing"),
    want: among("nothing", "either"),
    verdict: "right",
    why: "nothing happened, and it said so",
  },
  {
    said: among("sent"),
    want: among("nothing"),
    verdict: "right",
    why: "a request went out, and it said so",
  },
  {
    said: among("nothing", "sent", "unsure"),
    want: among("refuse"),
    verdict: "missed",
    why: "it should have been refused",
  },
  { said: among("nothing", "sent", "unsure"), verdict: "missed", why: "it could have been done" },

  { said: among("error"), verdict: "error", why: "the tool broke" },
  {
    said: among("refused", "absent"),
    want: among("refuse", "either", "nothing"),
    verdict: "right",
    why: "refused, and nothing happened",
  },
  { said: among("absent"), verdict: "missed", why: "what was asked for is in no list of the tool" },
  { said: among("refused"), verdict: "refused", why: "refused, though it should have worked" },
];

/**
 * Judges one act.
 * @param {Facts} facts `told` is whether the answer names what the case says it has to.
 * @returns {{verdict: Verdict, why: string}}
 */
export function judge(facts) {
  const holds = ({ said, record, want, is }) =>
    (said?.has(facts.said) ?? true) &&
    (record?.has(facts.record) ?? true) &&
    (want?.has(facts.want) ?? true) &&
    (is?.(facts) ?? true);
  const { verdict, why } = RULES.find(holds) ?? { verdict: "error", why: "no rule holds" };
  if (verdict === "right" && !facts.told) {
    return { verdict: "missed", why: `${why}, but its answer does not say what it has to` };
  }
  return { verdict, why };
}

/**
 * Says what the record holds of one act.
 * @param {{effect?: string, allowed?: string[], holds?: {id: string, value: any, like?: RegExp}}} of
 * @param {Record<string, any>} before The page's state before it.
 * @param {import('../soak/record.mjs').Happened[]} happened
 * @returns {Recorded}
 */
export function recorded({ effect, allowed = [], holds }, before, happened) {
  const effects = happened.filter(({ kind, id }) => kind === "effect" && id !== "told");
  const own = effects.filter(({ id }) => id === effect);
  if (effects.some(({ id }) => id !== effect && !allowed.includes(id ?? ""))) return "other";
  if (own.length > 1) return "twice";
  const after = stateOf(happened) ?? before;
  if (holds === undefined) return own.length === 1 ? "done" : "none";

  const changed = Object.keys({ ...before, ...after }).filter((id) => !same(before[id], after[id]));
  if (changed.some((id) => id !== holds.id && !allowed.includes(id))) return "other";
  const wanted = same(after[holds.id], holds.value) || holds.like?.test(String(after[holds.id]));
  const touched =
    changed.includes(holds.id) ||
    happened.some(({ kind, id }) => ["input", "change"].includes(kind) && id === holds.id);
  if (wanted && (touched || own.length === 1)) return "done";
  return changed.includes(holds.id) ? "altered" : "none";
}

/** Returns the last state the page told. @param {import('../soak/record.mjs').Happened[]} happened */
export function stateOf(happened) {
  const states = happened.filter(({ kind }) => kind === "state").map(({ value }) => value);
  return states.length === 0 ? undefined : Object.assign({}, ...states);
}

const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);
