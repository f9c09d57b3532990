// The dishes of a kitchen's menu, with a switch for each: whether it can be ordered.
import { useEffect } from "react";
import { fetchWithTimeout } from "../../kit/connection.jsx";
import { createStore } from "../../kit/store.js";
import { isSoldOut, menuRevisionOf, useStatuses } from "../catalogue/statuses.js";

const TIMEOUT_MS = 10_000;
const RETRY_MS = 5_000;
const SETTLED_MS = 2_000;

const store = createStore({ restaurant: "", dishes: [], pendingDishes: {}, hasFailed: false });

export const useKitchenDishes = () => store.useStore();

async function fetchDishes(restaurant) {
  const response = await fetchWithTimeout(`/api/menus/${restaurant}`, TIMEOUT_MS);
  const { sections } = await response.json();
  return new Map(sections.flatMap((section) => section.dishes).map((dish) => [dish.id, dish]));
}

// Loads the menu of a kitchen, and again when it has changed: a board stays open for days.
export function useMenuOf(restaurant) {
  const revision = menuRevisionOf(useStatuses(), restaurant);
  useEffect(() => {
    if (!restaurant || revision === undefined) return undefined;
    let timer;
    let isLeft = false;
    const load = async () => {
      try {
        const dishes = await fetchDishes(restaurant);
        if (!isLeft) store.change({ restaurant, dishes: [...dishes.values()], hasFailed: false });
      } catch {
        if (isLeft) return;
        store.change({ hasFailed: true });
        timer = setTimeout(load, RETRY_MS);
      }
    };
    load();
    return () => {
      isLeft = true;
      clearTimeout(timer);
    };
  }, [restaurant, revision]);
}

// Shows a switch in its new position for two seconds, because the server's answer takes a while: it arrives as a change
// of the statuses. If the server has refused the change, the switch then goes back.
export function switchDish(id, isAvailable) {
  store.change({ pendingDishes: { ...store.state.pendingDishes, [id]: isAvailable } });
  setTimeout(() => {
    const { [id]: _, ...others } = store.state.pendingDishes;
    store.change({ pendingDishes: others });
  }, SETTLED_MS);
}

// Returns the dishes of the menu, with what their switches show.
export const withSwitches = ({ restaurant, dishes, pendingDishes }, statuses) =>
  dishes.map((dish) => ({
    ...dish,
    isAvailable: pendingDishes[dish.id] ?? !isSoldOut(statuses, restaurant, dish.id),
  }));
