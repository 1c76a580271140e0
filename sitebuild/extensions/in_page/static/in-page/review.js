/* The Review page: questions of the chapters that a reader selects, first missed questions,
   then questions answered a week ago or earlier, then new questions. */

import { typeset } from "./show.js";
import { fetchFile } from "./fetch_file.js";

const { progress } = window; // from progress.js
const { make, button, shuffle, download } = window.elements;
const WEEK = 7; // days until a question that was answered right is due
const today = () => Math.floor(Date.now() / 86_400_000);

const container = document.querySelector(".hs-review");
const root = new URL(container.dataset.root, location);

// Return {day, right} of the last answer to a question; {} if it is new.
function lastAnswer(question) {
  try {
    return JSON.parse(progress.get(`review:${question.key}`)) || {};
  } catch {
    return {};
  }
}

const formatAnswer = (right) => (typeof right === "number" ? Number(right.toPrecision(6)) : right);
const isMissed = (question) => lastAnswer(question).right === false;
const isDue = (question) => lastAnswer(question).right && lastAnswer(question).day + WEEK <= today();
const isNew = (question) => lastAnswer(question).right === undefined;

async function fetchQuestions(chapter) {
  const response = await fetchFile(new URL(`in-page/review/${chapter}.json`, root));
  return (await response.json()).map((question) => ({ ...question, key: `${chapter}:${question.name}` }));
}

// Parse a number: 0.25, 0,25 or 1/4.
function parseNumber(text) {
  if (/[1-9],\d{3}$/.test(text.trim())) return NaN; // 1,600 is ambiguous
  const parts = text.replace(",", ".").replace("−", "-").split("/").map((part) => part.trim());
  const numbers = parts.map((part) => (part ? Number(part) : NaN));
  return numbers.length === 2 ? numbers[0] / numbers[1] : numbers.length === 1 ? numbers[0] : NaN;
}

// Accept an answer within 0.5% of b, but no other integer in place of an integer.
function isClose(a, b) {
  const tolerance = Math.min(0.005 * Math.abs(b), Number.isInteger(b) ? 0.4 : Infinity);
  return Math.abs(a - b) <= Math.max(tolerance, 1e-9);
}

function begin() {
  const status = make("p", { className: "hs-status" });
  status.setAttribute("role", "status");
  const boxes = [...container.querySelectorAll("input")];
  const selected = () => boxes.filter(({ checked }) => checked).map(({ value }) => value);
  const area = make("div", {});
  const startButton = button("Ask me", start);
  const bar = make("div", { className: "hs-bar" }, startButton, button("Save as cards for Anki", saveCards));
  for (const box of boxes) box.checked ||= progress.hasAnswers(box.value); // keep a reader's choice

  async function fetchSelected() {
    if (!selected().length) return void (status.textContent = "Choose at least one chapter.");
    status.textContent = "Fetching the questions …";
    try {
      const questions = (await Promise.all(selected().map(fetchQuestions))).flat();
      status.textContent = "";
      return questions;
    } catch (error) {
      status.textContent = error.message;
    }
  }

  async function start() {
    const all = await fetchSelected();
    if (!all) return;
    const due = [isMissed, isDue, isNew].flatMap((kind) => shuffle(all.filter(kind)));
    const queue = due.map((question) => ({ ...question, variants: shuffle(question.variants) }));
    if (queue.length) showNext(queue, 0, 0);
    else {
      const days = Math.min(...all.map((question) => lastAnswer(question).day + WEEK)) - today();
      status.textContent = `Nothing is due: ask again in ${days} day${days === 1 ? "" : "s"}.`;
    }
  }

  // Cards for Anki (File, Import); the first line sets the separator.
  async function saveCards() {
    const all = await fetchSelected();
    if (!all) return;
    const escape = (text) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/\s+/g, " ");
    const tex = (text) => escape(text).replace(/\$(.+?)\$/g, "\\($1\\)");
    const lines = all.map(function ({ variants: [{ ask, right, wrong, why }] }) {
      const choices = typeof right === "string" ? [right, ...wrong.map(([text]) => text)].sort() : [];
      return [[ask, ...choices].map(tex).join("<br>"), `${tex(String(formatAnswer(right)))}<br>${tex(why)}`].join("\t");
    });
    download("halfspaces-review.txt", ["#separator:tab", "#html:true", ...lines].join("\n"));
    status.textContent = `${lines.length} cards were saved as halfspaces-review.txt.`;
  }

  async function showNext(queue, asked, solved) {
    const [question, ...rest] = queue;
    if (!question) {
      area.replaceChildren();
      status.textContent = `Done: ${solved} of ${asked} answers were right.`;
      startButton.focus();
      return;
    }
    const [variant, ...others] = question.variants;
    const later = { ...question, variants: [...others, variant] }; // with other numbers
    const { ask, right, wrong, why, spoken } = variant;
    const reply = make("div", {});
    reply.setAttribute("role", "status");
    const bar = make("div", { className: "hs-bar" });

    async function showVerdict(isRight, text) {
      progress.set(`review:${question.key}`, JSON.stringify({ day: today(), right: isRight }));
      const className = isRight ? "hs-verdict" : "hs-verdict hs-wrong";
      const sentence = make("p", { className, textContent: text });
      await typeset(sentence);
      reply.replaceChildren(sentence);
      controls.forEach((control) => (control.disabled = true));
      const queue = isRight ? rest : [...rest, later];
      bar.replaceChildren(button("Next", () => showNext(queue, asked + 1, solved + isRight)), remaining(queue));
      bar.firstChild.focus();
    }

    const remaining = ({ length }) =>
      make("span", { className: "hs-status", textContent: `${length} more` });
    const answer = typeof right === "number" ? `${formatAnswer(right)}.` : `“${right}”`;
    const showMiss = (reason) => showVerdict(false, `Not yet. ${reason} The answer is ${answer} ${why}`);
    const controls = [];
    const parts = [make("p", { className: "hs-ask", textContent: ask })];
    if (typeof right === "number") {
      const input = make("input", { type: "text", inputMode: "text", ariaLabel: "Your answer, a number" });
      const form = make("form", { className: "hs-bar" }, input, make("button", { className: "hs-button", textContent: "Check" }));
      form.addEventListener("submit", function (event) {
        event.preventDefault();
        const given = parseNumber(input.value);
        if (Number.isNaN(given)) return void (reply.textContent = "Give a number, such as 0.25, 1/4 or 1600.");
        if (isClose(given, right)) return showVerdict(true, `Right. ${why}`);
        const mistake = wrong.find(([value]) => isClose(given, value));
        showMiss(mistake ? mistake[1] : "");
      });
      controls.push(input, form.lastChild);
      parts.push(form);
    } else {
      for (const [sentence, reason] of shuffle([[right, null], ...wrong])) {
        const choose = () => (reason === null ? showVerdict(true, `Right. ${why}`) : showMiss(reason));
        controls.push(button(sentence, choose));
        controls.at(-1).classList.add("hs-choice");
        if (spoken?.[sentence]) controls.at(-1).ariaLabel = spoken[sentence];
      }
      parts.push(...controls);
    }
    const unknown = button("I do not know", () => showMiss(""));
    controls.push(unknown);
    bar.append(unknown, remaining(rest));
    const card = make("div", {}, ...parts, reply, bar);
    await typeset(card);
    area.replaceChildren(card);
    (card.querySelector("input") || controls[0]).focus();
  }

  container.append(bar, status, area);
}

begin();
