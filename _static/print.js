/* Paper does not scroll: a formula that is too wide for it is set smaller while the page is
   printed.  A browser tells before it lays the paper out, so widths are counted in the size of
   the letters, which are as many on a line of paper as book.css lets them be.

   What is folded prints, but for code and solutions: book.css says so, and where a browser does
   not know that rule, as Firefox 140, folds are open while the page is printed. */
(function () {
  "use strict";

  const LINE = 41; // width of the text in em
  const CELL = 27; // width of a table cell next to text
  const LEAST = 0.5; // smallest readable scale; below it the cell names what is omitted

  window.addEventListener("beforeprint", function () {
    const closed = document.querySelectorAll("details:not([open], .above-input)");
    if (!CSS.supports("selector(details::details-content)")) closed.forEach(unfold);
    const formulas = [...document.querySelectorAll(".bd-article math")];
    const widths = formulas.map(function (math) {
      return math.getBoundingClientRect().width / parseFloat(getComputedStyle(math).fontSize);
    });
    formulas.forEach(function (math, i) {
      const room = math.closest("table") ? CELL : LINE;
      if (widths[i] > room) math.style.fontSize = `${room / widths[i]}em`;
      math.classList.toggle("hs-too-wide", math.closest("td, th") && room < LEAST * widths[i]);
    });
  });

  function unfold(fold) {
    fold.classList.add("hs-printing");
    fold.open = true;
    const shut = () => ((fold.open = false), fold.classList.remove("hs-printing"));
    window.addEventListener("afterprint", shut, { once: true });
  }

  window.addEventListener("afterprint", function () {
    document.querySelectorAll(".bd-article math").forEach(function (math) {
      math.style.fontSize = "";
      math.classList.remove("hs-too-wide");
    });
  });
})();
