/* What the pages need beyond the theme: widgets that move and typeset their captions,
   names for the controls that have none, and formulas that a keyboard can scroll. */
(function () {
  "use strict";

  // The theme's Font Awesome turns every <i class="fa ..."> into an <svg>, late ones too.
  // The Play widget then misses its <i>, throws, and all that it drives stands still.
  // So: convert the page once, and leave the icons of the widgets to their own font.
  window.FontAwesomeConfig = Object.assign(window.FontAwesomeConfig || {}, {
    observeMutations: false,
  });

  // The widget manager typesets with MathJax.Hub.Queue, which MathJax 3 no longer has.
  // "load" would be too late: the widgets are drawn then.
  document.addEventListener("DOMContentLoaded", function () {
    const mathjax = (window.MathJax = window.MathJax || {});
    if (mathjax.Hub) return;
    mathjax.Hub = {
      Queue: function (job) {
        if (!mathjax.startup) return; // it could not be loaded
        mathjax.startup.promise = mathjax.startup.promise
          .then(() => mathjax.typesetPromise([job[2]]))
          .then(() => mathjax.typesetClear([job[2]])) // frames come and go: forget them
          .catch((error) => console.error("MathJax:", error.message));
      },
    };
  });

  const PLAY = {
    "fa-play": "Play",
    "fa-pause": "Pause",
    "fa-stop": "Back to start",
    "fa-retweet": "Repeat",
  };

  function each(selector, action, root = document) {
    root.querySelectorAll(selector).forEach(action);
  }

  function set(element, attribute, value) {
    // Only on a change: we are called for changes.
    if (element.getAttribute(attribute) !== value) element.setAttribute(attribute, value);
  }

  function labelOf(widget) {
    const label = widget.querySelector(".widget-label");
    return (label && label.textContent.trim()) || "value";
  }

  function nameWidgets() {
    each(".widget-label[title='null']", (label) => label.removeAttribute("title"));
    each(".widget-slider", function (slider) {
      const readout = slider.querySelector(".widget-readout");
      each(".noUi-handle", function (handle) {
        set(handle, "aria-label", labelOf(slider));
        if (readout) set(handle, "aria-valuetext", readout.textContent);
      }, slider);
      if (readout) readout.removeAttribute("contenteditable"); // the slider is the control
    });
    each(".widget-play button", function (button) {
      const icon = button.querySelector("i");
      const name = icon && Object.keys(PLAY).find((key) => icon.classList.contains(key));
      if (name) set(button, "aria-label", PLAY[name]);
    });
    each(".widget-toggle-buttons", function (group) {
      set(group, "role", "group");
      set(group, "aria-label", labelOf(group));
      each("button", function (button) {
        set(button, "aria-pressed", String(button.classList.contains("mod-active")));
      }, group);
    });
  }

  // The theme does this on loading; formulas come later, and folded text may open.
  function letWideBoxesScroll() {
    each("div.math, pre, .hs-check > p, .hs-scroll, .cell_output > .output", function (box) {
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
    each(".citation-list, .citation", (item) => item.removeAttribute("role"));
    each(".sidebar-primary-item > .navbar-brand", function (brand) {
      set(brand.parentElement, "role", "region");
      set(brand.parentElement, "aria-label", "Book");
    });
  }

  function onceAFrame(action) {
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

  window.addEventListener("load", function () {
    const update = onceAFrame(function () {
      nameWidgets();
      letWideBoxesScroll();
      repairTheme();
    });
    update();
    window.addEventListener("resize", update);
    new MutationObserver(update).observe(document.documentElement, {
      subtree: true,
      childList: true,
      characterData: true,
      attributes: true,
      attributeFilter: ["class", "open", "data-mode"],
    });
  });
})();
