// The hooks and functions with which components read the cart. The browser computes only the amount of a line, the
// fetched price times the quantity; every sum, discount and fee comes from the server, which reads no amounts from the
// browser.
import { useLayoutEffect } from "react";
import { useIsDisconnected } from "../../kit/connection.jsx";
import { useFilter } from "../catalogue/dish_filter.js";
import { dishesOf } from "../catalogue/menu_sections.js";
import { parseCart } from "./cart_steps.js";
import { confirmCart, leaveMenu, useCart } from "./cart_store.js";
import { closingDish } from "./closing_dish.js";
import { chosenDishes } from "./new_prices.js";
import { isSoldOut } from "../catalogue/statuses.js";

// Passes the server's cart to the store before the frame is painted, so that no frame shows an older cart.
export function ConfirmedCart({ cart, sequence, most, mostDishes, hydrated }) {
  const isDisconnected = useIsDisconnected();
  useLayoutEffect(
    () => confirmCart({ cart, sequence, most, mostDishes, isDisconnected, isHydrated: hydrated }),
    [cart, sequence, most, mostDishes, isDisconnected, hydrated],
  );
  useLayoutEffect(() => leaveMenu, []);
  return null;
}

// Returns the quantity of one dish; only the component of that dish renders again when it changes.
export const useQuantity = (restaurant, dish) =>
  useCart((cart) => (cart.restaurant === String(restaurant) ? (cart.quantities.get(dish) ?? 0) : 0));

// Returns whether the server has not confirmed the last steps yet.
export const useIsPending = () => useCart((cart) => cart.isPending);

// Groups digits as India does. Intl.NumberFormat would take most of this module's loading time on a
// phone.
export function formatRupees(amount) {
  const [whole, paise] = amount.toFixed(2).split(".");
  return `₹${whole.replace(/\B(?=(\d\d)*\d{3}$)/g, ",")}${paise === "00" ? "" : `.${paise}`}`;
}

export const lineTotal = (quantity, dish) => (quantity ? formatRupees((quantity * dish.paise) / 100) : "");

// `soldOut` is added to the names of dishes that are sold out.
export function cartLines(menu, cart, statuses, soldOut) {
  return chosenDishes(cart, menu).map(([dish, quantity]) => {
    const name = isSoldOut(statuses, cart.restaurant, dish.id) ? `${dish.name} · ${soldOut}` : dish.name;
    return { id: dish.id, name, times: `${quantity}×`, total: lineTotal(quantity, dish) };
  });
}

const sumOf = (quantities) => [...quantities.values()].reduce((sum, each) => sum + each, 0);

export const dishCount = (cart, restaurant) =>
  cart.restaurant === String(restaurant) ? sumOf(cart.quantities) : 0;

export const storedDishCount = (text) => sumOf(parseCart(text).quantities);

// Returns a sum of the server as text. It is unknown while steps wait for a connection, and before hydration, and so on
// a page that the service worker has stored; there the sum of an empty cart is known.
export function sumText(amount, cart, restaurant) {
  const isKnown = cart.isHydrated ? !cart.isWaiting : !dishCount(cart, restaurant);
  return isKnown ? formatRupees(amount) : "₹…";
}

export function isElsewhere(text, restaurant) {
  const stored = parseCart(text).restaurant;
  return stored !== "" && stored !== String(restaurant);
}

// Returns the server's totals, or those of an empty cart (`empty`) if the server's cart is of another menu.
export const totalsHere = (text, restaurant, totals, empty) => (isElsewhere(text, restaurant) ? empty : totals);

export const useIsVegOnly = () => useFilter(({ isVegOnly }) => isVegOnly);

// Returns the dish that is offered beside the `shortfall` of the server's cart (`text`), or null.
export function offeredDish(menu, text, statuses, isVegOnly, shortfall) {
  const { restaurant, quantities } = parseCart(text);
  const chosen = restaurant === String(menu.restaurant.id) ? [...quantities.keys()] : [];
  const { dishes } = dishesOf(menu.sections);
  return closingDish(dishes, chosen, statuses.soldOut[restaurant] ?? [], isVegOnly, shortfall);
}
