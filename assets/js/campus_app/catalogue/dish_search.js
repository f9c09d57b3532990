// Finds dishes by the words that a visitor types: in Latin or Devanagari letters, in any order, each the
// beginning of a word. If nothing matches, one letter of each word of four letters and more may be wrong, but not its
// first one; a letter may be missing only in words of five and more.
import uFuzzy from "@leeoniya/ufuzzy";
import { normalize, queriesOf } from "./spelling.js";

// More words match in any order too, but stay in the menu's order: to rank them, each permutation would be tried.
const MOST_RANKED_WORDS = 3;
const SHORTEST_WITH_TYPO = 4;
const SHORTEST_WITH_MISSING_LETTER = 5;

const exact = new uFuzzy({ interLft: 2 });
const tolerant = new uFuzzy({
  interLft: 2,
  intraMode: 1,
  intraRules: ({ length }) => {
    const errors = length < SHORTEST_WITH_TYPO ? 0 : 1;
    const intraDel = length < SHORTEST_WITH_MISSING_LETTER ? 0 : 1;
    return { intraSlice: [1, Infinity], intraIns: errors, intraSub: errors, intraTrn: errors, intraDel };
  },
});

// Returns the indices of the matching texts: best first, or as they are in `texts` where they are not ranked.
function placesOf(matcher, texts, words) {
  const [found, info, order] = matcher.search(texts, words, MOST_RANKED_WORDS);
  return order ? order.map((each) => info.idx[each]) : (found ?? []);
}

// Returns the normalized words of a dish's names, and of all that is searched: its description, its English
// texts where others are shown, what the kitchen declares of it, and `more`, such as its category.
export function wordsOf({ name, localName = "", description, englishWords = "", facts }, more) {
  const own = normalize(`${name} ${localName}`);
  return { name: own, text: [own, ...[description, englishWords, facts, more].map(normalize)].join(" ") };
}

// Returns a function that returns the dishes that match a query: best first, those whose name matches before the
// others. `wordsAt` returns the words of a dish; it is called at the first search.
export function createSearch(dishes, wordsAt) {
  let names;
  let texts;
  const prepare = () => {
    const words = dishes.map(wordsAt);
    names = words.map(({ name }) => name);
    texts = words.map(({ text }) => text);
  };
  const search = (matcher, queries) => [
    ...new Set([names, texts].flatMap((all) => queries.flatMap((query) => placesOf(matcher, all, query)))),
  ];
  return (typed) => {
    if (!names) prepare();
    const queries = queriesOf(typed);
    const found = search(exact, queries);
    return (found.length ? found : search(tolerant, queries)).map((place) => dishes[place]);
  };
}
