// The Playground page: read points from text or the URL, and copy the URL or the code.

import { formatPoints } from "../grab.js";

export function addTextBox(figure, { state, update, showValue }) {
  const box = figure.querySelector(".hs-paste"), text = box.querySelector("textarea");
  const code = figure.querySelector("pre"), inputs = figure.querySelectorAll("[data-name]");
  const showStatus = (text) => (box.querySelector("[role=status]").textContent = text);
  box.hidden = false;

  // Python parses the text; invalid text leaves the points unchanged.
  async function parse(text) {
    const oldPoints = state.points, unparsed = { text };
    state.points = unparsed;
    showStatus("Reading …");
    await update();
    if (state.points.text !== undefined && state.points !== unparsed) return; // a newer text
    const error = state.points === unparsed && figure.querySelector(".hs-message").textContent;
    showStatus(error || `${state.points.positions.length} points.`);
    if (!error) return;
    state.points = oldPoints;
    update();
  }

  // The URL contains the text of options and the displayed value of sliders.
  function fragment() {
    const values = [...inputs].map((input) => {
      const value = input.selectedOptions ? input.selectedOptions[0].text : input.ariaValueText;
      return `${input.dataset.name}=${encodeURIComponent(value)}`;
    });
    return ["shown", `points=${formatPoints(state.points)}`, ...values].join("&");
  }

  function readURL() {
    const stored = new URLSearchParams(location.hash.slice(1));
    if (!stored.has("points")) return;
    for (const input of inputs) {
      const value = stored.get(input.dataset.name), options = [...(input.options || [])];
      if (value === null || (!input.options && !Number.isFinite(Number(value)))) continue;
      const selected = options.findIndex((option) => option.text === value);
      // URLs of earlier editions, without "shown", contain the logarithm
      const ratio = input.dataset.kind === "ratio" && stored.has("shown");
      const position = ratio ? Math.log10(value) : Number(value);
      const [low, high] = [Number(input.min), Number(input.max)];
      const clipped = Math.min(high, Math.max(low, position));
      state[input.dataset.name].value = input.options ? Math.max(0, selected) : clipped;
      showValue(input);
    }
    parse(stored.get("points"));
  }

  const copy = (text, success, failure) =>
    Promise.resolve(navigator.clipboard?.writeText(text) ?? Promise.reject()).then(
      () => showStatus(success),
      () => showStatus(failure),
    );
  const actions = {
    parse: () => parse(text.value),
    copyAddress() {
      if (!state.points.positions) return;
      history.replaceState(null, "", `#${fragment()}`);
      copy(location.href, "Copied; it is in the address bar.", "It is in the address bar.");
    },
    copyCode() {
      figure.querySelector("details").open = true;
      copy(code.textContent, "Copied.", "Copy the code below the picture.");
    },
  };
  for (const button of box.querySelectorAll("[data-action]")) {
    button.addEventListener("click", () => actions[button.dataset.action]());
  }
  text.addEventListener("paste", (event) => {
    const pasted = event.clipboardData.getData("text/plain");
    event.preventDefault();
    text.value = pasted.length < 10_000 ? pasted : ""; // thousands of rows would block the page
    parse(pasted);
  });
  addEventListener("hashchange", readURL);
  readURL();
}
