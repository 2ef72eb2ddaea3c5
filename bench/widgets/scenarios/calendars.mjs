// Dates: typed, pressed in a calendar, and in fields of sections.

import { button, on, textbox } from "./words.mjs";

const picker = on("react-datepicker", { day: "2026-03-10", typed: null });
const day = (name) => ({ role: ["gridcell", "option", "button"], name });

const ofPicker = [
  picker("press a day", { day: "2026-03-24" }, async (hand) => {
    await hand.click(textbox("Day"));
    await hand.click(day("Choose Tuesday, March 24th, 2026"));
  }),
  picker("turn the month", { day: "2026-04-02" }, async (hand) => {
    await hand.click(textbox("Day"));
    await hand.click(button("Next Month"));
    await hand.click(day("Choose Thursday, April 2nd, 2026"));
  }),
  picker("type a date", { typed: "2026-12-05" }, async (hand) => {
    await hand.fill(textbox("Until"), "05.12.2026");
    await hand.press("Enter");
  }),
];

const flat = on("flatpickr", {
  start: ["2026-03-10"],
  typed: [],
  stay: ["2026-05-04", "2026-05-05"],
});

const ofFlat = [
  flat("press a day", { start: ["2026-03-19"] }, async (hand) => {
    await hand.click(textbox("Start"));
    await hand.click(day("March 19, 2026"));
  }),
  flat("fill the field that only its calendar fills", { start: ["2026-03-10"] }, (hand) => hand.fill(textbox("Start"), "2026-03-19"), {
    mustTell: true,
  }),
  flat("type a date", { typed: ["2026-08-01"] }, async (hand) => {
    await hand.fill(textbox("Typed"), "2026-08-01");
    await hand.press("Enter");
  }),
  flat("choose a stay", { stay: ["2026-05-11", "2026-05-15"] }, async (hand) => {
    await hand.click(textbox("Stay"));
    await hand.click(day("May 11, 2026"));
    await hand.click(day("May 15, 2026"));
  }),
];

const antd = on("antd", {
  name: "",
  city: undefined,
  tags: [],
  street: "",
  day: null,
  place: undefined,
  unit: undefined,
  count: 3,
  open: false,
  size: "small",
  level: 20,
});

const ofAntd = [
  antd("type a date", { day: "2026-02-28" }, async (hand) => {
    await hand.fill(textbox("Day"), "2026-02-28");
    await hand.press("Enter");
  }),
  antd("press a day", { day: (held) => /-15$/.test(held) }, async (hand) => {
    await hand.click(textbox("Day"));
    await hand.click({ role: ["gridcell", "cell", "generic"], name: "15" });
  }),
];

const mui = on("mui", {
  title: "",
  notes: "",
  age: "",
  film: null,
  tags: [],
  level: 30,
  lamp: false,
  day: null,
  sent: null,
  stars: 2,
});

const ofMui = [
  mui("type into the sections of a date", { day: "2026-02-28" }, async (hand) => {
    await hand.click({ role: "group", name: "Due" }, { unseen: true });
    await hand.type(null, "02282026");
  }),
  mui("fill the sections of a date", { day: "2026-02-28" }, async (hand) => {
    await hand.click({ role: "group", name: "Due" }, { unseen: true });
    for (const [name, digits] of Object.entries({ Month: "02", Day: "28", Year: "2026" })) {
      await hand.fill({ role: "spinbutton", name }, digits);
    }
  }),
  mui("press a day", { day: (held) => /-15$/.test(held) }, async (hand) => {
    await hand.click(button("Choose date"));
    await hand.click({ role: ["gridcell", "button"], name: "15" });
  }),
  mui("press a day in a dialog", { sent: (held) => /-15$/.test(held) }, async (hand) => {
    await hand.click({ ...button("Choose date"), near: '"Sent"' });
    await hand.click({ role: ["gridcell", "button"], name: "15" });
    await hand.click(button("OK"));
  }),
];

export const scenarios = [...ofPicker, ...ofFlat, ...ofAntd, ...ofMui];
