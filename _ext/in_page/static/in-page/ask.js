/* Begins the page Review; from a folder a browser loads no module, and the page says so. */
(function () {
  "use strict";

  const here = document.currentScript.src;
  const place = document.querySelector(".hs-review");
  if (location.protocol !== "file:") import(new URL("review.js", here));
  else place.textContent = "A browser asks nothing from a folder. Serve the book (make serve).";
})();
