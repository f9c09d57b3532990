// The menu of a group order, fetched once per visit. It shares no module with the menu's own store
// (../catalogue/menu.jsx), which would become a file of its own that the first load of every menu fetches.
import { useEffect, useMemo } from "react";
import { useParams } from "react-router";
import { fetchWithTimeout } from "../../kit/connection.jsx";
import { createStore } from "../../kit/store.js";
import { startWithoutQuery, useFilter } from "../catalogue/dish_filter.js";
import { shownSections } from "../catalogue/menu_sections.js";

const TIMEOUT_MS = 10_000;
const LOADING = { status: "loading", restaurant: {}, sections: [] };
const store = createStore(LOADING, { onUnsubscribed: () => queueMicrotask(forgetUnlessShown) });
let requested = "";

// The next visit fetches the menu again: it may have changed.
function forgetUnlessShown() {
  if (store.hasSubscribers()) return;
  requested = "";
  store.change(LOADING);
}

async function load(id) {
  requested = id;
  startWithoutQuery(); // this screen has no field for it
  store.change(LOADING);
  let next = { ...LOADING, status: "error" };
  try {
    const response = await fetchWithTimeout(`/api/menus/${encodeURIComponent(id)}`, TIMEOUT_MS);
    if (response.ok) next = { ...(await response.json()), status: "ready" };
  } catch {
    // no connection, or no answer in time
  }
  if (requested === id) store.change(next);
}

// Returns the menu with the dishes that the visitor's filter leaves, and their numbers as useShownMenu does.
export function useGroupMenu() {
  const { restaurant_id: id } = useParams();
  useEffect(() => {
    if (id !== requested) load(id);
  }, [id]);
  const { status, restaurant, sections } = store.useStore();
  const filter = useFilter();
  const shown = useMemo(() => shownSections(sections, filter), [sections, filter]);
  return { ...shown, status, restaurant };
}
