// Lexical: a rich text editor that keeps its own document and writes the page after it.

import { $getRoot, FORMAT_TEXT_COMMAND } from "lexical";
import { LexicalComposer } from "@lexical/react/LexicalComposer";
import { useLexicalComposerContext } from "@lexical/react/LexicalComposerContext";
import { ContentEditable } from "@lexical/react/LexicalContentEditable";
import { LexicalErrorBoundary } from "@lexical/react/LexicalErrorBoundary";
import { HistoryPlugin } from "@lexical/react/LexicalHistoryPlugin";
import { RichTextPlugin } from "@lexical/react/LexicalRichTextPlugin";

import { show } from "./form.jsx";
import { save } from "./saving.mjs";

function held(editor) {
  const pieces = [];
  const text = editor.getEditorState().read(() => {
    for (const node of $getRoot().getAllTextNodes()) {
      if (node.hasFormat("bold")) pieces.push(node.getTextContent());
    }
    return $getRoot().getTextContent();
  });
  return { text, bold: pieces.join("") };
}

function Tools() {
  const [editor] = useLexicalComposerContext();
  return (
    <p>
      <button type="button" onClick={() => editor.dispatchCommand(FORMAT_TEXT_COMMAND, "bold")}>
        Bold
      </button>
      <button type="button" onClick={() => save(held(editor))}>
        Save
      </button>
    </p>
  );
}

const config = {
  namespace: "corpus",
  theme: {},
  onError: (error) => {
    throw error;
  },
};

show(
  <LexicalComposer initialConfig={config}>
    <RichTextPlugin
      contentEditable={
        <ContentEditable
          aria-label="Story"
          style={{ border: "1px solid #888", minHeight: 120, padding: 8 }}
        />
      }
      placeholder={null}
      ErrorBoundary={LexicalErrorBoundary}
    />
    <HistoryPlugin />
    <Tools />
  </LexicalComposer>,
);
