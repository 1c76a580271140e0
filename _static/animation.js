/* Animations: sliders and a Play button select stored frames, which are in a separate
   file and load asynchronously.  See sitebuild/extensions/animations.py. */
(function () {
  "use strict";

  document.documentElement.classList.add("hs-moves"); // shows the controls

  const cache = new WeakMap(); // box -> frames shown so far, as elements
  const timers = new WeakMap(); // box -> timer

  function showFrame(box) {
    const frame = box.querySelector(".hs-frame");
    let index = 0;
    for (const input of box.querySelectorAll("input")) {
      const label = JSON.parse(input.dataset.labels)[input.value];
      input.setAttribute("aria-valuetext", label);
      input.closest(".hs-slider").querySelector("output").textContent = label;
      index = index * (Number(input.max) + 1) + Number(input.value);
    }
    if (!cache.has(box)) cache.set(box, [[...frame.childNodes]]); // the page contains frame 0
    const frames = cache.get(box);
    if (!frames[index]) {
      if (!window.hsFrames) return; // not loaded yet; the load event calls again
      const template = document.createElement("template");
      template.innerHTML = window.hsFrames[box.dataset.number][index];
      frames[index] = [...template.content.childNodes];
    }
    if (frame.firstChild !== frames[index][0]) frame.replaceChildren(...frames[index]);
    // Without Temml, MathJax typesets formulas in the browser.
    if (window.MathJax?.typesetPromise) window.MathJax.typesetPromise([frame]);
  }

  // Announce the frame to screen readers when a slider moves or Play stops.
  function announce(box) {
    box.querySelector("[role=status]").textContent = box.querySelector("figcaption").textContent;
  }

  function pause(box) {
    clearInterval(timers.get(box));
    timers.delete(box);
    box.querySelector(".hs-play").textContent = "Play";
    announce(box);
  }

  // Step through the frames; from the last one, start over.
  function play(box) {
    const button = box.querySelector(".hs-play");
    const input = box.querySelector("input");
    const goTo = (value) => ((input.value = value), showFrame(box));
    button.textContent = "Pause";
    timers.set(box, setInterval(function () {
      if (!box.isConnected || input.value === input.max) return pause(box);
      goTo(Number(input.value) + 1);
    }, button.dataset.interval));
    goTo(input.value === input.max ? 0 : Number(input.value) + 1);
  }

  const animationOf = (event) => event.target.closest(".hs-animation[data-number]");

  document.addEventListener("input", function (event) {
    const box = animationOf(event);
    if (!box) return;
    showFrame(box);
    announce(box);
  });
  document.addEventListener("click", function (event) {
    const box = event.target.closest(".hs-play") && animationOf(event);
    if (box && timers.has(box)) pause(box);
    else if (box) play(box);
  });
  window.addEventListener("load", () => document.querySelectorAll(".hs-animation[data-number]").forEach(showFrame));
})();
