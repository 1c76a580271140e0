// What a cell gave, as elements of the page.  Whatever a reader's code made is text; the
// pictures, tables and proofs of the book are HTML, and cleaned of all that could act.

import { moving } from "./moving.js";

const { make } = window.elements;

const block = (kind, words) =>
  make("div", { className: `output ${kind}` }, make("pre", { textContent: words }));

// ask: a function that gives the answer of Python to a question about this cell; figure: what
// the book calls the picture of this cell, if it has one.
export function shown({ printed, error, text, html, sentence, right, ...rest }, ask, figure) {
  const parts = [];
  if (printed) parts.push(block("stream", printed));
  if (error) parts.push(block("traceback", error));
  if (sentence) {
    const className = right ? "hs-verdict" : "hs-verdict hs-wrong";
    const verdict = make("p", { className, textContent: sentence });
    parts.push(make("div", { className: "output" }, verdict));
  } else if (html) {
    const picture = cleaned(html, figure);
    parts.push(make("div", { className: "output text_html" }, picture));
  } else if (rest.moving) parts.push(moving(rest.moving, ask, figure));
  else if (text) parts.push(block("text_plain", text));
  return parts;
}

const ACTIVE = "script, iframe, object, embed, link, meta, base, form, foreignObject";

// The policy of the pages forbids a style that is written in HTML, and allows one that a
// script gives to an element.
const TAG = /<[a-z](?:[^<>"']|"[^"]*"|'[^']*')*>/gi;

function parsed(html) {
  const tags = html.replace(TAG, (tag) => tag.replace(/\sstyle=/i, " data-style="));
  const body = new DOMParser().parseFromString(tags, "text/html").body;
  for (const element of body.querySelectorAll("[data-style]")) {
    element.style.cssText = element.dataset.style;
    delete element.dataset.style;
  }
  return body;
}

export function cleaned(html, figure) {
  const body = parsed(html);
  body.querySelectorAll(ACTIVE).forEach((element) => element.remove());
  for (const element of body.querySelectorAll("*")) {
    for (const { name, value } of [...element.attributes]) {
      const acts = name.startsWith("on") || /^\s*(javascript|data):/i.test(value);
      if (acts) element.removeAttribute(name);
    }
  }
  const number = make("span", { className: "hs-figure-number", textContent: figure });
  if (figure) body.querySelector("figcaption")?.prepend(number, " ");
  const fragment = document.createDocumentFragment();
  fragment.append(...body.childNodes);
  return fragment;
}

// Formulas are set by what sets them in the build; it is fetched when there is one.
let setting = null;

async function setter() {
  const site = new URL("..", import.meta.url);
  for (const path of ["vendor/temml/dist/temml.min.js", "formulas/set.js"]) {
    await new Promise(function (resolve, reject) {
      const src = new URL(path, site).href;
      document.head.append(make("script", { src, onload: resolve, onerror: reject }));
    });
  }
  const macros = await (await fetch(new URL("formulas/macros.json", site))).json();
  return { ...window.formulas, macros };
}

// Set the formulas in elements that are not yet in the page; what cannot be set stays.
export async function typeset(element) {
  const walk = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  const texts = [];
  while (walk.nextNode()) {
    const apart = walk.currentNode.parentElement?.closest("pre, code, svg, math");
    if (!apart && /[$\\]/.test(walk.currentNode.data)) texts.push(walk.currentNode);
  }
  if (!texts.length) return;
  try {
    const { pieces, set, macros } = await (setting ||= setter());
    const done = ({ tex, display }) => parsed(set(tex, display, macros)).firstChild;
    for (const text of texts) {
      text.replaceWith(...pieces(text.data).map((piece) => (piece.tex ? done(piece) : piece)));
    }
  } catch (error) {
    console.error("formulas:", error.message);
  }
}
