// From a target to exactly one element, and everything that must be known before acting on it.
//
// INVARIANT: nothing is guessed. A ref whose element is gone stays gone, even when a namesake stands
// in its place; two elements that answer a description are told as two.

import { attr, flatClosest, frameElementOf, has, ownerOf, queryAll, tagOf, viewOf } from "./dom.ts";
import { isNear, named } from "./find.ts";
import { clipOf, hitAt, isControl, type Point } from "./hit.ts";
import { isEmpty, Look, meet, toBox } from "./look.ts";
import { nameOf } from "./names.ts";
import { outerOrigin } from "./outer.ts";
import { type Expect, holdsNow } from "./predicate.ts";
import { findOption, isMoving, MOVING, readiness } from "./ready.ts";
import { elementOf, lastMeaning, refOf, remember, sameMeaning, type Subject } from "./refs.ts";
import { inputType, isEditingHost, roleOf } from "./roles.ts";
import { everyElement } from "./scan.ts";
import { isSecret } from "./secret.ts";
import { pinnedBy, subjectOf } from "./subject.ts";
import { checkedState, chosenLabels, isClickable, shownValue, statesOf, takesText } from "./values.ts";
import { isPerceivable, type Sight, sightOf } from "./visible.ts";
import { cut, fold } from "./words.ts";

const MATCHES_MAX = 10;
const VALUE_MAX = 10_000;

export interface Target {
  ref?: string | null;
  role?: string | null;
  name?: string | null;
  near?: string | null;
  point?: Point | null;
}

export interface ResolveArgs {
  target: Target;
  action: string | null;
  values: string[] | null;
  text_kind: string | null;
  expect: Expect | null;
}

type Answer = Record<string, unknown>;

export async function resolve(args: ResolveArgs): Promise<Answer> {
  const look = new Look();
  const { target } = args;
  if (target.ref) {
    const e = elementOf(target.ref);
    if (e) return found(look, e, args, null);
    return { kind: "gone", reason: "element_gone", look_alike: lookAlike(look, target.ref) };
  }
  if (target.point) {
    const e = hitAt(look, target.point);
    return e ? found(look, operable(look, e), args, target.point) : { kind: "none" };
  }
  const all = described(look, target);
  const [only] = all;
  if (!only) return { kind: "none" };
  if (all.length === 1) return found(look, only, args, null);
  const matches = all.slice(0, MATCHES_MAX).map((e) => named(look, e));
  return { kind: "several", total: all.length, matches };
}

/** The control that a press on `e` operates, else `e`. */
const operable = (look: Look, e: Element): Element =>
  flatClosest(e, (at) => isControl(look, at) || isClickable(look, at, roleOf(look, at))) ?? e;

/** Elements answering the description; hidden ones only when there are no others. */
function described(look: Look, target: Target): Element[] {
  const role = target.role?.toLowerCase() ?? null;
  const name = target.name == null ? null : fold(target.name);
  const all = everyElement.filter((e) => {
    const own = roleOf(look, e);
    if (role !== null && (own ?? "generic") !== role) return false;
    if (role === null && (own === null || own === "none")) return false;
    if (name !== null && fold(nameOf(look, e, own).text) !== name) return false;
    return target.near == null || isNear(look, e, target.near);
  });
  const read = all.filter((e) => isPerceivable(look, e));
  if (read.length > 0) return read;
  // What is kept from readers but can be seen, then what cannot be seen either.
  const seen = all.filter((e) => sightOf(look, e).ok);
  return seen.length > 0 ? seen : all;
}

/** The one element that means what the lost one last meant, if there is exactly one. */
export function lookAlike(look: Look, ref: string): { ref: string; subject: Subject } | null {
  const meant = lastMeaning(ref);
  if (!meant) return null;
  const name = meant.name ?? "";
  const alike = everyElement.filter((e) => {
    const role = roleOf(look, e);
    if ((role ?? "generic") !== meant.role || nameOf(look, e, role).text !== name) return false;
    return sameMeaning(subjectOf(look, e), meant) && isPerceivable(look, e);
  });
  const [only] = alike;
  return only && alike.length === 1 ? { ref: refOf(only), subject: subjectOf(look, only) } : null;
}

async function found(look: Look, e: Element, args: ResolveArgs, point: Point | null): Promise<Answer> {
  const action = args.action ?? "";
  const values = args.values ?? [];
  const ref = refOf(e);
  // Asked before this look is remembered, or it would always agree.
  const meant = lastMeaning(ref);
  const subject = subjectOf(look, e);
  if (!meant) remember(ref, subject);
  const sight = sightFor(action, sightOf(look, e));
  let ready = readiness(look, e, action, values, sight);
  if (ready.ok && sight.ok && (await isMoving(e))) ready = MOVING;
  const element: Answer = {
    ref,
    subject,
    last_seen: meant,
    ...sightFacts(look, e, sight, point),
    ready,
    states: statesOf(look, e, isClickable(look, e, roleOf(look, e))),
    ...fieldFacts(look, e, values),
    ...linkFacts(e),
    ...formFacts(look, e),
    expect_held: holdsNow(look, args.expect, e),
    pinned: pinnedBy(look, e) !== null,
    satisfied: isSatisfied(look, e, action, values),
    frame_origin: originOf(ownerOf(e)),
  };
  return { kind: "found", element };
}

// What goes to the focus or is set by script does not have to be hit.
const NEEDS_NO_HIT = /^(fill|type|press|select)$/;

const sightFor = (action: string, sight: Sight): Sight =>
  sight.isByHost && NEEDS_NO_HIT.test(action) ? { ...sight, ok: true, reason: null, cover: null } : sight;

/** The origin that answers for a document: of one without its own, that of the document above. */
export function originOf(d: Document): string {
  for (let at: Document | null = d; at;) {
    const origin = viewOf(at)?.location.origin ?? "null";
    if (origin !== "null") return origin;
    const frame = frameElementOf(at);
    at = frame ? ownerOf(frame) : null;
  }
  return outerOrigin() ?? "null";
}

function sightFacts(look: Look, e: Element, sight: Sight, point: Point | null): Answer {
  const edges = look.edges(e);
  return {
    box: toBox(edges),
    point: point ?? sight.point,
    in_viewport: sight.isInView || !isEmpty(meet(edges, clipOf(look, e))),
    visible: { ok: sight.ok, reason: sight.reason, cover: sight.cover },
    cover_ok_label: sight.isByLabel,
  };
}

function fieldFacts(look: Look, e: Element, values: string[]): Answer {
  const tag = tagOf(e);
  const type = tag === "input" ? inputType(e) : null;
  const isSecretField = isSecret(e);
  const max = tag === "input" || tag === "textarea" ? (e as HTMLInputElement).maxLength : -1;
  const checked = checkedState(look, e);
  const select = tag === "select" ? (e as HTMLSelectElement) : null;
  const value = shownValue(e);
  return {
    input_type: type,
    is_secret: isSecretField,
    takes_text: takesText(e),
    is_editable_host: isEditingHost(e),
    max_length: max >= 0 ? max : null,
    checked: checked === null || checked === "mixed" ? null : checked === "checked",
    selected: select && !isSecretField ? chosenLabels(select).slice(0, 100) : null,
    value: value === null ? null : cut(value, VALUE_MAX),
    options_found: select !== null && values.every((wanted) => findOption(select, wanted) !== null),
    opens: type === "file" || type === "color" || type === "date" ? type : null,
  };
}

function linkFacts(e: Element): Answer {
  const link = flatClosest(e, (at) => /^(a|area)$/.test(tagOf(at)) && has(at, "href"));
  const href = link ? (link as HTMLAnchorElement).href : null;
  return {
    href: typeof href === "string" ? cut(href, 4000) : null,
    download: link !== null && has(link, "download"),
    target_blank: link !== null && (attr(link, "target") ?? "").toLowerCase() === "_blank",
  };
}

function formFacts(look: Look, e: Element): Answer {
  const tag = tagOf(e);
  const pressed = flatClosest(e, (at) => tagOf(at) === "button") ?? e;
  const submits = isSubmitter(pressed);
  const owner = /^(input|select|textarea|button)$/.test(tagOf(pressed))
    ? (pressed as HTMLInputElement).form
    : null;
  if (!owner) return { submits: false, form: null, default_button: null };
  const submitter = submits ? pressed : defaultButton(owner);
  const form = {
    method: ((submitter && attr(submitter, "formmethod")) || attr(owner, "method") || "get").toLowerCase(),
    action: resolved((submitter && attr(submitter, "formaction")) || attr(owner, "action"), ownerOf(owner)),
    password_fields: queryAll(owner, 'input[type="password" i]').length,
  };
  const button = tag === "input" && takesText(e) ? defaultButton(owner) : null;
  const name = button && { ref: refOf(button), name: nameOf(look, button).text };
  return { submits, form, default_button: name };
}

function resolved(action: string | null, owner: Document): string {
  const page = viewOf(owner)?.location.href ?? location.href;
  if (!action) return page;
  try {
    return cut(new URL(action, owner.baseURI).href, 4000);
  } catch {
    return cut(action, 4000);
  }
}

function isSubmitter(e: Element): boolean {
  const tag = tagOf(e);
  if (tag === "button")
    return (e as HTMLButtonElement).type === "submit" && (e as HTMLButtonElement).form !== null;
  return tag === "input" && /^(submit|image)$/.test(inputType(e)) && (e as HTMLInputElement).form !== null;
}

/** The submit button that Enter in a field of the form would press. */
function defaultButton(form: HTMLFormElement): Element | null {
  const id = attr(form, "id");
  const inside = queryAll(form, "button,input").filter(isSubmitter);
  if (inside[0] || !id) return inside[0] ?? null;
  const all = queryAll(ownerOf(form), "button[form],input[form]");
  return all.find((e) => attr(e, "form") === id && isSubmitter(e)) ?? null;
}

function isSatisfied(look: Look, e: Element, action: string, values: string[]): boolean {
  const state = checkedState(look, e);
  if (action === "check") return state === "checked";
  if (action === "uncheck") return state === "unchecked";
  if (action !== "select" || tagOf(e) !== "select" || values.length === 0) return false;
  const select = e as HTMLSelectElement;
  const wanted = new Set(values.map((value) => findOption(select, value)));
  const chosen = Array.from(select.selectedOptions);
  return wanted.size === chosen.length && chosen.every((option) => wanted.has(option));
}
