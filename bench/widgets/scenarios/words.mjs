// The words scenarios name things with.

const named = (role) => (name, near) => ({ role, name, ...(near === undefined ? {} : { near }) });

export const button = named("button");
export const textbox = named(["textbox", "searchbox"]);
export const number = named("spinbutton");
export const combobox = named(["combobox", "textbox", "button"]);
export const listbox = named("listbox");
export const option = named(["option", "menuitem", "treeitem", "menuitemcheckbox"]);
export const checkbox = named(["checkbox", "switch"]);
export const radio = named("radio");
export const slider = named("slider");
/** Browsers call these by names of their own. */
export const timed = named(["textbox", "Date", "InputTime", "DateTime", "ColorWell"]);

/** Makes the scenarios of one page. @param {string} page @param {Record<string, any>} initial */
export function on(page, initial) {
  return (name, want, act, more = {}) => ({ page, name, initial, want, act, ...more });
}
