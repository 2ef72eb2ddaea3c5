// CodeMirror 6: an editor of lines that draws only those in view.

import { basicSetup, EditorView } from "codemirror";

import { put, saveButton } from "./saving.mjs";

const lines = Array.from({ length: 400 }, (_, at) => `line ${at + 1}`).join("\n");
const root = put(
  `<div id="short"></div><div id="long" style="height: 160px; overflow: hidden"></div>`,
);
const made = (id, label, doc) =>
  new EditorView({
    doc,
    parent: document.getElementById(id),
    extensions: [
      basicSetup,
      EditorView.contentAttributes.of({ "aria-label": label }),
      EditorView.theme({ "&": { height: "160px" }, ".cm-scroller": { overflow: "auto" } }),
    ],
  });
const short = made("short", "Script", "let a = 1;\n");
const long = made("long", "Log", lines);
saveButton(root, () => ({ script: short.state.doc.toString(), log: long.state.doc.toString() }));
