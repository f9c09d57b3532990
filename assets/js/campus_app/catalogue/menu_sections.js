// The sections of a menu, and what a visitor's filter leaves of them.
import { createFinder } from "./dish_filter.js";

// The dishes of all sections, each once: a trending dish is in its category, too. `categories` are the names of
// the dishes' last sections, by their ids.
export function dishesOf(sections) {
  const byId = new Map();
  const categories = new Map();
  for (const { name, dishes } of sections) {
    for (const dish of dishes) {
      if (!byId.has(dish.id)) byId.set(dish.id, dish);
      categories.set(dish.id, name);
    }
  }
  return { dishes: [...byId.values()], categories };
}

const finders = new WeakMap();

function finderOf(sections) {
  if (!finders.has(sections)) {
    const { dishes, categories } = dishesOf(sections);
    finders.set(sections, createFinder(dishes, ({ id }) => categories.get(id)));
  }
  return finders.get(sections);
}

// Returns the sections that a filter leaves, with `count`, `hidden` and `isList` as useShownMenu (menu.jsx) explains them.
export function shownSections(sections, filter) {
  const { found, hidden } = finderOf(sections)(filter);
  const result = { count: found.length, hidden };
  const isSearched = filter.query.trim() !== "";
  if (isSearched || filter.order !== "menu") {
    const name = isSearched ? "Found" : "All dishes";
    const section = { id: "found", number: "00", name, count: found.length, dishes: found };
    return { ...result, isList: true, sections: found.length ? [section] : [] };
  }
  if (!filter.isVegOnly) return { ...result, isList: false, sections };
  const kept = new Set(found.map(({ id }) => id));
  const shown = sections.map((section) => {
    const own = section.dishes.filter(({ id }) => kept.has(id));
    return { ...section, dishes: own, count: own.length };
  });
  return { ...result, isList: false, sections: shown.filter(({ count }) => count) };
}
