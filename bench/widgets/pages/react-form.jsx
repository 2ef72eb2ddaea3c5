// A form of controlled fields: React writes back what it holds after every event.

import { useEffect, useRef } from "react";

import { Form, show } from "./form.jsx";

const initial = {
  name: "",
  email: "old@example.test",
  code: "",
  digits: "",
  amount: "1",
  bio: "",
  color: "Red",
  sizes: [],
  agree: false,
  news: true,
  plan: "free",
  day: "",
  time: "",
  month: "",
  week: "",
  moment: "",
  paint: "#000000",
  volume: "50",
  first: false,
  second: true,
};

const PLANS = ["free", "team", "firm"];
const SIZES = ["Small", "Medium", "Large", "Huge"];

function Field({ label, name, state, set, type = "text", keep = (text) => text, ...more }) {
  return (
    <p>
      <label>
        {label}{" "}
        <input
          type={type}
          value={state[name]}
          onChange={(event) => set(name, keep(event.target.value))}
          {...more}
        />
      </label>
    </p>
  );
}

/** A box that is neither checked nor unchecked while only some of its parts are. */
function All({ state, set }) {
  const box = useRef(null);
  const all = state.first && state.second;
  const none = !state.first && !state.second;
  useEffect(() => {
    box.current.indeterminate = !all && !none;
  });
  const both = (event) => {
    set("first", event.target.checked);
    set("second", event.target.checked);
  };
  return (
    <fieldset>
      <legend>Parts</legend>
      <label>
        <input ref={box} type="checkbox" checked={all} onChange={both} /> All parts
      </label>
      {["first", "second"].map((part) => (
        <label key={part}>
          <input
            type="checkbox"
            checked={state[part]}
            onChange={(event) => set(part, event.target.checked)}
          />{" "}
          Part {part}
        </label>
      ))}
    </fieldset>
  );
}

/** A box that is not shown itself: a person presses its label. */
function HiddenBox({ state, set }) {
  return (
    <p>
      <input
        id="news"
        type="checkbox"
        className="behind"
        checked={state.news}
        onChange={(event) => set("news", event.target.checked)}
      />
      <label htmlFor="news" className="box">
        Newsletter
      </label>
    </p>
  );
}

show(
  <Form initial={initial}>
    {(state, set) => (
      <>
        <style>{`.behind { position: absolute; opacity: 0; width: 0; height: 0 }
          .box { padding: 4px 8px; border: 1px solid #888; border-radius: 4px }
          .behind:checked + .box { background: #cde }`}</style>
        <Field label="Name" name="name" state={state} set={set} />
        <Field label="E-mail" name="email" type="email" state={state} set={set} />
        <Field label="Code" name="code" keep={(t) => t.toUpperCase()} state={state} set={set} />
        <Field
          label="Digits"
          name="digits"
          keep={(text) => text.replace(/\D/g, "")}
          state={state}
          set={set}
        />
        <Field label="Amount" name="amount" type="number" min="1" max="99" state={state} set={set} />
        <p>
          <label>
            About you{" "}
            <textarea value={state.bio} onChange={(event) => set("bio", event.target.value)} />
          </label>
        </p>
        <p>
          <label>
            Color{" "}
            <select value={state.color} onChange={(event) => set("color", event.target.value)}>
              {["Red", "Green", "Blue"].map((color) => (
                <option key={color}>{color}</option>
              ))}
            </select>
          </label>{" "}
          <label>
            Sizes{" "}
            <select
              multiple
              value={state.sizes}
              onChange={(event) =>
                set(
                  "sizes",
                  [...event.target.selectedOptions].map((option) => option.value),
                )
              }
            >
              {SIZES.map((size) => (
                <option key={size}>{size}</option>
              ))}
            </select>
          </label>
        </p>
        <p>
          <label>
            <input
              type="checkbox"
              checked={state.agree}
              onChange={(event) => set("agree", event.target.checked)}
            />{" "}
            I agree
          </label>
        </p>
        <HiddenBox state={state} set={set} />
        <fieldset>
          <legend>Plan</legend>
          {PLANS.map((plan) => (
            <label key={plan}>
              <input
                type="radio"
                name="plan"
                checked={state.plan === plan}
                onChange={() => set("plan", plan)}
              />{" "}
              {plan}
            </label>
          ))}
        </fieldset>
        <Field label="Day" name="day" type="date" state={state} set={set} />
        <Field label="Time" name="time" type="time" state={state} set={set} />
        <Field label="Month" name="month" type="month" state={state} set={set} />
        <Field label="Week" name="week" type="week" state={state} set={set} />
        <Field label="Moment" name="moment" type="datetime-local" state={state} set={set} />
        <Field label="Paint" name="paint" type="color" state={state} set={set} />
        <Field label="Volume" name="volume" type="range" state={state} set={set} />
        <All state={state} set={set} />
      </>
    )}
  </Form>,
);
