// choices.js: selects and a text field that it replaces by its own.

import Choices from "choices.js";
import "choices.js/public/assets/styles/choices.css";

import { put, saveButton } from "./saving.mjs";

const options = (names) => names.map((name) => `<option>${name}</option>`).join("");
const root = put(`
  <div style="width: 400px; min-height: 480px">
  <label id="pet-label" for="pet">Pet</label>
  <select id="pet">${options(["Ant", "Bee", "Cat", "Dog", "Eel"])}</select>
  <label id="meals-label" for="meals">Meals</label>
  <select id="meals" multiple>${options(["Bread", "Pasta", "Rice", "Soup"])}</select>
  <label id="words-label" for="words">Words</label>
  <input id="words" value="one">
  </div>`);
const pet = new Choices("#pet", { labelId: "pet-label" });
const meals = new Choices("#meals", { removeItemButton: true });
const words = new Choices("#words", { delimiter: ",", removeItemButton: true });
saveButton(root, () => ({
  pet: pet.getValue(true),
  meals: meals.getValue(true),
  words: words.getValue(true),
}));
