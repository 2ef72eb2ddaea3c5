// flatpickr: a calendar on a read-only field, one on a typed field, and one of a range.

import flatpickr from "flatpickr";
import "flatpickr/dist/flatpickr.css";

import { put, saveButton } from "./saving.mjs";

const root = put(`
  <p><label>Start <input id="start"></label></p>
  <p><label>Typed <input id="typed"></label></p>
  <p><label>Stay <input id="stay"></label></p>`);
const start = flatpickr("#start", { defaultDate: "2026-03-10" });
const typed = flatpickr("#typed", { allowInput: true });
const stay = flatpickr("#stay", { mode: "range", defaultDate: ["2026-05-04", "2026-05-05"] });
const days = (picker) => picker.selectedDates.map((day) => picker.formatDate(day, "Y-m-d"));
saveButton(root, () => ({ start: days(start), typed: days(typed), stay: days(stay) }));
