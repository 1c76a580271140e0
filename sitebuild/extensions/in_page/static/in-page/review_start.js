/* Start the Review page; from a folder, where browsers load no modules, show a message. */
(function () {
  "use strict";

  const here = document.currentScript.src;
  const root = document.querySelector(".hs-review");
  const show = (text) => (root.textContent = text);
  const fail = () => show("The script of this page did not load. Reload the page.");
  if (location.protocol !== "file:") import(new URL("review.js", here)).catch(fail);
  else show("A browser runs no code from a folder. Serve the book (make serve).");
})();
