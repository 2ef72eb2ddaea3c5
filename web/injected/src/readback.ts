// Reading back what a field holds after an act, as a digest when it is secret.

import { flatClosest, tagOf } from "./dom.ts";
import { Look } from "./look.ts";
import { contentOf } from "./names.ts";
import { elementOf } from "./refs.ts";
import { isEditingHost } from "./roles.ts";
import { isSecret } from "./secret.ts";
import { fromHex, hmac, toHex } from "./sha256.ts";
import { checkedState, chosenLabels, rawValue } from "./values.ts";
import { cut } from "./words.ts";

const VALUE_MAX = 1_000_000;

export function readBack(args: { ref: string; key: string }): Record<string, unknown> {
  const e = elementOf(args.ref);
  if (!e) {
    return {
      found: false,
      value: null,
      digest: null,
      checked: null,
      selected: null,
      is_secret: false,
      files: null,
      text: null,
    };
  }
  const look = new Look();
  // Typing into a part of an editor fills the editor.
  const field = flatClosest(e, isEditingHost) ?? e;
  const secret = isSecret(field) || isSecret(e);
  const raw = rawValue(field);
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
    is_secret: secret,
    files,
    text: secret || raw !== null ? null : contentOf(look, e),
  };
}
