// Makes cases: a body, a step, and what is right.

/**
 * Makes a maker of cases of one kind.
 * @param {string} kind
 * @returns {(name: string, body: any, act?: any, more?: any) => import('../corpus.mjs').Case}
 *   `body` is what stands between the heading and the end of the page, or a function of the place
 *   that returns it or all routes.
 */
export const kind =
  (its) =>
  (name, body, act, { title = "Case", ...more } = {}) => {
    const live = (more.before ?? []).some(({ tell }) => tell !== undefined);
    const routes = (place) => {
      const made = typeof body === "function" ? body(place) : body;
      return typeof made === "string" ? { "": place.page(title, made, { live }) } : made;
    };
    const effect = more.effect ?? (more.holds === undefined ? "ok" : undefined);
    return { name, kind: its, routes, act, want: "done", ...more, effect };
  };

export const click = (name, role = "button", more = {}) => ({ do: "click", role, name, ...more });
export const fill = (name, text, role = "textbox", more = {}) => ({
  do: "fill",
  role,
  name,
  text,
  ...more,
});
export const type = (name, text, role = "textbox", more = {}) => ({
  do: "type",
  role,
  name,
  text,
  ...more,
});
export const press = (key) => ({ do: "press", key });
export const select = (name, ...values) => ({ do: "select", role: "combobox", name, values });
export const check = (name, role = "checkbox") => ({ do: "check", role, name });
export const uncheck = (name, role = "checkbox") => ({ do: "uncheck", role, name });

/** A button that works. */
export const GO = `<button onclick="hit('ok')">Go</button>`;
export const script = (text) => `<script>${text}</script>`;
/** A page of another document of a case, with a record of its own. */
export const frame = (place, name, body) =>
  `<!doctype html><meta charset="utf-8"><title>${name}</title>${place.script({ name })}<output id="out">nothing yet</output>${body}`;
