/* Register the service worker, which caches the files that a page requests.  On the first
   visit it starts after these requests, so the page repeats them from the HTTP cache. */
(function () {
  "use strict";

  const { src } = document.currentScript;
  const workers = navigator.serviceWorker; // missing for local files and without https
  if (!workers || location.protocol === "file:") return;
  const firstVisit = !workers.controller;
  workers.addEventListener("controllerchange", function () {
    const urls = performance.getEntriesByType("resource").map(({ name }) => name);
    for (const url of firstVisit ? [location.href, ...urls] : []) {
      if (url.startsWith(location.origin)) fetch(url, { cache: "force-cache" }).catch(() => {});
    }
  });
  const file = new URL("../../service-worker.js", src);
  window.addEventListener("load", () => workers.register(file).catch(() => {}));
})();
