// Editors that keep a document of their own and draw the page after it.

import { button, on, textbox } from "./words.mjs";

const lexical = on("lexical", { text: "", bold: "" });
const STORY = textbox("Story");

const ofLexical = [
  lexical("fill", { text: "Once upon a time" }, (hand) => hand.fill(STORY, "Once upon a time")),
  lexical("fill twice", { text: "Second" }, async (hand) => {
    await hand.fill(STORY, "First try");
    await hand.fill(STORY, "Second");
  }),
  lexical("type", { text: "hello there" }, (hand) => hand.type(STORY, "hello there")),
  lexical("fill paragraphs", { text: (held) => /^one\n+two$/.test(held) }, (hand) =>
    hand.fill(STORY, "one\ntwo"),
  ),
  lexical("type in bold", { text: "plain loud", bold: "loud" }, async (hand) => {
    await hand.type(STORY, "plain ");
    await hand.press("ctrl+b", null, { unseen: true });
    await hand.type(null, "loud");
  }),
];

const tiptap = on("tiptap", { text: "First draft.", html: "<p>First draft.</p>" });
const LETTER = textbox("Letter");

const ofTiptap = [
  tiptap("replace", { text: "Dear all", html: "<p>Dear all</p>" }, (hand) => hand.fill(LETTER, "Dear all")),
  tiptap("type at the end", { text: "First draft. More.", html: () => true }, (hand) =>
    hand.type(LETTER, " More.", { takes: "First draft. More." }),
  ),
  tiptap("fill paragraphs", { text: "one\n\ntwo", html: "<p>one</p><p>two</p>" }, (hand) =>
    hand.fill(LETTER, "one\ntwo"),
  ),
  tiptap("make a list", { text: () => true, html: /* one item */ (held) => held.startsWith("<ul><li><p>First draft.") }, async (hand) => {
    await hand.click(button("Bullet list"));
  }),
  tiptap("clear", { text: "", html: "<p></p>" }, (hand) => hand.fill(LETTER, "")),
];

const LINES = Array.from({ length: 400 }, (_, at) => `line ${at + 1}`).join("\n");
const code = on("codemirror", { script: "let a = 1;\n", log: LINES });

const ofCode = [
  code("replace a script", { script: "const b = 2;" }, (hand) => hand.fill(textbox("Script"), "const b = 2;")),
  code("replace by lines", { script: "one\n  two\nthree" }, (hand) =>
    hand.fill(textbox("Script"), "one\n  two\nthree"),
  ),
  code("replace a long log", { log: "short" }, (hand) => hand.fill(textbox("Log"), "short")),
  code("type brackets", { script: "let a = 1;\n(1)" }, (hand) => hand.type(textbox("Script"), "(1)")),
];

const quill = on("quill", { text: "Old text\n", ops: [{ insert: "Old text\n" }] });
const MESSAGE = textbox("Message");
const any = () => true;

const ofQuill = [
  quill("replace", { text: "New text\n", ops: [{ insert: "New text\n" }] }, (hand) =>
    hand.fill(MESSAGE, "New text"),
  ),
  quill("fill lines", { text: "one\ntwo\n", ops: any }, (hand) => hand.fill(MESSAGE, "one\ntwo")),
  quill("type at the end", { text: "Old text, longer\n", ops: any }, (hand) => hand.type(MESSAGE, ", longer")),
  quill("make it bold", { text: "Old text\n", ops: (held) => held[0].attributes?.bold === true }, async (hand) => {
    await hand.click(MESSAGE, { unseen: true });
    await hand.press("ctrl+a", null, { unseen: true });
    await hand.click(button("bold"));
  }),
];

export const scenarios = [...ofLexical, ...ofTiptap, ...ofCode, ...ofQuill];
