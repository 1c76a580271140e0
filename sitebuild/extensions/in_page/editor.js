// CodeMirror for one cell of Python; esbuild makes one file of this and what it imports.

import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { pythonLanguage } from "@codemirror/lang-python";
import {
  LanguageSupport,
  bracketMatching,
  indentOnInput,
  indentUnit,
  syntaxHighlighting,
} from "@codemirror/language";
import { EditorView, drawSelection, keymap } from "@codemirror/view";
import { classHighlighter } from "@lezer/highlight";
import { StyleModule } from "style-mod";

// The policy of the pages forbids the <style> that CodeMirror would add to them, and allows
// style sheets that a script makes.
const mounted = new Set();
StyleModule.mount = function (root, modules) {
  for (const module of modules.filter((module) => !mounted.has(module))) {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(module.getRules());
    root.adoptedStyleSheets.push(sheet);
    mounted.add(module);
  }
};

// Tab indents; Escape, then Tab, leaves the editor, as CodeMirror has it everywhere.
export function editor(parent, code, { label, onRun, onChange }) {
  const run = () => (onRun(), true);
  const keys = [{ key: "Mod-Enter", run }, { key: "Shift-Enter", run }, indentWithTab];
  return new EditorView({
    parent,
    doc: code,
    extensions: [
      history(),
      drawSelection(),
      indentOnInput(),
      bracketMatching(),
      indentUnit.of("    "),
      new LanguageSupport(pythonLanguage),
      syntaxHighlighting(classHighlighter),
      keymap.of([...keys, ...defaultKeymap, ...historyKeymap]),
      EditorView.contentAttributes.of({ "aria-label": label }),
      EditorView.updateListener.of(({ docChanged, state }) => {
        if (docChanged) onChange(state.doc.toString());
      }),
    ],
  });
}

export function replace(view, code) {
  view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: code } });
}
