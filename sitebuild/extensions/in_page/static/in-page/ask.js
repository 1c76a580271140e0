/* Start the page Review; from a folder, where browsers load no modules, show a message. */
(function () {
  "use strict";

  const here = document.currentScript.src;
  const place = document.querySelector(".hs-review");
  const say = (words) => (place.textContent = words);
  const lost = () => say("The script of this page did not come. Reload the page.");
  if (location.protocol !== "file:") import(new URL("review.js", here)).catch(lost);
  else say("A browser asks nothing from a folder. Serve the book (make serve).");
})();
