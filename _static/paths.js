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

  // "Begin: a week" becomes "Continue: 3 The perceptron", and after the last stop "Read again: a week".
  function showButton(link) {
    link.dataset.begin ||= JSON.stringify([link.getAttribute("href"), link.textContent]);
    const [href, textContent] = JSON.parse(link.dataset.begin);
    const isChosen = link.dataset.path === path.name, isStarted = isChosen && path.next;
    const startText = isChosen && path.done.length ? textContent.replace("Begin", "Read again") : textContent;
    link.setAttribute("href", isStarted ? path.next : href);
    link.textContent = isStarted ? `Continue: ${path.title}` : startText;
    link.classList.toggle("hs-run", !path.name || isChosen);
  }

  // Link back to the path from a section outside all stops, or in a stop that is done.
  function addReturnLine() {
    document.getElementById("hs-return")?.remove();
    const lines = all(".hs-path:not([hidden])"); // none on the first page, or without a path
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    const heading = target?.closest("section")?.querySelector(":scope > :is(h2, h3)");
    if (!lines.length || !heading) return;
    const isAbove = (line) => line.compareDocumentPosition(target) === Node.DOCUMENT_POSITION_FOLLOWING;
    const first = heading.nextElementSibling;
    const above = lines.filter((line) => line.dataset.stop && (isAbove(line) || line === first));
    const stop = above.length % 2 && above.at(-1); // the stop that contains the target
    const isDone = stop && path.next && path.done.includes(Number(stop.dataset.stop));
    if (stop ? !isDone : lines.includes(first)) return;
    const where = stop ? "You have read this stop" : "This section is not on your path";
    const back = `${where}. <a href="${fromHere("intro.html")}">To the first page</a>`;
    const html = `<p class="hs-path" id="hs-return" data-path="${path.name}">${back}</p>`;
    (target.matches(".proof, .math") ? target : heading).insertAdjacentHTML("afterend", html);
    show();
  }

  // Stored URLs are relative to the folder of the chapters.
  const depth = () => location.pathname.split("/chapters/")[1].split("/").length - 1;
  const fromHere = (url) => "../".repeat(depth()) + url;
  const chapterPath = (link) => link.href.split("/chapters/")[1];

  function onClick({ target }) {
    const link = target.closest?.(".hs-path a, .hs-begin > a");
    const line = link?.parentElement;
    if (!link) return;
    if (line.matches(".hs-begin")) {
      if (link.dataset.path !== path.name) set({ ...NONE, name: link.dataset.path });
    } else if (line.dataset.stop) {
      const done = [...new Set([...path.done, Number(line.dataset.stop)])];
      const title = link.textContent.replace(/^Next: /, "");
      const last = chapterPath(link).startsWith("intro.html");
      set({ done, next: last ? "" : chapterPath(link), title: last ? "" : title });
    }
  }

  document.addEventListener("DOMContentLoaded", function () {
    const leaveButton = document.createElement("button");
    Object.assign(leaveButton, { type: "button", className: "hs-button", textContent: "Leave the path" });
    leaveButton.addEventListener("click", () => set(NONE));
    document.querySelector(".hs-begin")?.append(" ", leaveButton);
    load();
    show();
    addReturnLine();
    addEventListener("hashchange", addReturnLine);
    document.addEventListener("click", onClick, { capture: true });
    addEventListener("storage", () => (load(), show()));
  });
})();
