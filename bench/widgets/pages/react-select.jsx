// react-select: one of many, several, and one that makes new options.

import Select from "react-select";
import Creatable from "react-select/creatable";

import { Form, show } from "./form.jsx";

const options = ["Apple", "Banana", "Cherry", "Damson", "Elderberry", "Fig", "Grape"].map((each) => ({
  value: each.toLowerCase(),
  label: each,
}));

show(
  <Form initial={{ one: null, many: ["fig"], made: null, cleared: "grape" }}>
    {(state, set) => (
      <div style={{ width: 400, minHeight: 560 }}>
        <Picker label="Fruit" state={state} set={set} name="one" />
        <label id="many-label">Basket</label>
        <Select
          isMulti
          aria-labelledby="many-label"
          options={options}
          value={state.many.map((name) => options.find((each) => each.value === name))}
          onChange={(chosen) => set("many", chosen.map((each) => each.value))}
        />
        <label id="made-label">Label</label>
        <Creatable
          aria-labelledby="made-label"
          options={options}
          onChange={(chosen) => set("made", chosen === null ? null : chosen.value)}
        />
        <Picker label="Extra" state={state} set={set} name="cleared" isClearable />
      </div>
    )}
  </Form>,
);

function Picker({ label, state, set, name, isClearable = false }) {
  return (
    <>
      <label id={`${name}-label`}>{label}</label>
      <Select
        isClearable={isClearable}
        aria-labelledby={`${name}-label`}
        options={options}
        value={options.find((each) => each.value === state[name]) ?? null}
        onChange={(chosen) => set(name, chosen === null ? null : chosen.value)}
      />
    </>
  );
}
