/* The buttons of exercises and chapters, and interactive figures.
   Python is not fetched before a reader asks: then the modules beside this file do the work. */
(function () {
  "use strict";

  const { progress } = window; // from progress.js
  const { make, messages } = window.elements;
  const here = new URL(".", document.currentScript.src);
  const name = location.pathname.split("/").pop().replace(/\.html$/, "");
  const root = new URL(document.documentElement.dataset.content_root || "../", location);
  const { megabytes, chapterMegabytes } = document.currentScript.dataset; // download sizes
  const withOthers = document.currentScript.dataset.another.split(" "); // checkers
  const FILES = ["get", "python", "editor", "show", "animation", "grabbed", "edit_and_run", "chapter"];
  const fromFolder = location.protocol === "file:" &&
    "A browser runs no code from a folder. Serve the book (make serve, or python -m " +
    "http.server in its folder) and open that address.";

  // title: element with the name of the exercise
  function bar(text, title, place) {
    const button = (words, kind) => {
      const element = make("button", { type: "button", className: `hs-button hs-${kind}` });
      element.textContent = words;
      if (title) element.setAttribute("aria-describedby", title.id);
      return element;
    };
    const parts = {
      run: button(text, "run"),
      again: button("Start over", "again"),
      another: button("Other numbers", "another"),
      halt: button("Stop", "stop"),
      ...messages(),
    };
    parts.halt.hidden = parts.again.hidden = parts.another.hidden = true;
    const element = make("div", { className: "hs-bar" });
    element.append(...Object.values(parts).filter((part) => part.nodeType));
    place(element);
    return { ...parts, bar: element, title: title?.textContent.trim() };
  }

  // A browser does not retry a failed module, so first fetch all of them.
  async function fetched() {
    for (const file of FILES.map((name) => `${name}.js`)) {
      const answer = await fetch(new URL(file, here)).catch(() => null);
      if (!answer) return "The book's server does not answer. Is there a network? Then press again.";
      if (!answer.ok) return `A file of the book is missing: ${file}.`;
      await answer.arrayBuffer();
    }
    return "";
  }

  // The first click loads the module that handles this and later clicks.
  function onFirstClick({ run, say, bar }, file, begin) {
    let busy = false;
    async function first() {
      if (fromFolder) return;
      if (busy) return;
      busy = true;
      say("", "Fetching the editor …");
      const failure = await fetched();
      const module = !failure && (await import(new URL(file, here)).catch(() => null));
      busy = false;
      say(module ? "" : failure || "The editor did not come. Reload the page.");
      if (module) {
        run.removeEventListener("click", first);
        bar.classList.add("hs-open");
        begin(module);
      }
    }
    run.addEventListener("click", first);
  }

  const keys = []; // storage keys of the answers

  function exercise(cell) {
    const input = cell.querySelector(".cell_input");
    const title = cell.previousElementSibling.querySelector(".admonition-title");
    title.id ||= `${cell.id}-title`;
    const parts = bar("Edit and run", title, (element) => input.after(element));
    const checker = /check\.(\w+)/.exec(input.textContent)[1];
    const key = `${name}:${checker}`;
    if (!withOthers.includes(checker)) parts.another.remove();
    const earlier = [...keys];
    keys.push(key);
    progress.markExercise(title, key);
    const output = cell.querySelector(".cell_output");
    parts.show = function () {
      const verdict = progress.verdict(key);
      const className = `hs-verdict ${verdict ? (verdict.right ? "" : "hs-wrong") : "hs-untried"}`;
      const textContent = verdict?.sentence || "Not tried yet.";
      output.replaceChildren(make("p", { className, textContent }));
    };
    parts.show();
    const saved = progress.get(key) ? "Your answer is kept here. " : "";
    parts.say("", saved + (fromFolder || `Fetches Python, ${megabytes} MB, once.`));
    onFirstClick(parts, "edit_and_run.js", (m) => m.exercise(cell, parts, key, earlier, { root, name }));
  }

  function chapter(place) {
    const parts = bar("Run this chapter", null, (element) => place.after(element));
    parts.another.remove();
    const fetches = `Then every cell can be changed. Fetches Python, ${chapterMegabytes} MB, once.`;
    parts.say("", fromFolder || fetches);
    onFirstClick(parts, "chapter.js", (m) => m.chapter(parts, { root, name }));
  }

  // Points of an interactive figure move at once; Python loads on the first change.
  async function grabbed(figure) {
    const help = figure.querySelector(".hs-help");
    if (location.protocol === "file:") {
      help.textContent = `This figure can be grabbed where the book is served; here its controls are off. ${fromFolder}`;
      figure.querySelectorAll("input, select, textarea, button").forEach((control) => (control.disabled = true));
      return void (figure.querySelector(".hs-controls").hidden = false);
    }
    const files = ["../grab.js", "grabbed.js"];
    if (figure.querySelector(".hs-own")) files.push("playground.js");
    const imports = files.map((file) => import(new URL(file, here)));
    const modules = await Promise.all(imports).catch(() => null); // the page may be closing
    if (!modules) return void (help.textContent = "The figure’s script did not come. Reload the page.");
    const [{ attach }, { shownBy }, playground] = modules;
    const cell = Number(figure.closest(".cell").id.replace("cell-", ""));
    const first = `The first move fetches Python, ${megabytes} MB, once.`;
    const attached = attach(figure, shownBy({ root, name }, cell), first);
    playground?.addTextBox(figure, attached);
  }

  // before the text below is shown, to avoid layout shifts
  if (chapterMegabytes) chapter(document.currentScript);
  document.addEventListener("DOMContentLoaded", function () {
    document.querySelectorAll(".cell.tag_stub").forEach(exercise);
    const contents = document.querySelector('.page-toc a[href="#exercises"]');
    if (contents) progress.markCount(contents, keys);
    document.querySelectorAll(".hs-grab").forEach(grabbed);
  });
})();
