// Show the output of a cell.  Output of a reader's code is text; pictures, tables and proofs
// of the book are HTML, without scripts and event handlers.

import { animation } from "./animation.js";

const { make } = window.elements;

const block = (kind, textContent) =>
  make("div", { className: `output ${kind}` }, make("pre", { textContent }));

// Return the elements of an answer.
// requestFrame: for an animation; figure: label of the picture
export function render({ printed, error, text, html, sentence, right, ...rest }, requestFrame, figure) {
  const parts = [];
  if (printed) parts.push(block("stream", printed));
  if (error) parts.push(block("traceback", error));
  if (sentence) {
    const className = right ? "hs-verdict" : "hs-verdict hs-wrong";
    const verdict = make("p", { className, textContent: sentence });
    parts.push(make("div", { className: "output" }, verdict));
  }
  if (html) {
    const picture = sanitize(html, figure);
    parts.push(make("div", { className: "output text_html" }, picture));
  } else if (rest.animation) parts.push(animation(rest.animation, requestFrame, figure));
  else if (text) parts.push(block("text_plain", text));
  return parts;
}

const ACTIVE = "script, iframe, object, embed, link, meta, base, form, foreignObject";

// The policy forbids style attributes in HTML, but allows a script to set styles.
const TAG = /<[a-z](?:[^<>"']|"[^"]*"|'[^']*')*>/gi;

function parse(html) {
  const tags = html.replace(TAG, (tag) => tag.replace(/\sstyle=/i, " data-style="));
  const body = new DOMParser().parseFromString(tags, "text/html").body;
  for (const element of body.querySelectorAll("[data-style]")) {
    element.style.cssText = element.dataset.style;
    delete element.dataset.style;
  }
  return body;
}

export function sanitize(html, figure) {
  const body = parse(html);
  body.querySelectorAll(ACTIVE).forEach((element) => element.remove());
  for (const element of body.querySelectorAll("*")) {
    for (const { name, value } of [...element.attributes]) {
      const isActive = name.startsWith("on") || /^\s*(javascript|data):/i.test(value);
      if (isActive) element.removeAttribute(name);
    }
  }
  const number = make("span", { className: "hs-figure-number", textContent: figure });
  if (figure) body.querySelector("figcaption")?.prepend(number, " ");
  const fragment = document.createDocumentFragment();
  fragment.append(...body.childNodes);
  return fragment;
}

// Typeset formulas by the same script as the build, loaded on demand.
let loading = null;

async function loadTypesetter() {
  const site = new URL("..", import.meta.url);
  for (const path of ["vendor/temml/dist/temml.min.js", "formulas/typeset.js"]) {
    await new Promise(function (resolve, reject) {
      const src = new URL(path, site).href;
      document.head.append(make("script", { src, onload: resolve, onerror: reject }));
    });
  }
  const macros = await (await fetch(new URL("formulas/macros.json", site))).json();
  return { ...window.formulas, macros };
}

// Typeset the formulas in detached elements; invalid ones stay as text.
export async function typeset(element) {
  const walk = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  const texts = [];
  while (walk.nextNode()) {
    const isVerbatim = walk.currentNode.parentElement?.closest("pre, code, svg, math");
    if (!isVerbatim && /[$\\]/.test(walk.currentNode.data)) texts.push(walk.currentNode);
  }
  if (!texts.length) return;
  try {
    const { split, toMathML, macros } = await (loading ||= loadTypesetter());
    const toElement = ({ tex, display }) => parse(toMathML(tex, display, macros)).firstChild;
    for (const text of texts) {
      text.replaceWith(...split(text.data).map((piece) => (piece.tex ? toElement(piece) : piece)));
    }
  } catch (error) {
    console.error("formulas:", error.message);
  }
}
