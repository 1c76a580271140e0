// Run this chapter: all cells in order; then each can be edited and run again.

import { attach } from "../grab.js";
import { busy, edit } from "./edit_and_run.js";
import { shownBy } from "./grabbed.js";
import { ask, cells, python, stop } from "./python.js";
import { shown, typeset } from "./show.js";

const { elements } = window;
const { make } = elements;
const GONE = "Pictures are the stored ones again, until this chapter is run again.";

export async function chapter(parts, page) {
  const { run, halt, again, say, showPhase } = parts;
  let codes;
  let ran = 0; // number of cells run so far
  const places = new Map(); // cell number -> cell in the page
  again.textContent = "Restore";
  run.addEventListener("click", whole);
  halt.addEventListener("click", () => stop());
  again.addEventListener("click", restore);
  python.addEventListener("end", ended);
  await whole();

  async function whole() {
    if (!halt.hidden) return;
    ran = 0;
    await upTo();
  }

  // Run the remaining cells, all or up to a number; returns an error message if one fails.
  async function upTo(last) {
    busy(parts, true);
    let failed = 0, failure;
    if (!ran) ({ failure } = await ask(page, { begin: true }, showPhase));
    codes ||= failure ? [] : cells();
    while (!failure && ran < (last ?? codes.length)) {
      say("", `Running cell ${ran + 1} of ${codes.length} …`);
      const place = placeOf(ran);
      const { index, code } = codes[ran++];
      const answer = await ask(page, { cell: index, code: place ? place.code() : code });
      failure = answer.failure;
      if (place && !failure) await place.show(answer);
      failed += Boolean(answer.error);
    }
    const end = failed ? `${failed} of them stopped with an error` : "all of them ran";
    const done = `${ran} cells: ${end}. Each has buttons now; sliders ask Python.`;
    say(failure ? `${failure} ${places.size ? GONE : ""}` : done);
    again.hidden = !places.size;
    busy(parts, false);
    document.documentElement.dataset.chapterRuns =
      1 + Number(document.documentElement.dataset.chapterRuns || 0);
    return failure;
  }

  // All variables are lost with Python.
  function ended() {
    if (ran) say(`Python was stopped. ${GONE}`);
    ran = 0;
    places.forEach((place) => place.freeze());
  }

  function placeOf(number) {
    const { index, code } = codes[number];
    if (!places.has(index)) {
      const cell = document.getElementById(`cell-${index}`);
      const ready = () => (ran < number ? upTo(number) : null);
      const place = { number: number + 1, index, stored: code, page, ready, editing: null };
      if (cell) places.set(index, new Place(cell, place));
    }
    return places.get(index);
  }

  function restore() {
    places.forEach((place) => place.restore());
    places.clear();
    again.hidden = true;
    say("The page is as it was.");
  }
}

// A cell of the page: its code, output and buttons.
class Place {
  constructor(cell, of) {
    Object.assign(this, of);
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
    const button = (words, action) =>
      Object.assign(elements.button(words, action), { ariaLabel: `${words} cell ${this.number}` });
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
    busy(this, true);
    this.status.textContent = "Running …";
    this.output.classList.add("hs-old");
    let failure = await this.ready();
    if (!failure) {
      const answer = await ask(this.page, { cell: this.index, code: this.code() });
      failure = answer.failure;
      if (!failure) await this.show(answer);
    }
    this.status.textContent = failure || "";
    this.output.classList.remove("hs-old");
    busy(this, false);
  }

  async show(answer) {
    if (this.card && !this.editing && !answer.error) return; // the card is unchanged
    const question = (message) => ask(this.page, { frame: this.index, ...message });
    const parts = make("div", {}, ...shown(answer, question, this.figure));
    await typeset(parts);
    this.live = Boolean(answer.animation);
    this.output.replaceChildren(...parts.childNodes);
    for (const figure of this.output.querySelectorAll(".hs-grab")) {
      attach(figure, shownBy(this.page, this.index));
    }
  }

  // Without Python show the stored picture.
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
