/* Create elements; used by several scripts. */
window.elements = (function () {
  "use strict";

  function make(tag, properties, ...children) {
    const element = Object.assign(document.createElement(tag), properties);
    element.append(...children);
    return element;
  }

  function button(textContent, action) {
    const element = make("button", { type: "button", className: "hs-button", textContent });
    element.addEventListener("click", action);
    return element;
  }

  const mixed = (list) =>
    list.map((item) => [Math.random(), item]).sort(([a], [b]) => a - b).map(([, item]) => item);

  // Download a text as a file.
  function download(name, text) {
    const href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
    make("a", { href, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(href), 10_000);
  }

  return { make, button, mixed, download };
})();
