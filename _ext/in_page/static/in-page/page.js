/* The buttons under an exercise and at the head of a chapter.  Nothing is fetched before
   a reader presses one: then the modules beside this file do the work. */
(function () {
  "use strict";

  const here = new URL(".", document.currentScript.src);
  const name = location.pathname.split("/").pop().replace(/\.html$/, "");
  const root = new URL(document.documentElement.dataset.content_root || "../", location);
  const FROM_FOLDER =
    "A browser runs no code from a folder. Serve the book (make serve, or python -m " +
    "http.server in its folder) and open that address.";

  function make(tag, properties, ...children) {
    const element = Object.assign(document.createElement(tag), properties);
    element.append(...children);
    return element;
  }

  function bar(text, place) {
    const button = (words, kind) =>
      make("button", { type: "button", className: `hs-button hs-${kind}`, textContent: words });
    const parts = {
      run: button(text, "run"),
      halt: button("Stop", "stop"),
      again: button("Start over", "again"),
      status: make("span", { className: "hs-status" }),
    };
    parts.status.setAttribute("role", "status");
    parts.halt.hidden = parts.again.hidden = true;
    place(make("div", { className: "hs-bar" }, ...Object.values(parts)));
    return parts;
  }

  // The first click fetches the module that knows what to do with this and later clicks.
  function onFirstClick(parts, file, begin) {
    async function first() {
      if (location.protocol === "file:") return void (parts.status.textContent = FROM_FOLDER);
      parts.run.disabled = true;
      parts.status.textContent = "Fetching the editor …";
      try {
        const module = await import(new URL(file, here));
        parts.run.removeEventListener("click", first);
        await begin(module);
      } catch {
        parts.run.addEventListener("click", first);
        parts.status.textContent = "A file of the book is missing: the editor.";
      }
      parts.run.disabled = false;
    }
    parts.run.addEventListener("click", first);
  }

  function exercise(cell) {
    const input = cell.querySelector(".cell_input");
    const checker = /check\.(\w+)/.exec(input.textContent)[1];
    const key = `halfspaces:${name}:${checker}`;
    const parts = bar("Edit and run", (element) => input.after(element));
    try {
      if (localStorage.getItem(key)) parts.status.textContent = "Your answer is kept here.";
    } catch { /* storage is forbidden: nothing is kept */ }
    onFirstClick(parts, "exercise.js", (m) => m.exercise(cell, parts, key, { root, name }));
  }

  function chapter(place) {
    const parts = bar("Run this chapter", (element) => place.after(element));
    parts.status.textContent = "Then every cell can be changed. Fetches Python, 50 MB, once.";
    onFirstClick(parts, "chapter.js", (m) => m.chapter(parts, { root, name }));
  }

  chapter(document.currentScript); // before the text below it is shown: nothing jumps
  document.addEventListener("DOMContentLoaded", function () {
    document.querySelectorAll(".cell.tag_stub").forEach(exercise);
  });
})();
