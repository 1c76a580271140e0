// Convert formulas to words: a list of MathML in, a list of words out, as JSON.
// Usage: node speak.cjs SRE, the path of the speech rule engine.

const fs = require("fs");
const engine = require(process.argv[2]);

const style = [
  "AbsoluteValue_AbsEnd", // the norm of w minus v end norm squared
  "Fraction_GeneralEndFrac",
  "Roots_RootEnd",
  "Log_LnAsNaturalLog",
  "TriangleSymbol_Delta",
  "VerticalLine_Given", // not "divides"
].join(":");

engine.setupEngine({ locale: "en", domain: "clearspeak", modality: "speech", style }).then(function () {
  const formulas = JSON.parse(fs.readFileSync(0, "utf8"));
  process.stdout.write(JSON.stringify(formulas.map((formula) => engine.toSpeech(formula))));
});
