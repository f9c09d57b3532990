// What a visitor looks for among dishes: a query, vegetarian dishes alone, an order. One store for the open menu
// and for the list of all kitchens' dishes: a screen has one of them.
import { createStore } from "../../kit/store.js";
import { beginScreen, endScreen, putQuery } from "./query_address.js";

export const MOST_CHARACTERS = 60;

const VEG_ONLY = "vegOnly";
const VEGETARIAN = "veg";
const INDIA_MS = 5.5 * 3_600_000;
const ORDERS = {
  cheapest: (one, other) => one.paise - other.paise,
  dearest: (one, other) => other.paise - one.paise,
};

// `order` is "menu", "cheapest" or "dearest". `text` is a new object whenever a script, not the visitor, has changed the
// query: the field then has to show it.
const NO_FILTER = { query: "", isVegOnly: false, order: "menu", text: { query: "" } };
const store = createStore(NO_FILTER);
const { change } = store;

export const useFilter = store.useStore;

export const isTouch = () => matchMedia("(pointer: coarse)").matches;

const today = () => new Date(Date.now() + INDIA_MS).toISOString().slice(0, 10);

function remember(isVegOnly) {
  if (isVegOnly) localStorage.setItem(VEG_ONLY, today());
  else localStorage.removeItem(VEG_ONLY);
}

// The module dish_search.js, a third of a menu's own code: loaded when a visitor turns to the search.
let matching;

// Loads that module. Until then, and without a connection, those dishes match that contain the query as it was typed.
export async function loadSearch() {
  if (matching) return;
  try {
    matching = await import("./dish_search.js");
    change({}); // filters again
  } catch {
    addEventListener("online", loadSearch, { once: true }); // and the next focus of the field
  }
}

// The text that was typed since the last change; null if there is none.
let latest = null;

// Drops what is still to be done for a screen that the visitor leaves.
export function stop() {
  endScreen();
  latest = null;
}

// Begins the screen at `path` with the text that was `typed` before hydration, else with the query of the address, so
// that a reload and the back button keep the query.
export function start(path, typed) {
  stop();
  const linked = beginScreen(path);
  const given = typed || linked;
  // A query that is too long loses its last word, because half of a word may match nothing.
  const query = given.length > MOST_CHARACTERS ? given.slice(0, MOST_CHARACTERS).replace(/\S+$/, "") : given;
  if (query) loadSearch();
  begin(query);
}

// Begins a screen without a field for the query.
export function startWithoutQuery() {
  stop();
  begin("");
}

const begin = (query) =>
  change({ ...NO_FILTER, query, isVegOnly: localStorage.getItem(VEG_ONLY) === today(), text: { query } });

// Filters once the browser has painted the typed letter.
export function type(text) {
  const isWaiting = latest !== null;
  latest = text;
  if (isWaiting) return;
  requestAnimationFrame(() =>
    setTimeout(() => {
      if (latest === null) return;
      change({ query: latest });
      putQuery(latest);
      latest = null;
    }),
  );
}

export function toggleVegOnly() {
  const isVegOnly = !store.state.isVegOnly;
  remember(isVegOnly);
  change({ isVegOnly });
}

export const sortBy = (order) => change({ order });

// Moves the focus to the first field, since the pressed button is removed; on phones that may open the keyboard.
export function showAll() {
  latest = null;
  remember(false);
  if (!isTouch()) document.querySelector(".dish-filters input").focus();
  change({ ...NO_FILTER, text: { query: "" } });
  putQuery("");
}

const containing = (dishes, moreOf, query) =>
  dishes.filter((dish) => {
    const { name, localName = "", description, facts } = dish;
    return `${name} ${localName} ${description} ${facts} ${moreOf(dish)}`.toLowerCase().includes(query);
  });

// Returns a function that returns, for a filter, the dishes that it leaves in its order (`found`), and how many more it
// would leave without `isVegOnly` (`hidden`). `moreOf` returns what is searched of a dish beside its name and
// description. The last result is kept, because several components of a screen use it.
export function createFinder(dishes, moreOf) {
  let search;
  let last = {};
  const matchesOf = (query) => {
    if (!matching) return containing(dishes, moreOf, query.toLowerCase());
    search ??= matching.createSearch(dishes, (dish) => dish.words ?? matching.wordsOf(dish, moreOf(dish)));
    return search(query);
  };
  return (filter) => {
    if (last.filter === filter) return last;
    const { isVegOnly, order } = filter;
    const query = filter.query.trim();
    const matches = query ? matchesOf(query) : dishes;
    const found = isVegOnly ? matches.filter(({ diet }) => diet === VEGETARIAN) : matches;
    const compare = ORDERS[order];
    const ordered = compare ? [...found].sort(compare) : found;
    last = { filter, found: ordered, hidden: matches.length - found.length };
    return last;
  };
}
