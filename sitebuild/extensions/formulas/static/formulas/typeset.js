/* Convert TeX to MathML by Temml, in the build and for Python output in the page.

   window.formulas.set(tex, display, macros) gives the markup of one formula or throws;
   .pieces(text) cuts a text at its formulas; .inHTML(html, macros) sets those in HTML. */
(function (root) {
  "use strict";

  function set(tex, display, macros) {
    const options = { displayMode: display, throwOnError: true, trust: false };
    const math = root.temml.__renderToMathMLTree(tex, { ...options, macros: { ...macros } });
    math.classes = [];
    math.style = {}; // formulas.css has the styles
    tidy(math, display, false);
    // Temml returns a fragment.
    math.children = math.children.flatMap((child) => (child.type ? [child] : child.children));
    const row = (children) => new math.constructor("mrow", children);
    if (math.children.length > 1) math.children = [row(math.children)];
    const [whole] = math.children;
    if (!display && whole.type === "mrow") math.children = parts(whole.children).map(row);
    return math.toMarkup();
  }

  // Allow line breaks in inline formulas after = and +, as in TeX.
  const BREAKS = /^[=<>≤≥≠≈∼∈⊆→←↦+−±]$/;
  function parts(children) {
    const found = [[]];
    children.forEach(function (child, place) {
      const part = found[found.length - 1];
      part.push(child);
      const more = part.length > 1 && place < children.length - 1;
      const joins = child.type === "mo" && child.attributes.form !== "prefix";
      if (!more || !joins || !BREAKS.test(wordOf(child))) return;
      child.attributes.form = "infix";
      found.push([]);
    });
    return found;
  }

  // Temml reads 0,1 as one number; in TeX the comma separates two, except in 22{,}000.
  function withoutCommas(children) {
    return children.flatMap(function (child) {
      const text = child.type === "mn" && wordOf(child);
      if (!text || !text.includes(",") || /^\d{1,3}(,\d{3})+$/.test(text)) return [child];
      return text.split(/(,)/).filter(Boolean).map(function (part) {
        const word = new child.children[0].constructor(part);
        return new child.constructor(part === "," ? "mo" : "mn", [word]);
      });
    });
  }

  const ROWS = ["math", "mrow", "mstyle", "mtd"];
  const SCRIPTS = ["msub", "msup", "msubsup", "munder", "mover", "munderover"];
  // TeX has no space around these in indices and small fractions.
  const SPACED = /^[-=<>≤≥≠≈∼∈∉⊆→←↦+−±∓×⋅∗∪∣,;:]$/;

  // Around something as high as a letter, \left( is a plain parenthesis.
  const LETTERS = ["mi", "mn", "mo", "mrow", "mspace", "mtext", "msub", "msup", "msubsup"];
  function isLow(node) {
    if (node.text !== undefined) return true;
    return LETTERS.includes(node.type) && !SUMS.test(wordOf(node)) && node.children.every(isLow);
  }
  const SUMS = /^[∑∏∫⋃⋂]$/;
  const wordOf = (node) => (node.children || []).map((child) => child.text).join("");

  function tidy(node, display, small) {
    const { type, attributes = {} } = node;
    if (ROWS.includes(type)) node.children = withoutCommas(node.children);
    const children = node.children || [];
    if (type === "mrow" && children.every(isLow)) {
      for (const { attributes } of children) {
        if (attributes?.stretchy === "true") attributes.stretchy = "false";
      }
    }
    delete attributes.fence; // the operator dictionary defines it
    delete attributes.separator;
    if (type === "mo" && small && !("lspace" in attributes)) {
      if (SPACED.test(wordOf(node))) {
        attributes.lspace = attributes.rspace = "0";
      }
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
  function pieces(text) {
    const found = [];
    let end = 0;
    for (const match of text.matchAll(FORMULA)) {
      const [all, block, line, bracketed, inline] = match;
      found.push(text.slice(end, match.index));
      end = match.index + all.length;
      if (all === "\\$") found.push("$");
      else found.push({ tex: block || line || bracketed || inline, display: Boolean(block || bracketed) });
    }
    return [...found, text.slice(end)];
  }

  const NOT_TEXT = /(<!--[^]*?-->|<(script|style|pre|code|svg|math|textarea)\b[^]*?<\/\2>|<[^>]*>)/i;
  const NAMES = { lt: "<", gt: ">", amp: "&", quot: '"', nbsp: " " };

  function plain(text) {
    return text.replace(/&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi, function (all, hex, number, name) {
      if (name) return NAMES[name] || all;
      return String.fromCodePoint(hex ? parseInt(hex, 16) : Number(number));
    });
  }

  const MARKS = /^[-.,;:!?)\]’”–]+/; // no line break before these

  // Formulas do not span elements; code, scripts and pictures are skipped.
  function inHTML(html, macros) {
    const parts = html.split(NOT_TEXT);
    let done = "";
    for (let i = 0; i < parts.length; i += 3) { // text, tag, name of the element
      const found = pieces(parts[i]);
      found.forEach(function (piece, place) {
        if (!piece.tex) return void (done += piece);
        const [mark] = (!piece.display && MARKS.exec(found[place + 1])) || [""];
        const math = set(plain(piece.tex), piece.display, macros);
        found[place + 1] = found[place + 1].slice(mark.length);
        done += mark ? `<span class="hs-keep">${math}${mark}</span>` : math;
      });
      done += parts[i + 1] || "";
    }
    return done;
  }

  root.formulas = { set, pieces, inHTML };
})(globalThis);
