/* Convert TeX to MathML by Temml, in the build and for Python output in the page.

   window.formulas.toMathML(tex, display, macros) returns the markup of a formula or throws;
   .split(text) cuts a text at its formulas; .typesetHTML(html, macros) converts them in HTML. */
(function (root) {
  "use strict";

  function toMathML(tex, display, macros) {
    const options = { displayMode: display, throwOnError: true, trust: false };
    const math = root.temml.__renderToMathMLTree(tex, { ...options, macros: { ...macros } });
    math.classes = [];
    math.style = {}; // formulas.css has the styles
    tidy(math, display, false);
    // Temml returns a fragment.
    math.children = math.children.flatMap((child) => (child.type ? [child] : child.children));
    const row = (children) => new math.constructor("mrow", children);
    if (math.children.length > 1) math.children = [row(math.children)];
    const [formula] = math.children;
    if (!display && formula.type === "mrow") math.children = splitAtBreaks(formula.children).map(row);
    return math.toMarkup();
  }

  // Allow line breaks in inline formulas after = and +, as in TeX.
  const BREAKS = /^[=<>≤≥≠≈∼∈⊆→←↦+−±]$/;
  function splitAtBreaks(children) {
    const parts = [[]];
    children.forEach(function (child, index) {
      const part = parts[parts.length - 1];
      part.push(child);
      const isInside = part.length > 1 && index < children.length - 1;
      const isInfix = child.type === "mo" && child.attributes.form !== "prefix";
      if (!isInside || !isInfix || !BREAKS.test(textOf(child))) return;
      child.attributes.form = "infix";
      parts.push([]);
    });
    return parts;
  }

  // Temml parses 0,1 as one number; in TeX the comma separates two, except in 22{,}000.
  function splitAtCommas(children) {
    return children.flatMap(function (child) {
      const text = child.type === "mn" && textOf(child);
      if (!text || !text.includes(",") || /^\d{1,3}(,\d{3})+$/.test(text)) return [child];
      return text.split(/(,)/).filter(Boolean).map(function (part) {
        const textNode = new child.children[0].constructor(part);
        return new child.constructor(part === "," ? "mo" : "mn", [textNode]);
      });
    });
  }

  const ROWS = ["math", "mrow", "mstyle", "mtd"];
  const SCRIPTS = ["msub", "msup", "msubsup", "munder", "mover", "munderover"];
  // TeX has no space around these in indices and small fractions.
  const SPACED = /^[-=<>≤≥≠≈∼∈∉⊆→←↦+−±∓×⋅∗∪∣,;:]$/;

  // If the content is no higher than a letter, \left( does not stretch.
  const LOW = ["mi", "mn", "mo", "mrow", "mspace", "mtext", "msub", "msup", "msubsup"];
  function isLow(node) {
    if (node.text !== undefined) return true;
    return LOW.includes(node.type) && !SUMS.test(textOf(node)) && node.children.every(isLow);
  }
  const SUMS = /^[∑∏∫⋃⋂]$/;
  const textOf = (node) => (node.children || []).map((child) => child.text).join("");

  function tidy(node, display, small) {
    const { type, attributes = {} } = node;
    if (ROWS.includes(type)) node.children = splitAtCommas(node.children);
    const children = node.children || [];
    if (type === "mrow" && children.every(isLow)) {
      for (const { attributes } of children) {
        if (attributes?.stretchy === "true") attributes.stretchy = "false";
      }
    }
    delete attributes.fence; // the operator dictionary defines it
    delete attributes.separator;
    if (type === "mo" && small && !("lspace" in attributes) && SPACED.test(textOf(node))) {
      attributes.lspace = attributes.rspace = "0";
    }
    if ("displaystyle" in attributes) display = String(attributes.displaystyle) === "true";
    if ("scriptlevel" in attributes) small = String(attributes.scriptlevel) !== "0";
    const script = SCRIPTS.includes(type);
    children.forEach(function (child, number) {
      if (script) tidy(child, display && !number, small || number > 0);
      else if (type === "mfrac") tidy(child, false, small || !display);
      else tidy(child, display && type !== "mtable", small);
    });
  }

  const FORMULA = /\\\$|\$\$([^]+?)\$\$|\$([^]+?)\$|\\\[([^]+?)\\\]|\\\(([^]+?)\\\)/g;

  // Split a text into strings and formulas {tex, display}.
  function split(text) {
    const pieces = [];
    let end = 0;
    for (const match of text.matchAll(FORMULA)) {
      const [all, block, dollar, bracket, paren] = match;
      pieces.push(text.slice(end, match.index));
      end = match.index + all.length;
      if (all === "\\$") pieces.push("$");
      else pieces.push({ tex: block || dollar || bracket || paren, display: Boolean(block || bracket) });
    }
    return [...pieces, text.slice(end)];
  }

  const NOT_TEXT = /(<!--[^]*?-->|<(script|style|pre|code|svg|math|textarea)\b[^]*?<\/\2>|<[^>]*>)/i;
  const NAMES = { lt: "<", gt: ">", amp: "&", quot: '"', nbsp: " " };

  function unescape(text) {
    return text.replace(/&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi, function (all, hex, number, name) {
      if (name) return NAMES[name] || all;
      return String.fromCodePoint(hex ? parseInt(hex, 16) : Number(number));
    });
  }

  const PUNCTUATION = /^[-.,;:!?)\]’”–]+/; // no line break before these

  // Formulas do not span elements; code, scripts and pictures are skipped.
  function typesetHTML(html, macros) {
    const parts = html.split(NOT_TEXT);
    let result = "";
    for (let i = 0; i < parts.length; i += 3) { // text, tag, name of the element
      const pieces = split(parts[i]);
      pieces.forEach(function (piece, k) {
        if (!piece.tex) return void (result += piece);
        const [mark] = (!piece.display && PUNCTUATION.exec(pieces[k + 1])) || [""];
        const math = toMathML(unescape(piece.tex), piece.display, macros);
        pieces[k + 1] = pieces[k + 1].slice(mark.length);
        result += mark ? `<span class="hs-keep">${math}${mark}</span>` : math;
      });
      result += parts[i + 1] || "";
    }
    return result;
  }

  root.formulas = { toMathML, split, typesetHTML };
})(globalThis);
