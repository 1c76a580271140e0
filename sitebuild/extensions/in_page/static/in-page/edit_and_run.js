// Edit and run: the editor of a cell, and its output.

import { editor, replace } from "./editor.js";
import { ask, stop } from "./python.js";
import { shown, typeset } from "./show.js";

const { progress } = window; // from progress.js
const { make } = window.elements;

// Put an editor over the code of a cell; returns what the buttons need.
export function edit(stored, code, name, onRun, onChange) {
  const label = `${name}, Python. Control and Enter runs it; Escape, then Tab, leaves.`;
  const view = editor(stored.parentElement, code, { label, onRun, onChange });
  // Shortcuts of the page, such as "/", are plain letters here.
  view.dom.addEventListener("keydown", (event) => event.stopPropagation());
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

// While code runs, Run is disabled but keeps the focus, and Stop is shown.
export function busy({ run, halt }, now) {
  if (!now && document.activeElement === halt) run.focus();
  halt.hidden = !now;
  run.setAttribute("aria-disabled", now);
}

// earlier: keys of the previous exercises, whose stored answers this one may use
export function exercise(cell, parts, key, earlier, page) {
  const { run, halt, again, another, showPhase } = parts;
  const pre = cell.querySelector(".cell_input pre");
  const output = cell.querySelector(".cell_output");
  const stub = pre.textContent.trimEnd();
  const call = `check.${key.split(":")[1]}`; // only this exercise
  const called = new RegExp(`${call.replace(".", "\\.")}(?:\\.another\\((\\d+)\\))?(?=\\()`);
  const task = make("div", { className: "hs-task" }); // question with other numbers
  let given = ""; // code removed by Start over
  let shownSeed; // of the question with other numbers
  const editing = edit(pre, progress.get(key) || stub, `Your code for ${parts.title}`, go, changed);
  let warning = "";
  const say = (words) => parts.say(warning + words);
  output.setAttribute("aria-live", "polite");
  run.textContent = "Run";
  again.hidden = another.hidden = false;
  run.addEventListener("click", go);
  halt.addEventListener("click", () => stop());
  again.addEventListener("click", startOver);
  another.addEventListener("click", otherNumbers);
  editing.focus();
  say("");
  cell.prepend(task);
  // Start Python while the reader types.
  ask(page, {}, showPhase).then((answer) => halt.hidden && say(answer.failure || "Python is ready.")).then(showTask);

  function changed(code) {
    const kept = progress.set(key, code === stub ? null : code);
    warning = kept ? "" : "The browser does not keep your answer: it lasts as long as this page. ";
    if (warning) say("");
    again.textContent = given && code === stub ? "Undo" : "Start over";
  }

  async function go() {
    if (!halt.hidden) return;
    busy(parts, true);
    output.classList.add("hs-old");
    showPhase("Running …");
    const others = earlier.map(progress.get).filter(Boolean);
    const question = { exercise: true, code: editing.text(), earlier: others };
    const answer = await ask(page, question, showPhase);
    if (!answer.failure) await showTask(); // for a typed seed
    if (answer.sentence && question.code.includes(call)) {
      progress.setVerdict(key, answer.right, answer.sentence);
    }
    const fresh = make("div", {}, ...shown(answer));
    await typeset(fresh);
    say(answer.failure || (fresh.children.length ? "" : "Done; nothing was printed."));
    output.replaceChildren(...fresh.childNodes);
    output.classList.remove("hs-old");
    busy(parts, false);
    if (answer.failure) ask(page, {}); // restart for the next run
    cell.dataset.runs = 1 + Number(cell.dataset.runs || 0);
  }

  // Keep the code; the last line requests the next numbers.
  async function otherNumbers() {
    if (!halt.hidden) return;
    const code = called.test(editing.text()) ? editing.text() : stub;
    const seed = 1 + Number(code.match(called)[1] || 0);
    editing.set(code.replace(called, `${call}.another(${seed})`));
    output.replaceChildren();
    busy(parts, true);
    await showTask();
    busy(parts, false);
  }

  async function showTask() {
    const seed = editing.text().match(called)?.[1];
    if (seed === shownSeed) return;
    task.replaceChildren();
    shownSeed = seed;
    if (!seed) return;
    const answer = await ask(page, { exercise: true, code: `${call}.another(${seed})`, earlier: [] }, showPhase);
    task.replaceChildren(...shown(answer));
    await typeset(task);
    if (answer.failure) shownSeed = null; // loading failed
    say(answer.failure || "The question with other numbers stands above your code.");
  }

  function startOver() {
    const code = editing.text();
    if (code !== stub) {
      given = code;
      editing.set(stub);
      progress.set(`${key}:verdict`, null);
      say("Your answer is gone; Undo brings it back.");
    } else {
      editing.set(given || stub);
      say("");
    }
    showTask();
    parts.show();
    editing.focus();
  }
}
