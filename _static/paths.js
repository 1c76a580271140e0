/* Show the lines of the reading path that is selected on the first page, and mark visited
   stops.  The path is stored only in this browser.  reading_paths.py writes the lines. */
(function () {
  "use strict";

  const KEY = "halfspaces:path";
  const NONE = { name: "", done: [], next: "", title: "" };
  let path = NONE; // without storage, it lasts as long as the page

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
      const link = line.dataset.stop ? null : line.querySelector("a");
      if (link && path.next && !line.hidden)
        Object.assign(link, { href: fromHere(path.next), textContent: `Continue: ${path.title}` });
      line.classList.toggle("hs-done", path.done.includes(Number(line.dataset.stop)));
    }
    all("a.hs-stop").forEach((link, k) =>
      link.classList.toggle("hs-done", path.name === "hours" && path.done.includes(k + 1)));
    all(".hs-begin > a").forEach(showButton);
    for (const button of all(".hs-begin > button")) button.hidden = !path.name;
  }

  // "Begin: a week" becomes "Continue: 3 The perceptron".
  function showButton(link) {
    link.dataset.begin ||= JSON.stringify([link.getAttribute("href"), link.textContent]);
    const [href, textContent] = JSON.parse(link.dataset.begin);
    const isStarted = link.dataset.path === path.name && path.next;
    link.setAttribute("href", isStarted ? path.next : href);
    link.textContent = isStarted ? `Continue: ${path.title}` : textContent;
    link.classList.toggle("hs-run", !path.name || link.dataset.path === path.name);
  }

  // Stored URLs are relative to the folder of the chapters.
  const depth = () => location.pathname.split("/chapters/")[1].split("/").length - 1;
  const fromHere = (url) => "../".repeat(depth()) + url;
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
    const leaveButton = document.createElement("button");
    Object.assign(leaveButton, { type: "button", className: "hs-button", textContent: "Leave the path" });
    leaveButton.addEventListener("click", () => set(NONE));
    document.querySelector(".hs-begin")?.append(" ", leaveButton);
    load();
    show();
    document.addEventListener("click", onClick, { capture: true });
    addEventListener("storage", () => (load(), show()));
  });
})();
