// Edit and run: the editor of a cell, and the answer of Python to it.

import { editor, replace } from "./editor.js";
import { ask, stop, warmUp } from "./python.js";
import { make, shown, typeset } from "./show.js";

const LABEL = "Your code, Python. Control and Enter runs it; Escape, then Tab, leaves.";

// Put an editor over the code of a cell; returns what the buttons need.
export function edit(stored, code, onRun, onChange) {
  const view = editor(stored.parentElement, code, { label: LABEL, onRun, onChange });
  stored.hidden = true;
  return {
    focus: () => view.focus(),
    set: (text) => replace(view, text),
    text: () => view.state.doc.toString(),
    close() {
      view.destroy();
      stored.hidden = false;
    },
  };
}

// A browser may forbid storage: then an answer lasts as long as the page.
function stored(key, code) {
  try {
    if (code === undefined) return localStorage.getItem(key);
    if (code === null) localStorage.removeItem(key);
    else localStorage.setItem(key, code);
  } catch { /* nothing to be done */ }
  return null;
}

export function exercise(cell, { run, halt, again, status }, key, page) {
  const pre = cell.querySelector(".cell_input pre");
  const output = cell.querySelector(".cell_output");
  const before = [...output.childNodes];
  const stub = pre.textContent.trimEnd();
  const keep = (code) => stored(key, code === stub ? null : code);
  const editing = edit(pre, stored(key) || stub, go, keep);
  output.setAttribute("aria-live", "polite");
  run.textContent = "Run";
  again.hidden = false;
  status.textContent = "";
  run.addEventListener("click", go);
  halt.addEventListener("click", () => stop());
  again.addEventListener("click", startOver);
  editing.focus();
  warmUp(page).catch(() => {}); // gets ready while the reader types

  async function go() {
    if (run.disabled) return;
    run.disabled = true;
    halt.hidden = false;
    status.textContent = "Running …";
    const answer = await ask(page, { exercise: true, code: editing.text() }, (phase) => {
      status.textContent =
        phase === "running" ? "Running …" : `Getting Python ready: ${phase} …`;
    });
    run.disabled = false;
    halt.hidden = true;
    status.textContent = answer.stopped ? "Stopped." : answer.fatal || "";
    if (answer.stopped) warmUp(page).catch(() => {}); // ready again for the next run
    else if (!answer.fatal) {
      const parts = make("div", {}, ...shown(answer));
      if (!parts.children.length) status.textContent = "Done; nothing was printed.";
      await typeset(parts);
      output.replaceChildren(...parts.childNodes);
    }
    cell.dataset.runs = 1 + Number(cell.dataset.runs || 0);
  }

  function startOver() {
    editing.set(stub);
    output.replaceChildren(...before);
    status.textContent = "";
    editing.focus();
  }
}
