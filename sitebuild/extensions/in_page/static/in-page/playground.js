// The page Playground: points from a text or the URL, and text to copy.

import { rows } from "../grab.js";

export function addTextBox(figure, { state, update, showValue }) {
  const box = figure.querySelector(".hs-own"), text = box.querySelector("textarea");
  const code = figure.querySelector("pre"), inputs = figure.querySelectorAll("[data-name]");
  const tell = (words) => (box.querySelector("[role=status]").textContent = words);
  box.hidden = false;

  // Python parses the text; invalid text leaves the points unchanged.
  async function read(text) {
    const before = state.points, unparsed = { text };
    state.points = unparsed;
    tell("Reading …");
    await update();
    if (state.points.text !== undefined && state.points !== unparsed) return; // a newer text
    const error = state.points === unparsed && figure.querySelector(".hs-said").textContent;
    tell(error || `${state.points.at.length} points.`);
    if (!error) return;
    state.points = before;
    update();
  }

  // Options are announced by name, other values as shown.
  function address() {
    const values = [...inputs].map((input) => {
      const value = input.selectedOptions ? input.selectedOptions[0].text : input.ariaValueText;
      return `${input.dataset.name}=${encodeURIComponent(value)}`;
    });
    return ["shown", `points=${rows(state.points)}`, ...values].join("&");
  }

  function open() {
    const stored = new URLSearchParams(location.hash.slice(1));
    if (!stored.has("points")) return;
    for (const input of inputs) {
      const value = stored.get(input.dataset.name), options = [...(input.options || [])];
      if (value === null || (!input.options && !Number.isFinite(Number(value)))) continue;
      const chosen = options.findIndex((option) => option.text === value);
      // URLs of earlier editions, without "shown", contain the logarithm
      const ratio = input.dataset.kind === "ratio" && stored.has("shown");
      const position = ratio ? Math.log10(value) : Number(value);
      const [low, high] = [Number(input.min), Number(input.max)];
      const clipped = Math.min(high, Math.max(low, position));
      state[input.dataset.name].value = input.options ? Math.max(0, chosen) : clipped;
      showValue(input);
    }
    read(stored.get("points"));
  }

  const copy = (text, success, failure) =>
    Promise.resolve(navigator.clipboard?.writeText(text) ?? Promise.reject()).then(
      () => tell(success),
      () => tell(failure),
    );
  const actions = {
    read: () => read(text.value),
    address() {
      if (!state.points.at) return;
      history.replaceState(null, "", `#${address()}`);
      copy(location.href, "Copied. The address bar has it, too.", "The address bar has it now.");
    },
    code() {
      figure.querySelector("details").open = true;
      copy(code.textContent, "Copied.", "Copy it from below the picture.");
    },
  };
  for (const button of box.querySelectorAll("[data-own]")) {
    button.addEventListener("click", () => actions[button.dataset.own]());
  }
  text.addEventListener("paste", (event) => {
    const words = event.clipboardData.getData("text/plain");
    event.preventDefault();
    text.value = words.length < 10_000 ? words : ""; // thousands of rows would block the page
    read(words);
  });
  addEventListener("hashchange", open);
  open();
}
