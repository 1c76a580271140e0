/* Shrink formulas that are too wide for the paper while the page is printed.  The event comes
   before the layout for paper, so widths are measured in em; book.css sets the line width.

   Folded text prints, except code and solutions.  Browsers without the rule in book.css, such
   as Firefox 140, need open folds while the page is printed. */
(function () {
  "use strict";

  const LINE_WIDTH = 41; // of the text, in em
  const CELL_WIDTH = 27; // of a table cell next to text
  const MIN_SCALE = 0.5; // a smaller formula in a table is replaced by "too wide for paper"

  window.addEventListener("beforeprint", function () {
    const closed = document.querySelectorAll("details:not([open], .above-input)");
    if (!CSS.supports("selector(details::details-content)")) closed.forEach(unfold);
    const formulas = [...document.querySelectorAll(".bd-article math")];
    const widths = formulas.map(function (math) {
      return math.getBoundingClientRect().width / parseFloat(getComputedStyle(math).fontSize);
    });
    formulas.forEach(function (math, i) {
      const scale = (math.closest("table") ? CELL_WIDTH : LINE_WIDTH) / widths[i];
      if (scale < 1) math.style.fontSize = `${scale}em`;
      math.classList.toggle("hs-too-wide", math.closest("td, th") && scale < MIN_SCALE);
    });
  });

  function unfold(fold) {
    fold.classList.add("hs-printing");
    fold.open = true;
    const close = () => ((fold.open = false), fold.classList.remove("hs-printing"));
    window.addEventListener("afterprint", close, { once: true });
  }

  window.addEventListener("afterprint", function () {
    document.querySelectorAll(".bd-article math").forEach(function (math) {
      math.style.fontSize = "";
      math.classList.remove("hs-too-wide");
    });
  });
})();
