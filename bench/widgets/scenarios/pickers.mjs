// Selects, combo boxes, chips, trees, sliders and switches that libraries draw themselves.

import { button, checkbox, combobox, number, on, option, radio, slider, textbox } from "./words.mjs";

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
  mui("fill a field", { title: "Report" }, (hand) => hand.fill(textbox("Title"), "Report")),
  mui("fill a field that grows", { notes: "a\nb\nc" }, (hand) => hand.fill(textbox("Notes"), "a\nb\nc")),
  mui("choose in a select", { age: "Twenty" }, async (hand) => {
    await hand.click(combobox("Age"));
    await hand.click(option("Twenty"));
  }),
  mui("choose in an autocomplete", { film: "Fargo" }, async (hand) => {
    await hand.click(combobox("Film"));
    await hand.click(option("Fargo"));
  }),
  mui("search in an autocomplete", { film: "Gattaca" }, async (hand) => {
    await hand.fill(combobox("Film"), "gat");
    await hand.click(option("Gattaca"));
  }),
  mui("choose two chips", { tags: ["legal", "draft"] }, async (hand) => {
    for (const tag of ["legal", "draft"]) {
      await hand.click(combobox("Tags"));
      await hand.click(option(tag));
    }
  }),
  mui("move a slider by keys", { level: 32 }, async (hand) => {
    await hand.press("ArrowRight", slider("Level"));
    await hand.press("ArrowRight");
  }),
  mui("set a slider", { level: 70 }, (hand) => hand.fill(slider("Level"), "70")),
  mui("turn a switch on", { lamp: true }, (hand) => hand.check(checkbox("Lamp"))),
  mui("choose stars", { stars: 4 }, (hand) => hand.check(radio("4 Stars"))),
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
  antd("fill a field", { name: "Niklaus" }, (hand) => hand.fill(textbox("Name"), "Niklaus")),
  antd("choose in a select", { city: "Oslo" }, async (hand) => {
    await hand.click(combobox("City"));
    await hand.click(option("Oslo"));
  }),
  antd("search in a select", { city: "Quito" }, async (hand) => {
    await hand.fill(combobox("City"), "qui");
    await hand.press("Enter");
  }),
  antd("choose two tags", { tags: ["green", "yellow"] }, async (hand) => {
    await hand.click(combobox("Tags"));
    await hand.click(option("green"));
    await hand.click(option("yellow"));
    await hand.press("Escape");
  }),
  antd("fill a field that proposes", { street: "Hill Road" }, async (hand) => {
    await hand.fill(combobox("Street"), "Hill");
    await hand.click(option("Hill Road"));
  }),
  antd("choose down a cascade", { place: ["Europe", "Norway", "Bergen"] }, async (hand) => {
    await hand.click(combobox("Place"));
    for (const part of ["Europe", "Norway", "Bergen"]) {
      // The arrow behind a part belongs to its name.
      await hand.click(option([part, `${part} right`]));
    }
  }),
  antd("choose in a tree", { unit: "tools" }, async (hand) => {
    await hand.click(combobox("Unit"));
    await hand.click(option("Tools"));
  }),
  antd("fill a number", { count: 7 }, (hand) => hand.fill(number("Count"), "7")),
  antd("step a number by keys", { count: 5 }, async (hand) => {
    await hand.press("ArrowUp", number("Count"));
    await hand.press("ArrowUp");
  }),
  antd("turn a switch on", { open: true }, (hand) => hand.check(checkbox("Open"))),
  antd("choose a radio button drawn as a button", { size: "large" }, (hand) => hand.check(radio("large"))),
  antd("move a slider by keys", { level: 22 }, async (hand) => {
    await hand.press("ArrowRight", slider("Level"));
    await hand.press("ArrowRight");
  }),
];

const select = on("react-select", { one: null, many: ["fig"], made: null, cleared: "grape" });

const ofSelect = [
  select("choose one", { one: "cherry" }, async (hand) => {
    await hand.click(combobox("Fruit"));
    await hand.click(option("Cherry"));
  }),
  select("search and press Enter", { one: "elderberry" }, async (hand) => {
    await hand.fill(combobox("Fruit"), "elder");
    await hand.press("Enter");
  }),
  select("choose two more", { many: ["fig", "apple", "grape"] }, async (hand) => {
    for (const name of ["Apple", "Grape"]) {
      await hand.click(combobox("Basket"));
      await hand.click(option(name));
    }
  }),
  select("remove one", { many: [] }, (hand) => hand.click(button("Remove Fig"))),
  select("make a new one", { made: "Kumquat" }, async (hand) => {
    await hand.fill(combobox("Label"), "Kumquat");
    await hand.click(option('Create "Kumquat"'));
  }),
  select("clear by a key", { cleared: null }, (hand) => hand.press("Backspace", combobox("Extra"))),
];

const choices = on("choices", { pet: "Ant", meals: [], words: ["one"] });

// The select it replaces stays in the page out of sight, with options of the same names: those of
// the widget stand behind its search box.
const ofChoices = [
  choices("choose one", { pet: "Dog" }, async (hand) => {
    await hand.click(combobox("Pet"));
    await hand.click(option("Dog", "searchbox"));
  }),
  choices("choose two", { meals: ["Pasta", "Soup"] }, async (hand) => {
    const search = { role: ["searchbox", "textbox"], name: "Meals" };
    await hand.click(search);
    for (const meal of ["Pasta", "Soup"]) await hand.click(option(meal, 'searchbox "Meals"'));
  }),
  choices("add a word", { words: ["one", "two"] }, async (hand) => {
    await hand.fill({ role: ["searchbox", "textbox"], name: "Words" }, "two");
    await hand.press("Enter");
  }),
  choices("remove a word", { words: [] }, (hand) => hand.click(button("Remove item: one"))),
];

export const scenarios = [...ofMui, ...ofAntd, ...ofSelect, ...ofChoices];
