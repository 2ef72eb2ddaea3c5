// Text as the reader is shown it: white space collapsed, icon glyphs left out, lengths bounded.

export const NAME_MAX = 1000;
export const CHANGE_MAX = 200;

const SPACES = /[\s\u00a0]+/g;
// Private use areas hold icon glyphs; they say nothing to whoever cannot see the font.
const GLYPHS = /[\ue000-\uf8ff]|[\u{f0000}-\u{10fffd}]/gu;
const HAS_GLYPH = /[\ue000-\uf8ff\udb80-\udbff]/;
const UNEVEN = /[\t\n\f\r\u00a0]| {2}/;
const LETTER = /\p{L}/u;
const WORD = /[\p{L}\p{N}]/u;

/** Removes icon glyphs. */
export const readable = (text: string): string => (HAS_GLYPH.test(text) ? text.replace(GLYPHS, "") : text);

/** Collapses white space and trims. */
export function collapse(text: string): string {
  const clean = readable(text);
  return (UNEVEN.test(clean) ? clean.replace(SPACES, " ") : clean).trim();
}

/** Cuts to `max` characters, the last of which then is an ellipsis; never through a pair. */
export function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  const last = text.charCodeAt(max - 2);
  const end = last >= 0xd800 && last <= 0xdbff ? max - 2 : max - 1;
  return `${text.slice(0, end)}…`;
}

/** Folds for comparison: collapsed and without case. */
export const fold = (text: string): string => collapse(text).toLowerCase();

export const hasLetter = (text: string): boolean => LETTER.test(text);
export const hasWord = (text: string): boolean => WORD.test(text);

/** Whether `part` occurs in `whole` as whole words, without case. */
export function holdsWords(whole: string, part: string): boolean {
  const text = fold(whole);
  const wanted = fold(part);
  if (wanted === "") return false;
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) {
    const before = text.charAt(at - 1);
    const after = text.charAt(at + wanted.length);
    const opens = !WORD.test(wanted.charAt(0)) || !WORD.test(before);
    const closes = !WORD.test(wanted.charAt(wanted.length - 1)) || !WORD.test(after);
    if (opens && closes) return true;
  }
  return false;
}
