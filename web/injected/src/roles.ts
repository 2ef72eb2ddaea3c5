// The role of an element: its `role` attribute if that names one, else what its tag implies.
//
// Names of things ARIA has no role for are kept to four: `canvas`, `iframe`, `video`, `audio`.

import { attr, firstOf, flatParent, has, isBare, isElement, isFrame, nextOf, tagOf } from "./dom.ts";
import type { Look } from "./look.ts";
import { nameOf } from "./names.ts";

const KNOWN = new Set(
  (
    "alert alertdialog application article banner blockquote button caption cell checkbox code " +
    "columnheader combobox complementary contentinfo definition deletion dialog document emphasis " +
    "feed figure form generic grid gridcell group heading img insertion link list listbox listitem " +
    "log main mark marquee math menu menubar menuitem menuitemcheckbox menuitemradio meter " +
    "navigation none note option paragraph presentation progressbar radio radiogroup region row " +
    "rowgroup rowheader scrollbar search searchbox separator slider spinbutton status strong " +
    "subscript superscript switch tab table tablist tabpanel term textbox time timer toolbar " +
    "tooltip tree treegrid treeitem"
  ).split(" "),
);

/** Roles a person operates. */
export const CONTROLS = new Set(
  (
    "button checkbox combobox gridcell link listbox menuitem menuitemcheckbox menuitemradio option " +
    "radio searchbox slider spinbutton switch tab textbox treeitem scrollbar"
  ).split(" "),
);

/** Controls of plain HTML and ARIA, for counting what is hidden. */
export const CONTROL_SELECTOR =
  "button,a[href],input:not([type=hidden]),select,textarea,summary,[role=button],[role=link]," +
  "[role=checkbox],[role=radio],[role=switch],[role=tab],[role=menuitem],[role=option]," +
  "[role=textbox],[role=combobox],[role=slider],[onclick]";

/** Roles whose content is their name, so that it is not shown a second time. */
export const NAMED_BY_CONTENT = new Set(
  (
    "button checkbox heading link menuitem menuitemcheckbox menuitemradio option radio switch tab " +
    "tooltip treeitem"
  ).split(" "),
);

// A map, because a page may name an element after a property of every object.
const BY_TAG = new Map(Object.entries({
  article: "article",
  aside: "complementary",
  audio: "audio",
  blockquote: "blockquote",
  button: "button",
  canvas: "canvas",
  caption: "caption",
  datalist: "listbox",
  dd: "definition",
  details: "group",
  dialog: "dialog",
  dt: "term",
  fieldset: "group",
  figure: "figure",
  frame: "iframe",
  h1: "heading",
  h2: "heading",
  h3: "heading",
  h4: "heading",
  h5: "heading",
  h6: "heading",
  hr: "separator",
  html: "document",
  iframe: "iframe",
  li: "listitem",
  main: "main",
  math: "math",
  menu: "list",
  meter: "meter",
  nav: "navigation",
  ol: "list",
  optgroup: "group",
  option: "option",
  output: "status",
  progress: "progressbar",
  search: "search",
  summary: "button",
  table: "table",
  tbody: "rowgroup",
  textarea: "textbox",
  tfoot: "rowgroup",
  thead: "rowgroup",
  tr: "row",
  ul: "list",
  video: "video",
}));

const BY_INPUT: Record<string, string> = {
  button: "button",
  checkbox: "checkbox",
  file: "button",
  image: "button",
  number: "spinbutton",
  radio: "radio",
  range: "slider",
  reset: "button",
  search: "searchbox",
  submit: "button",
};

const SECTIONING = new Set(["article", "aside", "main", "nav", "section"]);

export const inputType = (e: Element): string => (e as HTMLInputElement).type;

/** Whether the element itself starts an editable region. */
export function isEditingHost(e: Element): boolean {
  const value = attr(e, "contenteditable");
  if (value === null) return false;
  const word = value.toLowerCase();
  return word === "" || word === "true" || word === "plaintext-only";
}

export function roleOf(look: Look, e: Element): string | null {
  const role = look.roles.get(e);
  return role === undefined ? firstRoleOf(look, e, tagOf(e), isBare(e)) : role;
}

/** The same for whoever knows the tag already, and whether there is any attribute. */
export function roleIn(look: Look, e: Element, tag: string, hasNone: boolean): string | null {
  const role = look.roles.get(e);
  return role === undefined ? firstRoleOf(look, e, tag, hasNone) : role;
}

function firstRoleOf(look: Look, e: Element, tag: string, hasNone: boolean): string | null {
  const role = (hasNone ? null : explicitRole(e)) ?? impliedRole(look, e, tag);
  look.roles.set(e, role);
  return role;
}

function explicitRole(e: Element): string | null {
  const value = attr(e, "role");
  if (value === null) return null;
  for (const word of value.toLowerCase().split(/\s+/, 20)) {
    if (!KNOWN.has(word)) continue;
    if (word !== "none" && word !== "presentation") return word === "generic" ? null : word;
    // A control cannot be declared away: it stays operable, so it stays listed.
    return isFocusable(e) ? null : "none";
  }
  return null;
}

export function isFocusable(e: Element): boolean {
  if (has(e, "tabindex")) return true;
  const tag = tagOf(e);
  if (tag === "a" || tag === "area") return has(e, "href");
  return /^(button|input|select|textarea|summary|iframe)$/.test(tag) || isEditingHost(e);
}

function impliedRole(look: Look, e: Element, tag: string): string | null {
  switch (tag) {
    case "a":
    case "area":
      return has(e, "href") ? "link" : null;
    case "input":
      return inputRole(e);
    case "object":
    case "embed":
      return isFrame(e) ? "iframe" : null;
    case "select":
      return has(e, "multiple") || (e as HTMLSelectElement).size > 1 ? "listbox" : "combobox";
    case "img":
      return attr(e, "alt") === "" && !has(e, "aria-label") ? "none" : "img";
    case "svg":
      return nameOf(look, e).text === "" ? null : "img";
    case "form":
    case "section":
      return namedRole(look, e, tag === "form" ? "form" : "region");
    case "header":
    case "footer":
      return isInSection(e) ? null : tag === "header" ? "banner" : "contentinfo";
    case "td":
    case "th":
      return cellRole(e, tag);
  }
  return BY_TAG.get(tag) ?? (isEditingHost(e) ? "textbox" : null);
}

/** A form or section is a landmark only when something names it. */
function namedRole(look: Look, e: Element, role: string): string | null {
  if (!has(e, "aria-label") && !has(e, "aria-labelledby") && !has(e, "title")) return null;
  return nameOf(look, e, role).text === "" ? null : role;
}

function inputRole(e: Element): string | null {
  const type = inputType(e);
  if (type === "hidden") return null;
  const role = BY_INPUT[type];
  if (role === "checkbox" && attr(e, "switch") !== null) return "switch";
  if (role && role !== "searchbox") return role;
  return has(e, "list") ? "combobox" : (role ?? "textbox");
}

function cellRole(e: Element, tag: string): string {
  if (tag === "td") return "cell";
  const scope = attr(e, "scope");
  if (scope === "row" || scope === "rowgroup") return "rowheader";
  if (scope === "col" || scope === "colgroup") return "columnheader";
  const row = flatParent(e);
  if (!row) return "columnheader";
  for (let cell = firstOf(row); cell; cell = nextOf(cell)) {
    if (isElement(cell) && tagOf(cell) === "td") return "rowheader";
  }
  return "columnheader";
}

function isInSection(e: Element): boolean {
  for (let at = flatParent(e); at; at = flatParent(at)) {
    if (SECTIONING.has(tagOf(at))) return true;
  }
  return false;
}

export function headingLevel(e: Element): number {
  const given = Number(attr(e, "aria-level"));
  if (Number.isInteger(given) && given > 0 && given < 100) return given;
  const match = /^h([1-6])$/.exec(tagOf(e));
  return match ? Number(match[1]) : 2;
}
