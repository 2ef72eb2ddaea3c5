// Forms of plain and formatted fields.

import { checkbox, listbox, combobox, number, on, radio, slider, textbox, timed } from "./words.mjs";

const react = on("react-form", {
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
});

const ofReact = [
  react("fill an empty field", { name: "Ada Byron" }, (hand) => hand.fill(textbox("Name"), "Ada Byron")),
  react("replace what a field holds", { email: "new@example.test" }, (hand) =>
    hand.fill(textbox("E-mail"), "new@example.test"),
  ),
  react("clear a field", { email: "" }, (hand) => hand.fill(textbox("E-mail"), "")),
  react("type key by key", { name: "Zoë" }, (hand) => hand.type(textbox("Name"), "Zoë")),
  react("fill a field that is made upper case", { code: "AB12" }, (hand) =>
    hand.fill(textbox("Code"), "ab12", { takes: "AB12" }),
  ),
  react(
    "fill a field that keeps digits alone",
    { digits: "1234" },
    (hand) => hand.fill(textbox("Digits"), "12ab34", { takes: "1234" }),
    { mustTell: true },
  ),
  react("fill several lines", { bio: "one\ntwo" }, (hand) => hand.fill(textbox("About you"), "one\ntwo")),
  react("fill a number", { amount: "42" }, (hand) => hand.fill(number("Amount"), "42")),
  react("choose an option", { color: "Blue" }, (hand) => hand.select(combobox("Color"), ["Blue"])),
  react("choose several options", { sizes: ["Small", "Large"] }, (hand) =>
    hand.select(listbox("Sizes"), ["Small", "Large"]),
  ),
  react("check a box", { agree: true }, (hand) => hand.check(checkbox("I agree"))),
  react("uncheck a box behind its label", { news: false }, (hand) => hand.uncheck(checkbox("Newsletter"))),
  react("choose a radio button", { plan: "firm" }, (hand) => hand.check(radio("firm"))),
  react("check a box of three states", { first: true, second: true }, (hand) =>
    hand.check(checkbox("All parts")),
  ),
  react("fill a date", { day: "2026-02-28" }, (hand) => hand.fill(timed("Day"), "2026-02-28")),
  react("fill a time", { time: "14:05" }, (hand) => hand.fill(timed("Time"), "14:05")),
  react("fill a month", { month: "2026-11" }, (hand) => hand.fill(timed("Month"), "2026-11")),
  react("fill a week", { week: "2026-W07" }, (hand) => hand.fill(timed("Week"), "2026-W07")),
  react("fill a date with a time", { moment: "2026-02-28T14:05" }, (hand) =>
    hand.fill(timed("Moment"), "2026-02-28T14:05"),
  ),
  react("fill a color", { paint: "#ff8800" }, (hand) => hand.fill(timed("Paint"), "#ff8800")),
  react("set a range", { volume: "75" }, (hand) => hand.fill(slider("Volume"), "75")),
];

const imask = on("imask", {
  phone: { shown: "", bare: "" },
  price: { shown: "", bare: "" },
  born: { shown: "", bare: "" },
  plate: { shown: "AB-123", bare: "AB123" },
});

const ofImask = [
  imask("fill a phone number", { phone: { shown: "+1 (212) 555-0187", bare: "12125550187" } }, (hand) =>
    hand.fill(textbox("Phone"), "2125550187", { takes: "+1 (212) 555-0187" }),
  ),
  imask("fill an amount", { price: { shown: "12,345.67", bare: "12345.67" } }, (hand) =>
    hand.fill(textbox("Price"), "12345.67", { takes: "12,345.67" }),
  ),
  imask("type a date", { born: (held) => held.shown === "05.11.1990" }, (hand) =>
    hand.type(textbox("Born"), "05111990", { takes: "05.11.1990" }),
  ),
  imask("replace a plate", { plate: { shown: "XY-987", bare: "XY987" } }, (hand) =>
    hand.fill(textbox("Plate"), "xy987", { takes: "XY-987" }),
  ),
];

const otp = on("otp", { digits: "" });
const BOX = textbox("Digit 1");

const ofOtp = [
  otp("type into the first box", { digits: "482913" }, (hand) =>
    hand.type(BOX, "482913", { takes: "4" }),
  ),
  otp("fill each box", { digits: "482913" }, async (hand) => {
    for (const [at, digit] of [..."482913"].entries()) await hand.fill(textbox(`Digit ${at + 1}`), digit);
  }),
  otp("fill the first box with all", { digits: (held) => held.startsWith("4") }, (hand) => hand.fill(BOX, "482913", { takes: "4" }), {
    mustTell: true,
  }),
];

const vue = on("vue-form", {
  name: "",
  late: "",
  age: 20,
  note: "",
  pets: ["cat"],
  color: "red",
  agree: false,
  code: "",
});

const ofVue = [
  vue("fill a bound field", { name: "Grace" }, (hand) => hand.fill(textbox("Name"), "Grace")),
  vue("fill a field that is taken when left", { late: "soon" }, (hand) => hand.fill(textbox("Later"), "soon")),
  vue("fill a number", { age: 37 }, (hand) => hand.fill(number("Age"), "37")),
  vue("fill several lines", { note: "a\nb" }, (hand) => hand.fill(textbox("Note"), "a\nb")),
  vue(
    "fill a field that cuts and raises",
    { code: "ABCD" },
    (hand) => hand.fill(textbox("Code"), "abcdef", { takes: "ABCD" }),
    { mustTell: true },
  ),
  vue("check one box of a list", { pets: ["cat", "bee"] }, (hand) => hand.check(checkbox("bee"))),
  vue("choose in a group", { color: "blue" }, (hand) => hand.select(combobox("Color"), ["Blue"])),
  vue(
    "choose what is disabled",
    { color: "red" },
    (hand) => hand.select(combobox("Color"), ["Grey"]),
    { mustTell: true },
  ),
  vue("check a box", { agree: true }, (hand) => hand.check(checkbox("Agree"))),
];

const svelte = on("svelte-form", {
  name: "",
  count: 1,
  color: "red",
  sizes: [],
  agree: false,
  plan: "free",
  card: "",
});

const ofSvelte = [
  svelte("fill a bound field", { name: "Edsger" }, (hand) => hand.fill(textbox("Name"), "Edsger")),
  svelte("fill a number", { count: 12 }, (hand) => hand.fill(number("Count"), "12")),
  svelte("fill a field that groups digits", { card: "1234 5678 9012" }, (hand) =>
    hand.fill(textbox("Number"), "123456789012", { takes: "1234 5678 9012" }),
  ),
  svelte("choose an option", { color: "green" }, (hand) => hand.select(combobox("Color"), ["Green"])),
  svelte("check a box of a group", { sizes: ["large"] }, (hand) => hand.check(checkbox("large"))),
  svelte("choose a radio button", { plan: "team" }, (hand) => hand.check(radio("team"))),
  svelte("check a box by a click", { agree: true }, (hand) => hand.click(checkbox("Agree"))),
];

export const scenarios = [...ofReact, ...ofImask, ...ofOtp, ...ofVue, ...ofSvelte];
