// The cart beside the open menu as its visitor means it: what the server said last, and the steps
// that it has not answered yet. A step is shown in the frame in which it is taken, whatever the
// network; the server's answer settles it, also where it was refused. What a line costs is shown
// from the price that was fetched; every sum, discount and fee comes from the server, which
// believes none of this.
import { useEffect, useLayoutEffect } from "react";
import { useIsLost } from "./connection.jsx";
import { createStore } from "./store.js";

// A step that the server has not answered for so long, over a line that stands, was lost.
const LOST_AFTER_MS = 8_000;
const TURNS = "turns";
const KEPT = "cart";

let said = { cart: "", turn: 0, most: Infinity, isLost: false, isHydrated: false };
let steps = [];
let lastTurn = 0;
let settling;
const means = createStore({ restaurant: "", quantities: new Map(), hasLost: false, isAwaited: false });

// A cart is kept as restaurant|changed|key|dish:quantity,dish:quantity
function kept(cart) {
  const [restaurant, , , dishes] = (cart ?? "").split("|");
  if (!dishes) return { restaurant: "", quantities: new Map() };
  const pairs = dishes.split(",").map((dish) => dish.split(":"));
  return { restaurant, quantities: new Map(pairs.map(([id, quantity]) => [id, Number(quantity)])) };
}

function meant() {
  const { restaurant, quantities } = kept(said.cart);
  const taken = steps.filter((step) => !restaurant || step.restaurant === restaurant);
  // In another kitchen's cart nothing is meant before the visitor was asked.
  if (!taken.length) return { restaurant, quantities };
  const own = taken.at(-1).restaurant;
  for (const { restaurant: kitchen, dish, by } of taken) {
    if (kitchen !== own) continue;
    const quantity = Math.max(0, Math.min((quantities.get(dish) ?? 0) + by, said.most));
    if (quantity) quantities.set(dish, quantity);
    else quantities.delete(dish);
  }
  return { restaurant: own, quantities };
}

function show() {
  means.change({ ...meant(), isAwaited: steps.length > 0 || !said.isHydrated });
  clearTimeout(settling);
  if (steps.length && !said.isLost) settling = setTimeout(forgetSteps, LOST_AFTER_MS);
}

function forgetSteps() {
  steps = [];
  show();
  means.change({ hasLost: true });
}

// Turns grow for as long as the server may know the tab: over reloads too.
function nextTurn() {
  lastTurn = Math.max(lastTurn, said.turn) + 1;
  return lastTurn;
}

try {
  lastTurn = Number(sessionStorage.getItem(TURNS)) || 0;
  addEventListener("pagehide", () => sessionStorage.setItem(TURNS, lastTurn));
} catch {
  // The server has no storage; where a browser's is blocked, turns begin anew with each page.
}

// Takes one more of a dish, or one less, and returns its turn.
export function step(restaurant, dish, by) {
  const turn = nextTurn();
  steps.push({ turn, restaurant: String(restaurant), dish, by });
  means.change({ hasLost: false });
  show();
  return turn;
}

function keptHere() {
  try {
    return localStorage.getItem(KEPT) ?? "";
  } catch {
    return "";
  }
}

// Takes in the server's word: the cart, and the last turn that is in it. Before the first word the
// cart is what this browser has kept of it.
export function CartFeed({ cart, turn, most, hydrated }) {
  const isLost = useIsLost(1);
  useLayoutEffect(() => {
    said = { cart: hydrated ? cart : keptHere(), turn, most, isLost, isHydrated: hydrated };
    steps = steps.filter((each) => each.turn > turn);
    show();
  }, [cart, turn, most, isLost, hydrated]);
  // Who leaves the menu has said all that there was to say.
  useEffect(
    () => () => {
      clearTimeout(settling);
      steps = [];
      means.change({ hasLost: false });
    },
    [],
  );
  return null;
}

const quantityIn = ({ restaurant, quantities }, kitchen, dish) =>
  restaurant === String(kitchen) ? (quantities.get(dish) ?? 0) : 0;

// How many of a dish the visitor means; only who shows this dish is drawn again.
export const useQuantity = (restaurant, dish) =>
  means.use((cart) => quantityIn(cart, restaurant, dish));

export const useMeantCart = () => means.use();

// Whether the server has not yet said what the last steps cost.
export const useIsAwaited = () => means.use((cart) => cart.isAwaited);

// Whether the last steps did not reach the server, and are shown no more.
export const useHasLostSteps = () => means.use((cart) => cart.hasLost);

// Thousands, and pairs of digits before them. The browser's own formatter would take most of the
// time in which a phone reads this module.
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

export const keptDishCount = (cart) => sumOf(kept(cart).quantities);

// The cart's figures, where the cart that the server knows is the open menu's; else an empty one's.
export const ownFigures = (cart, restaurant, figures, empty) =>
  kept(cart).restaurant === String(restaurant) ? figures : empty;
