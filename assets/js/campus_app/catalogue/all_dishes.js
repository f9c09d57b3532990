// The dishes of all kitchens, for the search on the list. The menus are fetched when the visitor turns to the
// search, and again after a while: prices change.
import { useEffect, useEffectEvent } from "react";
import { fetchWithTimeout } from "../../kit/connection.jsx";
import { createStore } from "../../kit/store.js";
import { createFinder, useFilter } from "./dish_filter.js";
import { dishesOf } from "./menu_sections.js";
import { isSoldOut, stateOf, useStatuses } from "./statuses.js";

const TIMEOUT_MS = 10_000;
const FRESH_MS = 120_000;
const MOST_SHOWN = 30;
const LEAST_LETTERS = 2;

const finderOf = (dishes) => createFinder(dishes, ({ more }) => more);
const store = createStore({ dishes: [], find: finderOf([]), isLoading: false, hasFailed: false });
let loaded = { ids: "", at: -Infinity };

const loadWords = () => import("./dish_search.js").then(({ wordsOf }) => wordsOf).catch(() => undefined);

async function loadMenu(id) {
  const response = await fetchWithTimeout(`/api/menus/${id}`, TIMEOUT_MS);
  if (!response.ok) throw new Error(`status ${response.status}`);
  const { restaurant, sections } = await response.json();
  const { dishes, categories } = dishesOf(sections);
  // Normalized now, menu by menu: all at once would delay the first letter.
  const wordsOf = await loadWords();
  return dishes.map((dish) => {
    const more = `${categories.get(dish.id)} ${restaurant.name}`;
    return {
      ...dish,
      key: `${restaurant.id}-${dish.id}`,
      restaurantId: restaurant.id,
      restaurantName: restaurant.name,
      more,
      words: wordsOf?.(dish, more),
      address: `/menu/${restaurant.id}?find=${encodeURIComponent(dish.name)}`,
    };
  });
}

// Loads the menus of these restaurants, unless that was done a short while ago. A menu that can't be read is
// left out.
export async function loadDishes(ids) {
  const { isLoading, hasFailed } = store.state;
  const isFresh = loaded.ids === ids.join() && performance.now() - loaded.at < FRESH_MS;
  if (isLoading || (isFresh && !hasFailed)) return;
  store.change({ isLoading: true });
  const menus = await Promise.allSettled(ids.map(loadMenu));
  const dishes = menus.flatMap(({ value }) => value ?? []);
  loaded = { ids: ids.join(), at: performance.now() };
  store.change({ dishes, find: finderOf(dishes), isLoading: false, hasFailed: menus.some(({ status }) => status === "rejected") });
}

// Loads the menus as soon as there is a query, which may be in the address already, and when the browser is back online.
export function DishLoader({ ids }) {
  const { query } = useFilter();
  const load = useEffectEvent(() => query && loadDishes(ids));
  useEffect(() => void load(), [query]);
  useEffect(() => {
    const retry = () => void load();
    addEventListener("online", retry);
    return () => removeEventListener("online", retry);
  }, []);
  return null;
}

// Returns the dishes that match, those of open kitchens first, and how many match (`count`), how many of them are not
// shown (`more`), and how many only 'Veg only' leaves out (`hidden`).
export function useFoundDishes() {
  const { dishes, find, isLoading, hasFailed } = store.useStore();
  const filter = useFilter();
  const statuses = useStatuses();
  const isSearching = filter.query.trim().length >= LEAST_LETTERS;
  const { found, hidden } = isSearching ? find(filter) : { found: [], hidden: 0 };
  const isOpen = ({ restaurantId }) => stateOf(statuses, restaurantId) === "OPEN";
  const ordered = [...found.filter(isOpen), ...found.filter((dish) => !isOpen(dish))];
  return {
    isSearching,
    isLoading: !dishes.length && (isLoading || !hasFailed),
    hasFailed,
    isEmpty: !dishes.length,
    dishes: ordered
      .slice(0, MOST_SHOWN)
      .map((dish) => ({ ...dish, isSoldOut: isSoldOut(statuses, dish.restaurantId, dish.id) })),
    count: ordered.length,
    more: Math.max(ordered.length - MOST_SHOWN, 0),
    hidden,
  };
}
