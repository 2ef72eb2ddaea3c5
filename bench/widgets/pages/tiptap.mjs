// TipTap on ProseMirror: an editor that holds a document already.

import { Editor } from "@tiptap/core";
import StarterKit from "@tiptap/starter-kit";

import { put, saveButton } from "./saving.mjs";

const root = put(`<button type="button" id="bullets">Bullet list</button><div id="editor"></div>`);
const editor = new Editor({
  element: document.getElementById("editor"),
  extensions: [StarterKit],
  content: "<p>First draft.</p>",
  editorProps: { attributes: { "aria-label": "Letter", role: "textbox", "aria-multiline": "true" } },
});
document
  .getElementById("bullets")
  .addEventListener("click", () => editor.chain().focus().toggleBulletList().run());
saveButton(root, () => ({ text: editor.getText(), html: editor.getHTML() }));
