// Typeset formulas for the build: one line of JSON in, one line of JSON out.
// Usage: node typeset.cjs TEMML TYPESET, the paths of the two scripts.

const fs = require("fs");
const readline = require("readline");
const vm = require("vm");

for (const path of process.argv.slice(2)) vm.runInThisContext(fs.readFileSync(path, "utf8"));

readline.createInterface({ input: process.stdin }).on("line", function (line) {
  const { tex, display, html, macros } = JSON.parse(line);
  let answer;
  try {
    const { toMathML, typesetHTML } = globalThis.formulas;
    answer = { html: html === undefined ? toMathML(tex, display, macros) : typesetHTML(html, macros) };
  } catch (error) {
    answer = { error: error.message };
  }
  process.stdout.write(JSON.stringify(answer) + "\n");
});
