// Reading back what a field holds after an act, as a digest when it is secret.

import { flatClosest, isConnected, tagOf } from "./dom.ts";
import { Look } from "./look.ts";
import { contentOf } from "./names.ts";
import { recorder } from "./recorder.ts";
import { elementOf, refOf } from "./refs.ts";
import { lookAlike } from "./resolve.ts";
import { isEditingHost } from "./roles.ts";
import { isSecret } from "./secret.ts";
import { fromHex, hmac, toHex } from "./sha256.ts";
import { checkedState, chosenLabels, chosenValues, isSection, rawValue, sectionSays, takesText } from "./values.ts";
import { cut } from "./words.ts";

const VALUE_MAX = 1_000_000;
const SAID_MAX = 200;

const NOTHING = {
  found: false,
  value: null,
  digest: null,
  checked: null,
  selected: null,
  selected_values: null,
  is_secret: false,
  files: null,
  text: null,
  said: [],
  replaced_by: null,
};

export function readBack(args: { ref: string; key: string }): Record<string, unknown> {
  const look = new Look();
  const own = elementOf(args.ref);
  // A field that its own change has replaced is read where it stands now, if only one can be it.
  const e = own ?? elementOf(lookAlike(look, args.ref)?.ref ?? "");
  if (!e) return NOTHING;
  // Typing into a part of an editor fills the editor.
  const field = flatClosest(e, isEditingHost) ?? e;
  const fields = spreadOver(field);
  const secret = isSecret(e) || fields.some(isSecret);
  const raw = fields.length > 1 ? fields.map((one) => rawValue(one) ?? "").join("") : rawValue(field);
  const checked = checkedState(look, e);
  const input = tagOf(e) === "input" ? (e as HTMLInputElement) : null;
  const files = input?.files
    ? Array.from(input.files, (file) => ({ name: file.name, size: file.size }))
    : null;
  return {
    found: true,
    value: secret || raw === null ? null : cut(raw, VALUE_MAX),
    digest: secret ? toHex(hmac(fromHex(args.key), new TextEncoder().encode(raw ?? ""))) : null,
    checked: checked === null || checked === "mixed" ? null : checked === "checked",
    selected: tagOf(e) === "select" && !secret ? chosenLabels(e as HTMLSelectElement) : null,
    selected_values: tagOf(e) === "select" && !secret ? chosenValues(e as HTMLSelectElement) : null,
    is_secret: secret,
    files,
    text: secret || raw !== null ? null : contentOf(look, e),
    said: isSection(look, e) && !secret ? sectionSays(e).map((said) => cut(said, SAID_MAX)) : [],
    replaced_by: own ? null : refOf(e),
  };
}

/** The boxes that one text went into, where the page moved the focus from the field to the next. */
function spreadOver(field: Element): Element[] {
  const { act } = recorder;
  const all = act?.fields.filter((one) => isConnected(one) && takesText(one)) ?? [];
  return all.length > 1 && all[0] === field ? all : [field];
}
