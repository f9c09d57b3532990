// The dishes of a kitchen that its switches show, and their order.
import { useState } from "react";
import { useChoice } from "../../kit/store.js";
import { useKitchenDishes, withSwitches } from "./kitchen_dishes.js";
import { useStatuses } from "../catalogue/statuses.js";

// Returns the dishes whose names contain the searched text. Those that were sold out when the view was opened come first,
// and stay first: a dish that moved at each change would be pressed by mistake. `viewName` and `queryName` are the names
// of the choices (kit/store.js) of the view and of the text.
export function useSwitchableDishes(viewName, queryName) {
  const kitchen = useKitchenDishes();
  const statuses = useStatuses();
  const view = useChoice(viewName, "");
  const words = useChoice(queryName, "").trim().toLowerCase();
  const dishes = withSwitches(kitchen, statuses);
  const isKnown = statuses.isKnown && dishes.length > 0;
  const [sorted, setSorted] = useState({ for: "", first: new Set() });
  const current = `${view} ${isKnown}`;
  if (sorted.for !== current) {
    const gone = dishes.filter(({ isAvailable }) => !isAvailable).map(({ id }) => id);
    setSorted({ for: current, first: new Set(gone) });
  }
  return dishes
    .filter(({ name, localName }) => `${name} ${localName}`.toLowerCase().includes(words))
    .sort((one, other) => Number(sorted.first.has(other.id)) - Number(sorted.first.has(one.id)));
}
