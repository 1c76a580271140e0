/* The service worker keeps what it sees; at the first visit it comes too late for the page
   that brought it, which then asks once more for what it has. */
(function () {
  "use strict";

  const { src } = document.currentScript;
  const worker = navigator.serviceWorker; // missing in a folder and without https
  if (!worker || location.protocol === "file:") return;
  const first = !worker.controller;
  worker.addEventListener("controllerchange", function () {
    const here = performance.getEntriesByType("resource").map(({ name }) => name);
    for (const url of first ? [location.href, ...here] : []) {
      if (url.startsWith(location.origin)) fetch(url, { cache: "force-cache" }).catch(() => {});
    }
  });
  const file = new URL("../../service-worker.js", src);
  window.addEventListener("load", () => worker.register(file).catch(() => {}));
})();
