// The open menu. It is embedded in the page or fetched once per visit, and is in no Reflex state: that
// would send the menu over the socket of every visitor (decision 3).
import { useEffect, useMemo } from "react";
import { useParams } from "react-router";
import { fetchWithTimeout } from "../../kit/connection.jsx";
import { setKept } from "../../kit/kept.js";
import { createStore } from "../../kit/store.js";
import { useFilter } from "./dish_filter.js";
import { shownSections } from "./menu_sections.js";

const TIMEOUT_MS = 10_000;
const NO_MENU = [404, 500]; // the server's answers (catalogue/csv/menu_files.py)

// `message` is the server's. Without one, `failure` is the HTTP status, or "none" if there was no response.
// `first`: the prices with which the menu was opened, by dish.
const LOADING = { status: "loading", message: "", failure: "", restaurant: {}, sections: [], first: {} };
const pricesIn = (sections) =>
  Object.fromEntries(sections.flatMap(({ dishes }) => dishes).map(({ id, price }) => [id, price]));
const ready = ({ restaurant, sections }, first = pricesIn(sections)) => ({
  ...LOADING,
  status: "ready",
  restaurant,
  sections,
  first,
});

// The menus of the two example addresses of the build: placeholders that the server fills in
// (ordering/screens/prerendered_menu.py), with each variant of a section and of a dish.
function templates() {
  const fill = (thing, names) => Object.fromEntries(names.map((name) => [name, `⟦${thing}.${name}⟧`]));
  const dish = fill("dish", ["id", "testId", "name", "localName", "description", "price", "spice", "facts"]);
  const section = {
    ...fill("section", ["id", "number", "name", "count"]),
    dishes: ["veg", "non_veg", ""].map((diet) => ({ ...dish, diet })),
  };
  const restaurant = fill("restaurant", ["id", "name", "image", "rating", "deliveryMinutes", "hours"]);
  const sections = [section, { ...section, id: "⟦ section.id ⟧", count: 1 }];
  return {
    example: ready({ restaurant: { ...restaurant, hasTables: false }, sections }),
    "example-with-tables": ready({ restaurant: { ...restaurant, hasTables: true }, sections }),
  };
}

const TEMPLATES = import.meta.env.SSR ? templates() : {}; // the browsers' bundle has none
const embedded = import.meta.env.SSR || !window.openMenu ? null : ready(window.openMenu);
const store = createStore(embedded ?? LOADING, { onUnsubscribed: resetUnlessSubscribed });
let requested = embedded ? decodeURIComponent(window.location.pathname.split("/")[2]) : "";

// Whether the service worker has kept the open menu: the server may have another one now.
export const isMenuKept = () => isKept;
let isKept = !import.meta.env.SSR && document.documentElement.dataset.kept !== undefined;

async function fetchMenu(id) {
  const response = await fetchWithTimeout(`/api/menus/${encodeURIComponent(id)}`, TIMEOUT_MS);
  const time = response.headers.get("x-kept-at");
  isKept = time !== null;
  setKept(time ?? "");
  return response;
}

async function load(id) {
  requested = id;
  store.change(LOADING);
  let next;
  try {
    const response = await fetchMenu(id);
    const body = await response.json();
    const message = body.error?.message ?? "";
    next = response.ok
      ? ready(body)
      : { ...LOADING, status: "error", message, failure: message ? "" : String(response.status) };
  } catch {
    next = { ...LOADING, status: "error", failure: "none" };
  }
  if (requested === id) store.change(next);
}

// Fetches the open menu again; returns whether it has changed, or undefined if that is not known.
export async function refreshMenu() {
  const id = requested;
  let response, body;
  try {
    response = await fetchMenu(id);
    body = await response.json();
  } catch {
    return undefined;
  }
  // The server has no menu to sell now: the shown one stays until there is another one.
  if (!response.ok) return NO_MENU.includes(response.status) ? false : undefined;
  const { restaurant, sections, first } = store.state;
  const isSame = JSON.stringify([body.restaurant, body.sections]) === JSON.stringify([restaurant, sections]);
  if (requested !== id || isSame) return false;
  store.change(ready(body, first));
  return true;
}

// The next visit fetches the menu again: it may have changed.
function resetUnlessSubscribed() {
  queueMicrotask(() => {
    if (store.hasSubscribers()) return;
    requested = "";
    store.change(LOADING);
  });
}

export const useOpenMenu = () => store.useStore();

export function useMenu() {
  const { restaurant_id: id } = useParams();
  // Each component that reads the menu loads it: the back button may change the menu without mounting a new screen.
  useEffect(() => {
    if (id !== requested) load(id);
  }, [id]);
  return store.useStore(undefined, TEMPLATES[id]);
}

// Returns the sections that the visitor's filter leaves, `count` dishes in all, and the number of dishes that
// only 'Veg only' hides. `isList`: all dishes are in one section, because the visitor searches or orders by price.
export function useShownMenu() {
  const { sections } = useMenu();
  const filter = useFilter();
  return useMemo(() => shownSections(sections, filter), [sections, filter]);
}
