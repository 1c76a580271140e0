/* The reader's answers and solved exercises, stored only in this browser.  Marks show the
   progress next to the exercises, in the page's table of contents, and in the table of chapters on
   the first page, where readers can save the answers to a file, load and delete them. */
window.progress = (function () {
  "use strict";

  const { make, button, messages, download } = window.elements;
  const PREFIX = "halfspaces:";
  const unsaved = new Map(); // key -> text, if storage fails; lost on reload

  function get(key) {
    if (unsaved.has(key)) return unsaved.get(key);
    try {
      return localStorage.getItem(PREFIX + key);
    } catch {
      return null;
    }
  }

  // Store a string, or delete it if it is null; returns false if storage fails.
  function set(key, text) {
    unsaved.delete(key);
    try {
      if (text === null) localStorage.removeItem(PREFIX + key);
      else localStorage.setItem(PREFIX + key, text);
      return true;
    } catch {
      unsaved.set(key, text);
      return false;
    }
  }

  // Return the verdict on the stored answer, {right, sentence}, or null.
  function verdict(key) {
    try {
      const { right, sentence } = JSON.parse(get(`${key}:verdict`));
      return typeof sentence === "string" ? { right: right === true, sentence } : null;
    } catch {
      return null;
    }
  }

  function setVerdict(key, right, sentence) {
    const stored = set(`${key}:verdict`, JSON.stringify({ right, sentence }));
    const variant = / \(Seed [1-9]\d*\.\)$/.test(sentence); // the exercise with other numbers
    if (right && !(variant && get(`${key}:solved`))) set(`${key}:solved`, variant ? "other" : "yes");
    announceChange();
    return stored;
  }

  // Return true if a chapter has stored answers.
  const hasAnswers = (chapter) =>
    [chapter, `review:${chapter}`].some((name) => storedEntries().some(([key]) => key.startsWith(`${PREFIX}${name}:`)));

  const announceChange = () => dispatchEvent(new Event("progress"));

  // An exercise solved with its printed numbers stays solved.
  function state(key) {
    const states = { yes: "solved", other: "solved with other numbers" };
    const tried = verdict(key) || get(key) ? "tried" : "not tried";
    return states[get(`${key}:solved`)] || tried;
  }

  // Append a mark to an element; getMark() returns its current [state, text].
  function addMark(element, getMark) {
    const span = make("span", { className: "hs-mark" });
    element.append(" ", span);
    const show = () => ([span.dataset.state, span.textContent] = getMark());
    ["progress", "storage"].forEach((event) => addEventListener(event, show));
    show();
  }

  function markExercise(title, key) {
    addMark(title, () => [state(key), (state(key) === "solved" ? "✓ " : "") + state(key)]);
  }

  // Show the number of solved exercises; nothing before the first attempt.
  function markCount(element, keys) {
    addMark(element, function () {
      const solved = keys.filter((key) => state(key) === "solved").length;
      if (keys.every((key) => state(key) === "not tried")) return ["not tried", ""];
      const [markState, check] = solved === keys.length ? ["solved", "✓ "] : ["tried", ""];
      return [markState, `${check}${solved} of ${keys.length} solved`];
    });
  }

  function storedEntries() {
    try {
      return Object.entries(localStorage).filter(([key]) => key.startsWith(PREFIX));
    } catch {
      return [];
    }
  }

  function save() {
    const entries = storedEntries();
    if (!entries.length) return "Nothing is saved yet.";
    download("halfspaces-answers.json", JSON.stringify(Object.fromEntries(entries), null, 1));
    return "Saved as halfspaces-answers.json.";
  }

  // Replace stored answers by those of a file; solved exercises stay solved.
  async function load(file) {
    const content = await file.text().then(JSON.parse).catch(() => null);
    const isEntry = ([key, text]) => key.startsWith(PREFIX) && typeof text === "string";
    const entries = Object.entries(content instanceof Object ? content : {}).filter(isEntry);
    if (!entries.length) return `${file.name} holds no answers of this book. Nothing was changed.`;
    const stored = entries.map(([key, text]) => set(key.slice(PREFIX.length), text));
    announceChange();
    return stored.every(Boolean) ? "Loaded." : "Loaded for this page only: the browser cannot save it.";
  }

  function deleteAll() {
    if (!confirm("Forget all answers, and what was solved, in every chapter?")) return "";
    unsaved.clear();
    storedEntries().forEach(([key]) => localStorage.removeItem(key));
    announceChange();
    return "All answers are forgotten.";
  }

  // Add a count for each chapter, and buttons, to the first page.
  function addOverview(exercises) {
    let table;
    for (const [name, keys] of Object.entries(exercises)) {
      const link = document.querySelector(`td a[href$="${name}.html"]`);
      if (!link) continue;
      table ||= link.closest("table");
      markCount(link.parentElement, keys);
    }
    const { note, status, showStatus } = messages();
    const input = make("input", { type: "file", accept: ".json", hidden: true });
    input.addEventListener("change", async function () {
      if (input.files[0]) showStatus(await load(input.files[0]));
      input.value = "";
    });
    const buttons = [
      button("Save my answers", () => showStatus(save())),
      button("Load them", () => input.click()),
      button("Forget them", () => showStatus(deleteAll())),
    ];
    table?.parentElement.after(make("div", { className: "hs-bar" }, ...buttons, input, note, status));
    showStatus("", "Your answers and progress are saved only in this browser.");
  }

  const { exercises } = document.currentScript.dataset;
  if (exercises) addOverview(JSON.parse(exercises));
  return { get, set, hasAnswers, verdict, setVerdict, markExercise, markCount };
})();
