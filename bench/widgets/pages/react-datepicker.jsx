// react-datepicker: a field that takes a typed date, and a calendar to press days in.

import DatePicker from "react-datepicker";
import "react-datepicker/dist/react-datepicker.css";

import { Form, show } from "./form.jsx";

const two = (number) => String(number).padStart(2, "0");
const text = (day) =>
  day === null ? null : `${String(day.getFullYear()).padStart(4, "0")}-${two(day.getMonth() + 1)}-${two(day.getDate())}`;

show(
  <Form initial={{ day: "2026-03-10", typed: null }}>
    {(state, set) => (
      <div style={{ minHeight: 420 }}>
        <p>
          <label htmlFor="day">Day</label>
          <DatePicker
            id="day"
            dateFormat="yyyy-MM-dd"
            selected={new Date(`${state.day}T12:00:00`)}
            onChange={(day) => set("day", text(day))}
          />
        </p>
        <p>
          <label htmlFor="typed">Until</label>
          <DatePicker
            id="typed"
            dateFormat="dd.MM.yyyy"
            selected={state.typed === null ? null : new Date(`${state.typed}T12:00:00`)}
            onChange={(day) => set("typed", text(day))}
          />
        </p>
      </div>
    )}
  </Form>,
);
