/* Additions to the theme: accessible names for controls, and formulas that a keyboard can
   scroll. */
(function () {
  "use strict";

  function each(selector, action, root = document) {
    root.querySelectorAll(selector).forEach(action);
  }

  function set(element, attribute, value) {
    // Only on a change, since this runs in a MutationObserver.
    if (element.getAttribute(attribute) !== value) element.setAttribute(attribute, value);
  }

  // The theme does this only when the page loads, but folds may open later.
  function makeWideBoxesFocusable() {
    const boxes = "div.math, pre, .bd-article p:not(.visually-hidden):has(math), .hs-scroll, .cell_output > .output";
    each(boxes, function (box) {
      if (box.scrollWidth > box.clientWidth + 1) set(box, "tabindex", "0");
      else box.removeAttribute("tabindex");
    });
  }

  function repairTheme() {
    each(".theme-switch-button", function (button) {
      const icons = [...button.querySelectorAll("svg")];
      const shown = icons.find((icon) => getComputedStyle(icon).display !== "none");
      set(button, "aria-label", `Color mode ${shown ? shown.textContent.trim() : ""}`.trim());
    });
    each("details.hide > summary", (summary) => summary.removeAttribute("aria-label"));
    each(".search-button-field", (button) => button.removeAttribute("aria-label"));
    let number = ""; // of the exercise above a solution
    each(".exercise .caption-number, .toggle-button", function (found) {
      if (!found.matches("button")) number = found.textContent.trim().toLowerCase();
      else set(found, "aria-label", `${found.dataset.toggleHint} solution of ${number}`);
    });
    each(".copybtn", function (button) {
      const line = button.previousElementSibling.textContent.trim().split("\n")[0];
      set(button, "aria-label", `${button.dataset.tooltip} ${line}`); // Copy, or Copied!
    });
    const menu = document.querySelector(".bd-sidebar-primary:not(.pst-sidebar-hidden)");
    const menuShown = Boolean(menu) && matchMedia("(min-width: 992px)").matches; // else a dialog
    each(".primary-toggle", (button) => set(button, "aria-expanded", String(menuShown)));
    each(".dropdown-download-buttons .dropdown-item", function (item) {
      const hint = item.title || item.dataset.bsOriginalTitle; // tooltips move the title
      if (hint) set(item, "aria-label", `${item.textContent.trim()}: ${hint}`);
    });
    each("#pst-search-dialog", (dialog) => set(dialog, "aria-label", "Search the book"));
    each(".citation-list, .citation", (item) => item.removeAttribute("role"));
    each(".sidebar-primary-item > .navbar-brand", function (brand) {
      set(brand.parentElement, "role", "region");
      set(brand.parentElement, "aria-label", "Book");
    });
  }

  function oncePerFrame(action) {
    let waiting = false;
    return function () {
      if (waiting) return;
      waiting = true;
      requestAnimationFrame(function () {
        waiting = false;
        action();
      });
    };
  }

  // Search results show the text of a page without menus and buttons, and for a term of the
  // glossary its definition.  Links include the section, since a page has several results.
  function improveSearchResults() {
    const omitted = "script, style, summary, .headerlink, .hs-tips", { makeSearchSummary } = Search;
    let sectionTitle; // (words) => title of the matching section of the last page
    Search.makeSearchSummary = function (html, words, anchor) {
      const summary = makeSearchSummary(html, words, anchor), title = sectionTitle([...words]);
      queueMicrotask(function () {
        const link = summary?.parentElement?.querySelector("a");
        const [page, found] = link?.textContent.split(" > ") ?? [];
        if (title && link && !found) link.append(` > ${title}`);
        else if (found && title.includes(found)) link.textContent = `${page} > ${title}`;
      });
      return summary;
    };
    Search.htmlToText = function (html, anchor) {
      const page = new DOMParser().parseFromString(html, "text/html");
      const text = page.querySelector(".bd-article") || page.body;
      each(omitted, (element) => element.remove(), text);
      each("math", writeInOneLine, text);
      const target = anchor && text.querySelector(anchor);
      sectionTitle = (words) => titleOf(target || text.querySelector("section") || text, target ? [] : words);
      const inGlossary = target && target.tagName === "DT" && target.closest(".glossary");
      if (inGlossary) return target.textContent + ": " + definition(target).textContent;
      return (target && target.textContent.trim()) || text.textContent;
    };
  }

  // The text of a formula alone would turn a power or a fraction into a product.
  function writeInOneLine(formula) {
    const mark = (sign) => function (part) {
      const isLong = part.matches("mrow") && !/^\(.*\)$/.test(part.textContent);
      if (isLong) part.replaceChildren("(", ...part.childNodes, ")");
      part.prepend(sign);
    };
    each("msup > :last-child, msubsup > :last-child", mark("^"), formula);
    each("mfrac > :first-child", mark(""), formula);
    each("mfrac > :last-child", mark("/"), formula);
  }

  // Return the title of the box, term or section of an element; with words, of the first
  // section inside it that contains a word.
  function titleOf(element, words) {
    const titles = "h1, h2, h3, h4, h5, .admonition-title";
    const matches = (part) => words.some((word) => part.textContent.toLowerCase().includes(word));
    for (let inner = element; inner && words.length; ) {
      element = inner;
      const parts = [...element.children];
      const found = parts.some((part) => !part.matches("section") && matches(part));
      inner = found ? null : parts.find((part) => part.matches("section") && matches(part));
    }
    const box = element.matches("dt") ? element : element.closest(".proof, .exercise, section");
    const title = box?.matches("dt") ? box : box?.querySelector(titles);
    return !title || title.matches("h1") ? "" : title.textContent.replace(/\s+/g, " ").trim();
  }

  // Tell screen readers how many pages were found, after the page has loaded.  Links to
  // functions are labeled with the page, which is in the next element.
  function announceResults(results) {
    const status = document.createElement("p");
    Object.assign(status, { className: "visually-hidden", role: "status" });
    results.before(status);
    let timer;
    function announce() {
      each("li > a + span", ({ previousElementSibling: link, textContent }) => {
        link.ariaLabel = link.textContent + textContent;
      }, results);
      status.textContent = results.querySelector(".search-summary").textContent;
    }
    new MutationObserver(function () {
      clearTimeout(timer);
      if (!status.textContent) timer = setTimeout(announce, 1000);
    }).observe(results, { subtree: true, childList: true });
  }

  function definition(term) {
    while (term.tagName === "DT") term = term.nextElementSibling; // two terms share a definition
    return term.querySelector("p");
  }

  // A page that is opened from the search scrolls to the first match.
  function scrollToMatch() {
    const word = document.querySelector(".bd-article .highlighted");
    if (!word || location.hash) return;
    for (let box = word; (box = box.parentElement.closest("details")); ) box.open = true;
    word.scrollIntoView({ block: "center" });
  }

  // Sphinx's link has a javascript: URL, which the policy forbids.
  function replaceHideLink(link) {
    const button = document.createElement("button");
    Object.assign(button, { type: "button", className: "hs-button", textContent: link.textContent });
    button.addEventListener("click", SphinxHighlight.hideSearchWords);
    link.replaceWith(button);
  }

  // perceptron.html?embed=ex-by-hand shows a single exercise, figure or theorem, for an iframe
  // in a course page.
  function showAlone(id) {
    let target = document.getElementById(id);
    if (!target) {
      target = document.createElement("p");
      target.textContent = `This page has no “${id}”.`;
      document.querySelector("article").append(target);
    }
    const editor = target.matches(".exercise") ? target.nextElementSibling : null;
    const visible = [target, editor].filter(Boolean);
    for (let box = target; box !== document.body; box = box.parentElement) {
      for (const other of box.parentElement.children) {
        if (other !== box && !visible.includes(other) && !other.matches("script")) other.hidden = true;
      }
    }
    const bookLink = document.createElement("a");
    Object.assign(bookLink, { href: `${location.pathname}#${id}`, target: "_blank", textContent: "In the book" });
    visible.at(-1).after(bookLink);
    document.documentElement.classList.add("hs-alone");
  }

  // The theme marks a section in the contents when its heading scrolls into the top 30% of the
  // window, so after a jump the mark may be wrong.
  function markSection() {
    const links = [...document.querySelectorAll('#pst-page-toc-nav a[href^="#"]')];
    const top = (link) => document.getElementById(link.hash.slice(1)).getBoundingClientRect().top;
    const last = (limit) => links.findLastIndex((link) => top(link) < limit);
    const marked = links.findIndex((link) => link.classList.contains("active"));
    const current = last(0.3 * innerHeight);
    if (marked <= current && marked >= last(0.15 * innerHeight)) return;
    links.forEach(function (link, index) {
      link.classList.toggle("active", index === current);
      link.ariaCurrent = index === current ? "true" : null;
    });
    each("#pst-page-toc-nav .toc-entry", (entry) =>
      entry.classList.toggle("active", entry.contains(links[current] ?? null)));
  }

  // Add the figure, exercise or section above, as hidden text, to folds with equal names.
  function nameFolds() {
    const folds = [...document.querySelectorAll(".bd-article summary")].map((fold) => fold.textContent);
    const titles = "h1, h2, h3, h4, .caption-number, .hs-figure-number", names = [];
    const textOf = (element) => element.textContent.replace("#", "").trim().replace(/\.$/, "");
    let lastTitle = "", lastPlace = ""; // lastPlace skips theorems: an answer belongs to its section
    each(`.bd-article :is(${titles}, summary)`, function (found) {
      if (found.matches(titles)) lastTitle = textOf(found);
      if (found.matches(titles) && !found.matches(".caption-number")) lastPlace = lastTitle;
      if (found.matches(titles)) return;
      const name = found.textContent, above = name.includes("should have seen") ? lastPlace : lastTitle;
      if (folds.indexOf(name) === folds.lastIndexOf(name)) return;
      const statement = found.closest(".hs-coq details")?.previousElementSibling;
      const figure = found.closest(".cell")?.querySelector(".hs-figure-number");
      const lemma = statement?.textContent.trim().split(/\s+/)[1];
      const context = lemma || (figure ? textOf(figure) : above);
      names.push(name + context);
      const count = names.filter((other) => other === name + context).length;
      const textContent = `, ${context}${count > 1 ? `, ${count}` : ""}`;
      found.append(Object.assign(document.createElement("span"), { className: "visually-hidden", textContent }));
    });
  }

  // Escape closes the search.  If no element had the focus before, the button gets it.
  function closeSearch(dialog) {
    addEventListener("keydown", ({ key }) => key === "Escape" && dialog.close());
    dialog.addEventListener("close", function () {
      const button = [...document.querySelectorAll(".search-button__button")].find((button) => button.checkVisibility());
      const { activeElement } = document; // the closed field, until the next frame
      if (activeElement === document.body || dialog.contains(activeElement)) button?.focus();
    });
  }

  document.addEventListener("DOMContentLoaded", function () {
    const id = new URLSearchParams(location.search).get("embed");
    if (id) showAlone(id);
    const results = document.getElementById("search-results");
    if (results) {
      improveSearchResults();
      announceResults(results);
    }
    nameFolds();
    each("#pst-search-dialog", closeSearch);
    each(".sidebar-toggle", (button) => (button.blur = () => {})); // the theme calls it on a click
    each(".btn-download-pdf-button", (button) => button.addEventListener("click", () => print()));
    each(".highlight-link > a", replaceHideLink);
    document.addEventListener("click", (event) => event.target.closest(".copybtn, .theme-switch-button")?.focus());
  });

  window.addEventListener("load", function () {
    setTimeout(scrollToMatch, 50); // Sphinx marks the matches after 10 ms
    const update = oncePerFrame(function () {
      makeWideBoxesFocusable();
      repairTheme();
    });
    update();
    window.addEventListener("resize", update);
    document.fonts.addEventListener("loadingdone", update); // wider letters than before
    let timer;
    window.addEventListener("scroll", function () {
      clearTimeout(timer);
      timer = setTimeout(markSection, 150);
    }, { passive: true });
    // Ignore interactive figures, which change up to sixty times a second.
    const inFigure = ({ target }) => (target.closest ? target : target.parentElement)?.closest(".hs-grab");
    const onChange = (records) => records.every(inFigure) || update();
    new MutationObserver(onChange).observe(document.documentElement, {
      subtree: true,
      childList: true,
      characterData: true,
      attributes: true,
      attributeFilter: ["class", "open", "data-mode"],
    });
  });
})();
