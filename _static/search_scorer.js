// Scores of search results: functions before titles, titles before modules.  Only objPrio
// differs from the default of Sphinx, which has 15 for modules.
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
