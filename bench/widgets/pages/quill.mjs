// Quill: an editor with a toolbar of buttons and pickers.

import Quill from "quill";
import "quill/dist/quill.snow.css";

import { put, saveButton } from "./saving.mjs";

const root = put(`<div id="editor" style="height: 200px"><p>Old text</p></div>`);
const quill = new Quill("#editor", { theme: "snow" });
quill.root.setAttribute("aria-label", "Message");
quill.root.setAttribute("role", "textbox");
saveButton(root, () => ({ text: quill.getText(), ops: quill.getContents().ops }));
