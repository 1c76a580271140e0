// A JupyterLab extension in the form that JupyterLab loads, without a bundler.
//
// jupyterlab_myst renders the Markdown of a chapter without the bibliography, the number of
// the chapter and the other pages.  After it has rendered a cell, this script completes
// citations, numbers ("Exercise 2.1" for "Exercise 1") and references to other pages.
{
  const here = new URL(".", document.currentScript.src);

  // the whole text of a link or a heading, such as "Theorem 3"
  const NUMBERED = /^(Algorithm|Axiom|Assumption|Conjecture|Corollary|Criterion|Definition|Example|Exercise|Lemma|Observation|Property|Proposition|Remark|Theorem)\s(\d+)$/;

  // Change the text inside the text nodes, which React needs to find.
  function setText(element, text) {
    if (element.textContent === text) return;
    const [first, ...rest] = [...element.childNodes].filter((node) => node.data);
    first.data = text;
    for (const node of rest) node.data = "";
  }

  function cite(element, works) {
    const work = works[element.textContent.trim()];
    if (!work) return; // leave the warning for an unknown key
    const group = element.closest(".cite-group.narrative");
    const textual = group?.children.length === 1; // {cite:t}, part of a sentence
    group?.classList.toggle("hs-textual", textual);
    element.className = "hs-cite";
    element.title = work.full;
    setText(element, work.names + (textual ? ` [${work.year}]` : `, ${work.year}`));
  }

  function refer(element, labels) {
    const label = labels[element.textContent.trim()];
    if (!label) return;
    element.className = "hs-elsewhere";
    element.title = "";
    element.dataset.page = label.page;
    element.role = "link";
    element.tabIndex = 0;
    setText(element, label.text);
  }

  function number(link, chapter, labels) {
    const found = NUMBERED.exec(link.textContent);
    if (found && chapter) setText(link, `${found[1]} ${chapter}.${found[2]}`);
    const label = labels[link.getAttribute("href")?.slice(1)];
    if (!label || !/^\([\d.]+\)$/.test(link.textContent)) return;
    link.classList.add("hs-numbered"); // an equation with a label, or a reference to it
    setText(link, label.text);
  }

  function complete(cell, widget, { pages, labels, works }) {
    const chapter = pages[widget?.context.path.replace(/\.\w+$/, "")]?.number;
    const all = (selector) => cell.querySelectorAll(selector);
    for (const error of all('[title="Citation Not Found"]')) cite(error, works);
    for (const error of all('[title="Cross Reference Not Found"]')) refer(error, labels);
    for (const link of all("a")) number(link, chapter, labels);
    for (const title of all(".myst-proof-title > span:first-child"))
      if (/^Proof\s\d+$/.test(title.textContent)) setText(title, "Proof");
    for (const title of all(".myst-exercise-title"))
      for (const node of title.childNodes) if (node.data === "Start of ") node.data = "";
  }

  // jupyterlab_myst renders {doc}`geometry` as a link to a file or heading "geometry", and
  // {ref}`text <label>` as a link to "#" if the label is on another page.
  function pageOf(link, widget, { pages, labels }) {
    if (link.dataset.page) return link.dataset.page;
    const href = link.getAttribute("href").replace(/\?.*/, "");
    if (href !== "#") return /^(?:#|.*\/)?(\w+)$/.exec(href)?.[1];
    const containsLink = (cell) => cell.node.contains(link);
    const source = widget?.content.widgets?.find(containsLink)?.model.sharedModel.getSource() ?? "";
    const here = widget?.context.path.replace(/\.\w+$/, "");
    const otherPages = [...source.matchAll(/\{(?:prf:)?ref\}`[^`<]+<([^`>]+)>`/g)]
      .map((found) => labels[found[1].toLowerCase()]?.page)
      .filter((page) => page !== here);
    const links = [...link.closest(".myst").querySelectorAll('a[href="#"]')];
    return otherPages[links.indexOf(link)];
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

  // Return the document that contains an element.
  function widgetOf(element, app) {
    for (const widget of app.shell.widgets("main"))
      if (widget.node.contains(element) && widget.context) return widget;
  }

  // Do not mark a document as changed without an edit, since autosave would write the chapter.
  // JupyterLab marks it when it stores the kernel in the metadata, and jupyter-widgets when it
  // restores an animation.
  async function keepClean({ model, ready }) {
    await ready;
    let edited = false;
    let isKernelMetadata = false;
    model.metadataChanged.connect((_, { key }) => {
      isKernelMetadata = key === "kernelspec" || key === "language_info";
    });
    model.contentChanged.connect(() => {
      edited ||= !isKernelMetadata;
      isKernelMetadata = false;
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
    for (const type of ["click", "keydown"])
      document.addEventListener(type, (event) => open(event, app, book), true);
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
