// What an answer of the search counts: a function before a title, a title before a module.
// Sphinx would have the modules first, with 15 for them in objPrio; the rest is its own.
var Scorer = {
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 3, 1: 5, 2: -5 }, // modules; functions and classes; others
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
