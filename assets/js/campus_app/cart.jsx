// The cart as components read it. A line's amount is the fetched price times the quantity; every sum,
// discount and fee comes from the server, which does not read any of these.
import { useEffect, useLayoutEffect } from "react";
import { useIsDisconnected } from "../kit/connection.jsx";
import { confirmCart, discardSteps, parseCart, useCart } from "./cart_store.js";

// Passes the state's cart to the store, before the frame is painted.
export function ConfirmedCart({ cart, sequence, most, hydrated }) {
  const isDisconnected = useIsDisconnected(1);
  useLayoutEffect(
    () => confirmCart({ cart, sequence, most, isDisconnected, isHydrated: hydrated }),
    [cart, sequence, most, isDisconnected, hydrated],
  );
  useEffect(() => discardSteps, []);
  return null;
}

// How many of one dish: only the component of that dish is rendered again.
export const useQuantity = (restaurant, dish) =>
  useCart((cart) => (cart.restaurant === String(restaurant) ? (cart.quantities.get(dish) ?? 0) : 0));

// Whether the server has not confirmed the last steps yet.
export const useIsPending = () => useCart((cart) => cart.isPending);

// Whether the last steps were lost on the way, and are no longer shown.
export const useHasLostSteps = () => useCart((cart) => cart.hasLost);

// Groups digits as India does. Intl.NumberFormat would take most of the time in which a phone reads
// this module.
export function formatRupees(amount) {
  const [whole, paise] = amount.toFixed(2).split(".");
  return `₹${whole.replace(/\B(?=(\d\d)*\d{3}$)/g, ",")}${paise === "00" ? "" : `.${paise}`}`;
}

export const lineTotal = (quantity, dish) => (quantity ? formatRupees((quantity * dish.paise) / 100) : "");

export function cartLines(menu, cart) {
  if (cart.restaurant !== String(menu.restaurant.id)) return [];
  const dishes = new Map(menu.sections.flatMap((section) => section.dishes).map((dish) => [dish.id, dish]));
  return [...cart.quantities]
    .filter(([id]) => dishes.has(id))
    .map(([id, quantity]) => {
      const dish = dishes.get(id);
      return { id, name: dish.name, times: `${quantity}×`, total: lineTotal(quantity, dish) };
    });
}

const sumOf = (quantities) => [...quantities.values()].reduce((sum, each) => sum + each, 0);

export const dishCount = (cart, restaurant) =>
  cart.restaurant === String(restaurant) ? sumOf(cart.quantities) : 0;

export const storedDishCount = (text) => sumOf(parseCart(text).quantities);

// The server's totals where its cart is the open menu's, else those of an empty cart.
export const totalsHere = (text, restaurant, totals, empty) =>
  parseCart(text).restaurant === String(restaurant) ? totals : empty;
