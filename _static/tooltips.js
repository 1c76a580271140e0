/* Show the definition of a term next to its link: on hover, on focus or on the first tap.
   It stays while the pointer is on it; Escape hides it. */
(function () {
  "use strict";
  const GAP = 6; // pixels between the tooltip and the link or the edge of the window
  let open = null; // {link, tip}
  let timer = 0;

  function delay(action, milliseconds) {
    clearTimeout(timer);
    timer = setTimeout(action, milliseconds);
  }

  function hide() {
    clearTimeout(timer);
    if (open) open.tip.classList.remove("hs-open");
    open = null;
  }

  function show(link, tip) {
    if (open && open.link === link) return clearTimeout(timer);
    hide();
    open = { link, tip };
    tip.classList.add("hs-open");
    const lines = link.getClientRects(); // a link may wrap
    const [first, last] = [lines[0], lines[lines.length - 1]];
    const { width, height } = tip.getBoundingClientRect();
    const maxLeft = document.documentElement.clientWidth - width - GAP;
    const below = last.bottom + GAP + height < innerHeight || first.top < height + GAP;
    const top = below ? last.bottom + GAP : first.top - GAP - height;
    const left = Math.max(GAP, Math.min(below ? last.left : first.left, maxLeft));
    tip.style.top = `${top + scrollY}px`;
    tip.style.left = `${left + scrollX}px`;
  }

  function attach(link, tip) {
    let tapped = false; // tapped while the tooltip was hidden
    link.setAttribute("aria-describedby", tip.id);
    link.addEventListener("focus", () => link.matches(":focus-visible") && show(link, tip));
    link.addEventListener("blur", hide);
    link.addEventListener("pointerdown", function (event) {
      tapped = event.pointerType === "touch" && !(open && open.link === link);
    });
    link.addEventListener("click", function (event) {
      if (!tapped) return;
      event.preventDefault(); // the second tap follows the link
      show(link, tip);
    });
    for (const part of [link, tip]) {
      part.addEventListener("pointerenter", function (event) {
        if (event.pointerType === "touch") return;
        if (part === link) delay(() => show(link, tip), open ? 0 : 150);
        else clearTimeout(timer);
      });
      part.addEventListener("pointerleave", function (event) {
        if (event.pointerType !== "touch") delay(hide, 300);
      });
    }
  }

  document.addEventListener("DOMContentLoaded", function () {
    const tips = document.querySelector(".hs-tips");
    if (!tips) return;
    document.body.append(tips); // not clipped there
    for (const word of document.querySelectorAll("a > .std-term")) {
      const tip = document.getElementById("tip-" + word.parentElement.hash.slice(1));
      if (tip) attach(word.parentElement, tip);
    }
    document.addEventListener("keydown", (event) => event.key === "Escape" && hide());
    document.addEventListener("pointerdown", function (event) {
      if (open && !open.link.contains(event.target) && !open.tip.contains(event.target)) hide();
    });
  });
})();
