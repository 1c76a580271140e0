/* The buttons of exercises and chapters, and interactive figures.
   They fetch Python and the modules in this folder only after a click or a move. */
(function () {
  "use strict";

  const { progress } = window; // from progress.js
  const { make, messages } = window.elements;
  const here = new URL(".", document.currentScript.src);
  const name = location.pathname.split("/").pop().replace(/\.html$/, "");
  const root = new URL(document.documentElement.dataset.content_root || "../", location);
  const { megabytes, chapterMegabytes } = document.currentScript.dataset; // download sizes
  const withVariants = document.currentScript.dataset.another.split(" "); // checkers
  const FILES = ["fetch_file", "python", "editor", "show", "animation", "figure_frames", "edit_and_run", "chapter"];
  const noServer = location.protocol === "file:" &&
    "A browser runs no code from a folder. Serve the book (make serve, or python -m " +
    "http.server in its folder) and open that address.";

  // title: element with the name of the exercise
  function addBar(runText, title, insert) {
    const button = (text, kind) => {
      const element = make("button", { type: "button", className: `hs-button hs-${kind}` });
      element.textContent = text;
      if (title) element.setAttribute("aria-describedby", title.id);
      return element;
    };
    const parts = {
      run: button(runText, "run"),
      reset: button("Start over", "reset"),
      another: button("Other numbers", "another"),
      halt: button("Stop", "stop"),
      ...messages(),
    };
    parts.halt.hidden = parts.reset.hidden = parts.another.hidden = true;
    const element = make("div", { className: "hs-bar" });
    element.append(...Object.values(parts).filter((part) => part.nodeType));
    insert(element);
    return { ...parts, bar: element, title: title?.textContent.trim() };
  }

  // A browser does not retry a failed module, so first fetch all of them.  Returns an error
  // message or "".
  async function fetchModules() {
    for (const file of FILES.map((name) => `${name}.js`)) {
      const response = await fetch(new URL(file, here)).catch(() => null);
      if (!response) return "The book's server does not answer. Check the network and press again.";
      if (!response.ok) return `A file of the book is missing: ${file}.`;
      await response.arrayBuffer();
    }
    return "";
  }

  // On the first click, load the module that handles this and later clicks.
  function onFirstClick({ run, showStatus, bar }, file, begin) {
    let isBusy = false;
    async function load() {
      if (noServer || isBusy) return;
      isBusy = true;
      showStatus("", "Fetching the editor …");
      const failure = await fetchModules();
      const module = !failure && (await import(new URL(file, here)).catch(() => null));
      isBusy = false;
      showStatus(module ? "" : failure || "The editor did not load. Reload the page.");
      if (module) {
        run.removeEventListener("click", load);
        bar.classList.add("hs-open");
        begin(module);
      }
    }
    run.addEventListener("click", load);
  }

  const keys = []; // storage keys of the answers

  function exercise(cell) {
    const input = cell.querySelector(".cell_input");
    const title = cell.previousElementSibling.querySelector(".admonition-title");
    title.id ||= `${cell.id}-title`;
    const parts = addBar("Edit and run", title, (element) => input.after(element));
    const checker = /check\.(\w+)/.exec(input.textContent)[1];
    const key = `${name}:${checker}`;
    if (!withVariants.includes(checker)) parts.another.remove();
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
    const saved = progress.get(key) ? "Your answer is saved here. " : "";
    parts.showStatus("", saved + (noServer || `Fetches Python, ${megabytes} MB, once.`));
    onFirstClick(parts, "edit_and_run.js", (m) => m.exercise(cell, parts, key, earlier, { root, name }));
  }

  function chapter(script) {
    const parts = addBar("Run this chapter", null, (element) => script.after(element));
    parts.another.remove();
    const fetches = `Then every cell can be changed. Fetches Python, ${chapterMegabytes} MB, once.`;
    parts.showStatus("", noServer || fetches);
    onFirstClick(parts, "chapter.js", (m) => m.chapter(parts, { root, name }));
  }

  // Points of an interactive figure move at once; Python loads on the first change.
  async function interactiveFigure(figure) {
    const help = figure.querySelector(".hs-help");
    if (location.protocol === "file:") {
      help.textContent = `This figure works only where the book is served; its controls are off here. ${noServer}`;
      figure.querySelectorAll("input, select, textarea, button").forEach((control) => (control.disabled = true));
      return void (figure.querySelector(".hs-controls").hidden = false);
    }
    const files = ["../grab.js", "figure_frames.js"];
    if (figure.querySelector(".hs-paste")) files.push("playground.js");
    const imports = files.map((file) => import(new URL(file, here)));
    const modules = await Promise.all(imports).catch(() => null); // the page may be closing
    if (!modules) return void (help.textContent = "The figure’s script did not load. Reload the page.");
    const [{ attach }, { frameRequester }, playground] = modules;
    const cell = Number(figure.closest(".cell").id.replace("cell-", ""));
    const downloadSize = `The first move fetches Python, ${megabytes} MB, once.`;
    const attached = attach(figure, frameRequester({ root, name }, cell), downloadSize);
    playground?.addTextBox(figure, attached);
  }

  // before the text that follows, to avoid layout shifts
  if (chapterMegabytes) chapter(document.currentScript);
  document.addEventListener("DOMContentLoaded", function () {
    document.querySelectorAll(".cell.tag_stub").forEach(exercise);
    const contents = document.querySelector('.page-toc a[href="#exercises"]');
    if (contents) progress.markCount(contents, keys);
    document.querySelectorAll(".hs-grab").forEach(interactiveFigure);
  });
})();
