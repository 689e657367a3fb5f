// Search results: pages of the guide stand before references, and those before decisions and sources. The weights are those of Sphinx. (var: searchtools.js declares it too.)
var Scorer = {
  score: ([page, , , , score]) => score - (/^(reference)\//.test(page) ? 3 : /^(decisions|files|project)\//.test(page) ? 4 : 0),
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
