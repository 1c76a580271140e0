// Run this chapter: all cells in order; then each can be edited and run again.

import { attach } from "../grab.js";
import { edit, setBusy } from "./edit_and_run.js";
import { frameRequester } from "./figure_frames.js";
import { cells, python, request, stop } from "./python.js";
import { render, typeset } from "./show.js";

const { elements } = window;
const { make } = elements;
const PYTHON_ENDED = "The stored pictures are shown until this chapter is run again.";

export async function chapter(parts, page) {
  const { run, halt, reset, showStatus, showPhase } = parts;
  let codeCells;
  let nRun = 0; // number of cells run so far
  const views = new Map(); // cell index -> CellView
  reset.textContent = "Restore";
  run.addEventListener("click", runAll);
  halt.addEventListener("click", () => stop());
  reset.addEventListener("click", restore);
  python.addEventListener("end", onEnd);
  await runAll();

  async function runAll() {
    if (!halt.hidden) return;
    nRun = 0;
    await runUpTo();
  }

  // Run the remaining cells, all or up to a number; returns an error message if one fails.
  async function runUpTo(last) {
    setBusy(parts, true);
    let nFailed = 0, failure;
    if (!nRun) ({ failure } = await request(page, { begin: true }, showPhase));
    codeCells ||= failure ? [] : cells();
    while (!failure && nRun < (last ?? codeCells.length)) {
      showStatus("", `Running cell ${nRun + 1} of ${codeCells.length} …`);
      const view = viewOf(nRun);
      const { index, code } = codeCells[nRun++];
      const answer = await request(page, { cell: index, code: view ? view.code() : code });
      failure = answer.failure;
      if (view && !failure) await view.show(answer);
      nFailed += Boolean(answer.error);
    }
    const result = nFailed ? `${nFailed} of them stopped with an error` : "all of them ran";
    const done = `${nRun} cells: ${result}. Each cell has buttons now; sliders run Python.`;
    showStatus(failure ? `${failure} ${views.size ? PYTHON_ENDED : ""}` : done);
    reset.hidden = !views.size;
    setBusy(parts, false);
    document.documentElement.dataset.chapterRuns =
      1 + Number(document.documentElement.dataset.chapterRuns || 0);
    return failure;
  }

  // All variables are lost with Python.
  function onEnd() {
    if (nRun) showStatus(`Python was stopped. ${PYTHON_ENDED}`);
    nRun = 0;
    views.forEach((view) => view.freeze());
  }

  function viewOf(number) {
    const { index, code } = codeCells[number];
    if (!views.has(index)) {
      const cell = document.getElementById(`cell-${index}`);
      const runBefore = () => (nRun < number ? runUpTo(number) : null);
      const options = { number: number + 1, index, stored: code, page, runBefore, editing: null };
      if (cell) views.set(index, new CellView(cell, options));
    }
    return views.get(index);
  }

  function restore() {
    views.forEach((view) => view.restore());
    views.clear();
    reset.hidden = true;
    showStatus("The page is restored.");
  }
}

// A cell of the page: its code, output and buttons.
class CellView {
  constructor(cell, options) {
    Object.assign(this, options);
    this.pre = cell.querySelector(".highlight pre");
    // The code of a proof is inside its card, which stays.
    const output = cell.querySelector(".cell_output");
    this.card = Boolean(output?.contains(this.pre));
    this.output = output && !this.card ? output : make("div", { className: "cell_output" });
    this.before = [...this.output.childNodes];
    this.figure = this.output.querySelector(".hs-figure-number")?.textContent;
    this.added = output === this.output ? [] : [this.output];
    if (this.pre) this.addBar();
    if (this.added.length) cell.append(this.output);
  }

  addBar() {
    const button = (text, action) =>
      Object.assign(elements.button(text, action), { ariaLabel: `${text} cell ${this.number}` });
    this.status = make("span", { className: "hs-status" });
    this.status.setAttribute("role", "status");
    this.run = button("Run", () => this.go());
    this.halt = button("Stop", () => stop());
    this.halt.hidden = true;
    this.change = button("Edit", () => this.edit());
    const bar = make("div", { className: "hs-bar hs-open" }, this.run, this.change, this.halt, this.status);
    this.pre.closest(".highlight").parentElement.after(bar);
    this.added.push(bar);
  }

  code() {
    return this.editing ? this.editing.text() : this.stored;
  }

  edit() {
    this.change.hidden = true;
    const name = `Code of cell ${this.number}`;
    this.editing = edit(this.pre, this.stored, name, () => this.go(), () => {});
    this.editing.focus();
  }

  async go() {
    if (!this.halt.hidden) return;
    setBusy(this, true);
    this.status.textContent = "Running …";
    this.output.classList.add("hs-old");
    let failure = await this.runBefore();
    if (!failure) {
      const answer = await request(this.page, { cell: this.index, code: this.code() });
      failure = answer.failure;
      if (!failure) await this.show(answer);
    }
    this.status.textContent = failure || "";
    this.output.classList.remove("hs-old");
    setBusy(this, false);
  }

  async show(answer) {
    if (this.card && !this.editing && !answer.error) return; // the card is unchanged
    const requestFrame = (message) => request(this.page, { frame: this.index, ...message });
    const rendered = make("div", {}, ...render(answer, requestFrame, this.figure));
    await typeset(rendered);
    this.live = Boolean(answer.animation);
    this.output.replaceChildren(...rendered.childNodes);
    for (const figure of this.output.querySelectorAll(".hs-grab")) {
      attach(figure, frameRequester(this.page, this.index));
    }
  }

  // Without Python, show the stored picture.
  freeze() {
    if (this.live) this.output.replaceChildren(...this.before);
    this.live = false;
  }

  restore() {
    this.editing?.close();
    this.output.replaceChildren(...this.before);
    this.added.forEach((element) => element.remove());
  }
}
