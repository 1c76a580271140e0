/* The path that a reader has chosen on the first page: shows the lines of its stops, with
   ticks.  It is kept in this browser alone.  The lines are written by reading_paths.py. */
(function () {
  "use strict";

  const KEY = "halfspaces:path";
  const NONE = { name: "", done: [], next: "", title: "" };
  let path = NONE; // fallback without storage, until the page is left

  function load() {
    try {
      path = { ...NONE, ...JSON.parse(localStorage.getItem(KEY)) };
    } catch {}
  }

  function set(changes) {
    path = { ...path, ...changes };
    try {
      if (path.name) localStorage.setItem(KEY, JSON.stringify(path));
      else localStorage.removeItem(KEY);
    } catch {}
    show();
  }

  const all = (selector) => [...document.querySelectorAll(selector)];

  function show() {
    for (const line of all(".hs-path")) {
      line.hidden = line.dataset.path !== path.name;
      const back = line.dataset.stop ? null : line.querySelector("a");
      if (back && path.next && !line.hidden)
        Object.assign(back, { href: fromHere(path.next), textContent: `Continue: ${path.title}` });
      line.classList.toggle("hs-done", path.done.includes(Number(line.dataset.stop)));
    }
    all("a.hs-stop").forEach((link, k) =>
      link.classList.toggle("hs-done", path.name === "hours" && path.done.includes(k + 1)));
    all(".hs-begin > a").forEach(showButton);
    for (const leave of all(".hs-begin > button")) leave.hidden = !path.name;
  }

  // "Begin: a week" becomes "Continue: 3 The perceptron".
  function showButton(link) {
    link.dataset.begin ||= JSON.stringify([link.getAttribute("href"), link.textContent]);
    const [href, textContent] = JSON.parse(link.dataset.begin);
    const here = link.dataset.path === path.name && path.next;
    const [goal, words] = here ? [path.next, `Continue: ${path.title}`] : [href, textContent];
    link.setAttribute("href", goal);
    link.textContent = words;
    link.classList.toggle("hs-run", !path.name || link.dataset.path === path.name);
  }

  // Addresses are kept relative to the folder of the chapters.
  const depth = () => location.pathname.split("/chapters/")[1].split("/").length - 1;
  const fromHere = (address) => "../".repeat(depth()) + address;
  const inChapters = (link) => link.href.split("/chapters/")[1];

  function onClick({ target }) {
    const link = target.closest?.(".hs-path a, .hs-begin > a");
    const line = link?.parentElement;
    if (!link) return;
    if (line.matches(".hs-begin")) {
      if (link.dataset.path !== path.name) set({ ...NONE, name: link.dataset.path });
    } else if (line.dataset.stop) {
      const done = [...new Set([...path.done, Number(line.dataset.stop)])];
      const title = link.textContent.replace(/^Next: /, "");
      const last = inChapters(link).startsWith("intro.html");
      set({ done, next: last ? "" : inChapters(link), title: last ? "" : title });
    }
  }

  document.addEventListener("DOMContentLoaded", function () {
    const leave = document.createElement("button");
    Object.assign(leave, { type: "button", className: "hs-button", textContent: "Leave the path" });
    leave.addEventListener("click", () => set(NONE));
    document.querySelector(".hs-begin")?.append(" ", leave);
    load();
    show();
    document.addEventListener("click", onClick, { capture: true });
    addEventListener("storage", () => (load(), show()));
  });
})();
