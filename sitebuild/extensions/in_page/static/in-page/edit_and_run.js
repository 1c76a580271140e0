// Edit and run: the editor of a cell, and its output.

import { editor, replace } from "./editor.js";
import { request, stop } from "./python.js";
import { render, typeset } from "./show.js";

const { progress } = window; // from progress.js
const { make } = window.elements;

// Replace the code of a cell by an editor; returns the editor's methods.
export function edit(pre, code, name, onRun, onChange) {
  const label = `${name}, Python. Control+Enter runs it; Escape, then Tab, leaves.`;
  const view = editor(pre.parentElement, code, { label, onRun, onChange });
  // Shortcuts of the page, such as "/", are plain letters here.
  view.dom.addEventListener("keydown", (event) => event.stopPropagation());
  pre.hidden = true;
  return {
    focus: () => view.focus(),
    set: (text) => replace(view, text),
    text: () => view.state.doc.toString(),
    close() {
      view.destroy();
      pre.hidden = false;
    },
  };
}

// While code runs, Run is disabled but keeps the focus, and Stop is visible.
export function setBusy({ run, halt }, isBusy) {
  if (!isBusy && document.activeElement === halt) run.focus();
  halt.hidden = !isBusy;
  run.setAttribute("aria-disabled", isBusy);
}

// earlier: keys of the previous exercises, whose stored answers this one may use
export function exercise(cell, parts, key, earlier, page) {
  const { run, halt, reset, another, showPhase } = parts;
  const pre = cell.querySelector(".cell_input pre");
  const output = cell.querySelector(".cell_output");
  const stub = pre.textContent.trimEnd();
  const call = `check.${key.split(":")[1]}`; // of this exercise
  const seedPattern = new RegExp(`${call.replace(".", "\\.")}(?:\\.another\\((\\d+)\\))?(?=\\()`);
  const task = make("div", { className: "hs-task" }); // question with other numbers
  let removed = ""; // code before Start over
  let shownSeed; // of the question with other numbers
  const editing = edit(pre, progress.get(key) || stub, `Your code for ${parts.title}`, go, onChange);
  let warning = "";
  const showStatus = (text) => parts.showStatus(warning + text);
  output.setAttribute("aria-live", "polite");
  run.textContent = "Run";
  reset.hidden = another.hidden = false;
  run.addEventListener("click", go);
  halt.addEventListener("click", () => stop());
  reset.addEventListener("click", startOver);
  another.addEventListener("click", changeNumbers);
  editing.focus();
  showStatus("");
  cell.prepend(task);
  // Start Python while the reader types.
  request(page, {}, showPhase)
    .then((answer) => halt.hidden && showStatus(answer.failure || "Python is ready."))
    .then(showTask);

  function onChange(code) {
    const isStored = progress.set(key, code === stub ? null : code);
    warning = isStored ? "" : "The browser does not keep your answer: it is lost when you leave. ";
    if (warning) showStatus("");
    reset.textContent = removed && code === stub ? "Undo" : "Start over";
  }

  async function go() {
    if (!halt.hidden) return;
    setBusy(parts, true);
    output.classList.add("hs-old");
    showPhase("Running …");
    const answers = earlier.map(progress.get).filter(Boolean);
    const message = { exercise: true, code: editing.text(), earlier: answers };
    const answer = await request(page, message, showPhase);
    if (!answer.failure) await showTask(); // for a typed seed
    if (answer.sentence && message.code.includes(call)) {
      progress.setVerdict(key, answer.right, answer.sentence);
    }
    const rendered = make("div", {}, ...render(answer));
    await typeset(rendered);
    showStatus(answer.failure || (rendered.children.length ? "" : "Done; nothing was printed."));
    output.replaceChildren(...rendered.childNodes);
    output.classList.remove("hs-old");
    setBusy(parts, false);
    if (answer.failure) request(page, {}); // restart for the next run
    cell.dataset.runs = 1 + Number(cell.dataset.runs || 0);
  }

  // Keep the code, and add the next seed to its last line.
  async function changeNumbers() {
    if (!halt.hidden) return;
    const code = seedPattern.test(editing.text()) ? editing.text() : stub;
    const seed = 1 + Number(code.match(seedPattern)[1] || 0);
    editing.set(code.replace(seedPattern, `${call}.another(${seed})`));
    output.replaceChildren();
    setBusy(parts, true);
    await showTask();
    setBusy(parts, false);
  }

  async function showTask() {
    const seed = editing.text().match(seedPattern)?.[1];
    if (seed === shownSeed) return;
    task.replaceChildren();
    shownSeed = seed;
    if (!seed) return;
    const message = { exercise: true, code: `${call}.another(${seed})`, earlier: [] };
    const answer = await request(page, message, showPhase);
    task.replaceChildren(...render(answer));
    await typeset(task);
    if (answer.failure) shownSeed = null; // loading failed
    showStatus(answer.failure || "The question with other numbers is above your code.");
  }

  function startOver() {
    const code = editing.text();
    if (code !== stub) {
      removed = code;
      editing.set(stub);
      progress.set(`${key}:verdict`, null);
      showStatus("Your answer is gone; Undo brings it back.");
    } else {
      editing.set(removed || stub);
      showStatus("");
    }
    showTask();
    parts.show();
    editing.focus();
  }
}
