// A JupyterLab extension, written as JupyterLab loads it: without a bundler.
//
// jupyterlab_myst renders the Markdown of a chapter.  It knows no bibliography, no number
// of the chapter, no other page, so what it leaves open is filled in here whenever it has
// rendered a cell: citations, "Exercise 1" for "Exercise 2.1", links to other pages.
{
  const here = new URL(".", document.currentScript.src);

  // "Theorem 3", alone in a link or a heading
  const NUMBERED = /^(Algorithm|Axiom|Assumption|Conjecture|Corollary|Criterion|Definition|Example|Exercise|Lemma|Observation|Property|Proposition|Remark|Theorem)\s(\d+)$/;

  // Text is changed in the nodes that React made, or it could not find them again.
  const lastText = (element) =>
    [...element.childNodes].findLast((node) => node.nodeType === Node.TEXT_NODE);

  function cite(error, works) {
    const work = works[error.textContent.trim()];
    if (!work) return; // a key that is in no bibliography stays a warning
    const group = error.closest(".cite-group.narrative");
    const textual = group?.children.length === 1; // {cite:t}: a part of the sentence
    group?.classList.toggle("hs-textual", textual);
    error.className = "hs-cite";
    error.title = work.full;
    lastText(error).data = work.names + (textual ? ` [${work.year}]` : `, ${work.year}`);
  }

  function number(title, chapter) {
    const text = NUMBERED.test(title.textContent) && lastText(title);
    if (text && chapter) text.data = text.data.replace(/\d+$/, `${chapter}.$&`);
  }

  // {doc}`geometry` comes out as a link to a file "geometry", or to a heading of that name.
  function open(event, app, pages) {
    const link = event.target.closest?.(".myst a[href]:not([title])");
    const href = link?.getAttribute("href").replace(/\?.*/, "") ?? "";
    const page = pages[/^(?:#|.*\/)?(\w+)$/.exec(href)?.[1]];
    if (!page) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    const factory = page.path.endsWith(".md") ? "Markdown Preview" : "default";
    app.commands.execute("docmanager:open", { path: page.path, factory });
  }

  function complete(cell, app, { pages, works }) {
    const chapter = pages[pageOf(cell, app)]?.number;
    for (const error of cell.querySelectorAll('[title="Citation Not Found"]'))
      cite(error, works);
    for (const link of cell.querySelectorAll("a")) number(link, chapter);
    for (const title of cell.querySelectorAll(".myst-proof-title > span:first-child"))
      if (/^Proof\s\d+$/.test(title.textContent))
        lastText(title).data = lastText(title).data.replace(/\s*\d+$/, "");
    for (const title of cell.querySelectorAll(".myst-exercise-title")) {
      const start = [...title.childNodes].find((node) => node.data === "Start of ");
      if (start) start.data = "";
    }
  }

  // The page of the book that is open where the element lies.
  function pageOf(element, app) {
    for (const widget of app.shell.widgets("main"))
      if (widget.node.contains(element))
        return widget.context?.path.replace(/\.\w+$/, "");
  }

  async function activate(app) {
    const style = document.createElement("link");
    style.rel = "stylesheet";
    style.href = new URL("book.css", here);
    document.head.append(style);
    const book = await (await fetch(new URL("book.json", here))).json();
    document.addEventListener("click", (event) => open(event, app, book.pages), true);
    new MutationObserver((records) => {
      const changed = new Set();
      for (const { target, addedNodes } of records) {
        changed.add((target.closest ? target : target.parentElement)?.closest(".myst"));
        for (const node of addedNodes)
          for (const inner of node.querySelectorAll?.(".myst") ?? []) changed.add(inner);
      }
      for (const cell of changed) if (cell) complete(cell, app, book);
    }).observe(document.body, { characterData: true, childList: true, subtree: true });
  }

  const plugin = { id: "halfspaces:book", autoStart: true, activate };
  window._JUPYTERLAB ??= {};
  window._JUPYTERLAB.halfspaces = { init() {}, get: async () => () => plugin };
}
