// imask: fields that format what is typed into them.

import IMask from "imask";

import { put, saveButton } from "./saving.mjs";

const root = put(`
  <p><label>Phone <input id="phone"></label></p>
  <p><label>Price <input id="price"></label></p>
  <p><label>Born <input id="born"></label></p>
  <p><label>Plate <input id="plate" value="AB-123"></label></p>`);
const at = (id) => document.getElementById(id);
const masks = {
  phone: IMask(at("phone"), { mask: "+{1} (000) 000-0000" }),
  price: IMask(at("price"), { mask: Number, thousandsSeparator: ",", radix: ".", scale: 2 }),
  born: IMask(at("born"), { mask: Date, pattern: "d{.}`m{.}`Y" }),
  plate: IMask(at("plate"), { mask: "aa-000", prepareChar: (letter) => letter.toUpperCase() }),
};
saveButton(root, () =>
  Object.fromEntries(
    Object.entries(masks).map(([name, mask]) => [
      name,
      { shown: mask.el.value, bare: mask.unmaskedValue },
    ]),
  ),
);
