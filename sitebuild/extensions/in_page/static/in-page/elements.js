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

  const shuffle = (list) =>
    list.map((item) => [Math.random(), item]).sort(([a], [b]) => a - b).map(([, item]) => item);

  // Make a note, which may change often, and a status, which screen readers announce.
  function messages() {
    const note = make("span", { className: "hs-status" });
    const status = make("span", { className: "hs-status", role: "status" });
    const LOADING = "Python is loading.";
    function showStatus(spoken, visible = "") {
      note.textContent = visible;
      status.classList.toggle("visually-hidden", Boolean(visible));
      if (status.textContent !== spoken) status.textContent = spoken;
    }
    // Show the progress of Python, but announce only one message.
    function showPhase(phase) {
      const loading = phase.startsWith("Getting Python") || status.textContent === LOADING;
      showStatus(loading ? LOADING : "", phase);
    }
    return { note, status, showStatus, showPhase };
  }

  // Download a text as a file.
  function download(name, text) {
    const href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
    make("a", { href, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(href), 10_000);
  }

  return { make, button, shuffle, messages, download };
})();
