// Run this chapter: all its cells in order; then each can be changed and run again.

import { edit } from "./exercise.js";
import { ask, cells, stop } from "./python.js";
import { make, shown, typeset } from "./show.js";

const EXERCISE = ["stub", "solution", "wrong-answer"];

export async function chapter({ run, halt, again, status }, page) {
  let codes;
  const places = new Map(); // number of a cell -> its place in the page
  again.textContent = "Restore";
  run.addEventListener("click", all);
  halt.addEventListener("click", () => stop());
  again.addEventListener("click", restore);
  await all();

  async function all() {
    run.disabled = true;
    halt.hidden = false;
    const told = (answer) => {
      if (answer.stopped || answer.fatal) {
        status.textContent = answer.fatal || "Stopped. Run this chapter again to go on.";
      }
      return !(answer.stopped || answer.fatal);
    };
    const phase = (now) => (status.textContent = `Getting Python ready: ${now} …`);
    let failed = 0;
    if (told(await ask(page, { begin: true }, phase))) {
      codes ||= (await cells(page)).filter(({ tags }) => !EXERCISE.some((t) => tags.includes(t)));
      let number = 0;
      for (const { index, code } of codes) {
        status.textContent = `Running cell ${++number} of ${codes.length} …`;
        const place = placeOf(index, code);
        const answer = await ask(page, { cell: index, code: place ? place.code() : code });
        if (!told(answer)) break;
        if (place) await place.show(answer);
        failed += Boolean(answer.error);
        if (number === codes.length) status.textContent = done(failed);
      }
    }
    run.disabled = false;
    halt.hidden = true;
    again.hidden = !places.size;
    run.textContent = "Run all again";
    document.documentElement.dataset.chapterRuns =
      1 + Number(document.documentElement.dataset.chapterRuns || 0);
  }

  function done(failed) {
    const end = failed ? `${failed} of them stopped with an error` : "all of them ran";
    return `${codes.length} cells: ${end}. Each has buttons now; sliders ask Python.`;
  }

  function placeOf(index, code) {
    if (!places.has(index)) {
      const cell = document.getElementById(`cell-${index}`);
      if (cell) places.set(index, new Place(cell, index, code, page));
    }
    return places.get(index);
  }

  function restore() {
    places.forEach((place) => place.restore());
    places.clear();
    again.hidden = true;
    status.textContent = "The pages are as they were.";
  }
}

// A cell of the page: its code, its output, and the buttons under it.
class Place {
  constructor(cell, index, code, page) {
    Object.assign(this, { cell, index, stored: code, page, editing: null });
    this.pre = cell.querySelector(".highlight pre");
    // The code of a proof is inside its card, which then stays where it is.
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
    const button = (textContent, action) => {
      const element = make("button", { type: "button", className: "hs-button", textContent });
      element.addEventListener("click", action);
      return element;
    };
    this.status = make("span", { className: "hs-status" });
    this.status.setAttribute("role", "status");
    this.run = button("Run", () => this.go());
    this.change = button("Edit", () => this.edit());
    const bar = make("div", { className: "hs-bar" }, this.change, this.run, this.status);
    this.pre.closest(".highlight").parentElement.after(bar);
    this.added.push(bar);
  }

  code() {
    return this.editing ? this.editing.text() : this.stored;
  }

  edit() {
    this.change.hidden = true;
    this.editing = edit(this.pre, this.stored, () => this.go(), () => {});
    this.editing.focus();
  }

  async go() {
    this.run.disabled = true;
    this.status.textContent = "Running …";
    const answer = await ask(this.page, { cell: this.index, code: this.code() });
    this.run.disabled = false;
    this.status.textContent = answer.fatal || (answer.stopped ? "Stopped." : "");
    if (!answer.fatal && !answer.stopped) await this.show(answer);
  }

  async show(answer) {
    if (this.card && !this.editing && !answer.error) return; // it says what it said
    const question = (message) => ask(this.page, { frame: this.index, ...message });
    const parts = make("div", {}, ...shown(answer, question, this.figure));
    await typeset(parts);
    this.output.replaceChildren(...parts.childNodes);
  }

  restore() {
    this.editing?.close();
    this.output.replaceChildren(...this.before);
    this.added.forEach((element) => element.remove());
  }
}
