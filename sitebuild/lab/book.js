// A JupyterLab extension, written as JupyterLab loads it: without a bundler.
//
// jupyterlab_myst renders the Markdown of a chapter.  It knows no bibliography, no number
// of the chapter and no other page, so what it leaves open is filled in here whenever it
// has rendered a cell: citations, "Exercise 1" for "Exercise 2.1", references elsewhere.
{
  const here = new URL(".", document.currentScript.src);

  // "Theorem 3", alone in a link or a heading
  const NUMBERED = /^(Algorithm|Axiom|Assumption|Conjecture|Corollary|Criterion|Definition|Example|Exercise|Lemma|Observation|Property|Proposition|Remark|Theorem)\s(\d+)$/;

  // Text is changed in the nodes that React made, or it could not find them again.
  function say(element, words) {
    if (element.textContent === words) return;
    const [first, ...rest] = [...element.childNodes].filter((node) => node.data);
    first.data = words;
    for (const node of rest) node.data = "";
  }

  function cite(error, works) {
    const work = works[error.textContent.trim()];
    if (!work) return; // a key that is in no bibliography stays a warning
    const group = error.closest(".cite-group.narrative");
    const textual = group?.children.length === 1; // {cite:t}: a part of the sentence
    group?.classList.toggle("hs-textual", textual);
    error.className = "hs-cite";
    error.title = work.full;
    say(error, work.names + (textual ? ` [${work.year}]` : `, ${work.year}`));
  }

  function refer(error, labels) {
    const label = labels[error.textContent.trim()];
    if (!label) return;
    error.className = "hs-elsewhere";
    error.title = "";
    error.dataset.page = label.page;
    error.role = "link";
    error.tabIndex = 0;
    say(error, label.text);
  }

  function number(link, chapter, labels) {
    const found = NUMBERED.exec(link.textContent);
    if (found && chapter) say(link, `${found[1]} ${chapter}.${found[2]}`);
    const label = labels[link.getAttribute("href")?.slice(1)];
    if (!label || !/^\([\d.]+\)$/.test(link.textContent)) return;
    link.classList.add("hs-numbered"); // an equation that has a label, or a reference to it
    say(link, label.text);
  }

  function complete(cell, widget, { pages, labels, works }) {
    const chapter = pages[widget?.context.path.replace(/\.\w+$/, "")]?.number;
    const all = (what) => cell.querySelectorAll(what);
    for (const error of all('[title="Citation Not Found"]')) cite(error, works);
    for (const error of all('[title="Cross Reference Not Found"]')) refer(error, labels);
    for (const link of all("a")) number(link, chapter, labels);
    for (const title of all(".myst-proof-title > span:first-child"))
      if (/^Proof\s\d+$/.test(title.textContent)) say(title, "Proof");
    for (const title of all(".myst-exercise-title"))
      for (const node of title.childNodes) if (node.data === "Start of ") node.data = "";
  }

  // {doc}`geometry` comes out as a link to a file "geometry", or to a heading of that name,
  // and {ref}`text <label>` as a link to nowhere if the label is on another page.
  function pageOf(link, widget, { pages, labels }) {
    if (link.dataset.page) return link.dataset.page;
    const href = link.getAttribute("href").replace(/\?.*/, "");
    if (href !== "#") return /^(?:#|.*\/)?(\w+)$/.exec(href)?.[1];
    const containsLink = (cell) => cell.node.contains(link);
    const source = widget?.content.widgets?.find(containsLink)?.model.sharedModel.getSource() ?? "";
    const here = widget?.context.path.replace(/\.\w+$/, "");
    const away = [...source.matchAll(/\{(?:prf:)?ref\}`[^`<]+<([^`>]+)>`/g)]
      .map((found) => labels[found[1].toLowerCase()]?.page)
      .filter((page) => page !== here);
    const dead = [...link.closest(".myst").querySelectorAll('a[href="#"]')];
    return away[dead.indexOf(link)];
  }

  function open(event, app, book) {
    const link = event.target.closest?.(".myst :is(a[href]:not([title]), [data-page])");
    if (!link || (event.type === "keydown" && event.key !== "Enter")) return;
    const page = book.pages[pageOf(link, widgetOf(link, app), book)];
    if (!page) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    const factory = page.path.endsWith(".md") ? "Markdown Preview" : "default";
    app.commands.execute("docmanager:open", { path: page.path, factory });
  }

  // The document in which the element lies.
  function widgetOf(element, app) {
    for (const widget of app.shell.widgets("main"))
      if (widget.node.contains(element) && widget.context) return widget;
  }

  // A document that was only opened is not changed: autosave would write the chapter.
  // JupyterLab calls it so when it notes the kernel, and jupyter-widgets when it restores
  // an animation, neither of which is an edit.
  async function keepClean({ model, ready }) {
    await ready;
    let edited = false;
    let ofKernel = false;
    model.metadataChanged.connect((_, { key }) => {
      ofKernel = key === "kernelspec" || key === "language_info";
    });
    model.contentChanged.connect(() => {
      edited ||= !ofKernel;
      ofKernel = false;
    });
    model.stateChanged.connect((_, { name, newValue }) => {
      if (name === "dirty" && newValue && !edited) model.dirty = false;
    });
  }

  async function activate(app) {
    app.docRegistry.addWidgetExtension("Notebook", {
      createNew: (_, context) => void keepClean(context),
    });
    const style = document.createElement("link");
    style.rel = "stylesheet";
    style.href = new URL("book.css", here);
    document.head.append(style);
    const book = await (await fetch(new URL("book.json", here))).json();
    for (const way of ["click", "keydown"])
      document.addEventListener(way, (event) => open(event, app, book), true);
    new MutationObserver((records) => {
      const changed = new Set();
      for (const { target, addedNodes } of records) {
        changed.add((target.closest ? target : target.parentElement)?.closest(".myst"));
        for (const node of addedNodes) {
          if (node.matches?.(".myst")) changed.add(node);
          for (const inner of node.querySelectorAll?.(".myst") ?? []) changed.add(inner);
        }
      }
      for (const cell of changed) if (cell) complete(cell, widgetOf(cell, app), book);
    }).observe(document.body, { characterData: true, childList: true, subtree: true });
  }

  const plugin = { id: "halfspaces:book", autoStart: true, activate };
  window._JUPYTERLAB ??= {};
  window._JUPYTERLAB.halfspaces = { init() {}, get: async () => () => plugin };
}
