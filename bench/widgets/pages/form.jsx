// What the React pages share: one state that every widget is bound to, and a button that saves it.

import { useState } from "react";
import { createRoot } from "react-dom/client";

import { save } from "./saving.mjs";

/**
 * Shows a form. `children` is given the state and a function that sets one of its fields.
 * @param {{initial: object, children: (state: any, set: (name: string, value: any) => void) => any}} of
 */
export function Form({ initial, children }) {
  const [state, setState] = useState(initial);
  const set = (name, value) => setState((old) => ({ ...old, [name]: value }));
  return (
    <>
      {children(state, set)}
      <p>
        <button type="button" onClick={() => save(state)}>
          Save
        </button>
      </p>
    </>
  );
}

export function show(element) {
  createRoot(document.getElementById("root")).render(element);
}
