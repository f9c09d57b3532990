// The cart beside the menu, with optimistic updates (decision 13): it shows the cart that the server has
// confirmed, plus the steps that it has not confirmed yet. A step appears in the next frame, which no
// event of Reflex can do; the response replaces it, also where the server refused the step.
import { createStore } from "../../kit/store.js";
import { campusTime } from "../shell/campus_time.js";
import { parseCart, withSteps } from "./cart_steps.js";

// If a connected socket brings no response in this time, the page connects again: the server then reads the steps with
// the stored cart. Meanwhile the steps stay on the screen, because the server may have counted them.
const LONGEST_ANSWER_MS = 8_000;
const SEQUENCE = "cartSequence";
const STORED = "cart";
const KEY_BYTES = 16;
const MINUTE_MS = 60_000;

let confirmed = {
  cart: "",
  sequence: 0,
  most: Infinity,
  mostDishes: Infinity,
  isDisconnected: false,
  isHydrated: false,
};
let steps = [];
let lastSequence = 0;
let isMenuOpen = false;
let stalledTimer;
// `last`: the dish of the last step on the open menu. `isWaiting`: steps wait for a connection.
const cart = createStore({ ...parseCart(), isPending: false, isWaiting: false, isHydrated: false, last: "" });

export const useCart = cart.useStore;

const storedSequence = () => Number(sessionStorage.getItem(SEQUENCE)) || 0;

// Adds the steps that the server has not confirmed to the stored cart, and stores the number of the last one with it.
// The server reads both with the next connection, and ignores steps up to that number: each step counts once, whether
// the server has received it or not.
function storeSteps() {
  const text = localStorage.getItem(STORED) ?? "";
  const { restaurant, key, quantities, sequence } = withSteps(text, storedSequence(), steps, confirmed);
  if (sequence === storedSequence()) return;
  const minute = Math.floor(campusTime() / MINUTE_MS).toString(36);
  const dishes = [...quantities].map((each) => each.join(":")).join();
  localStorage.setItem(STORED, dishes && [restaurant, minute, key || newKey(), dishes].join("|"));
  sessionStorage.setItem(SEQUENCE, sequence);
}

// As unguessable as the server's (ordering/screens/browser_storage.py).
function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(KEY_BYTES));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

// Shows the server's cart or, until the page is hydrated, that of the browser's storage, with the further steps.
function show() {
  const { cart: text, sequence, isHydrated, isDisconnected } = confirmed;
  const [stored, last] = isHydrated ? [text, sequence] : [localStorage.getItem(STORED), storedSequence()];
  const shown = withSteps(stored, last, steps, confirmed);
  const isWaiting = steps.length > 0 && isDisconnected;
  cart.change({ ...shown, isHydrated, isPending: steps.length > 0 || !isHydrated, isWaiting });
  clearTimeout(stalledTimer);
  if (isMenuOpen && steps.length && !isDisconnected) stalledTimer = setTimeout(reconnect, LONGEST_ANSWER_MS);
}

const reconnect = () => dispatchEvent(new Event("stalled")); // connection_events.patch

// The prerendering of the build has neither storage nor a connection.
if (!import.meta.env.SSR) {
  lastSequence = storedSequence();
  addEventListener("pagehide", storeSteps);
  addEventListener("reconnecting", () => {
    storeSteps();
    show(); // waits the whole time again for a response
  });
}

// Adds `by` to the shown quantity of a dish. Returns the step's sequence number for the server.
export function step(restaurant, dish, by) {
  lastSequence = Math.max(lastSequence, confirmed.sequence) + 1;
  steps.push({ sequence: lastSequence, restaurant: String(restaurant), dish, by });
  if (confirmed.isDisconnected) storeSteps(); // outlives the page, for which there may be no connection any more
  cart.change({ last: dish });
  show();
  return lastSequence;
}

// Takes the server's cart, and drops the steps up to its sequence number. `sequence` is a text, empty before the
// first step.
export function confirmCart({ cart: text, sequence, most, mostDishes, isDisconnected, isHydrated }) {
  isMenuOpen = true;
  confirmed = { cart: text, sequence: Number(sequence) || 0, most, mostDishes, isDisconnected, isHydrated };
  if (isHydrated) steps = steps.filter((each) => each.sequence > confirmed.sequence);
  show();
}

// Called when the visitor leaves the menu. Steps that the server has not confirmed stay: they are on their way. Only the
// next menu learns that they have arrived, so that other screens do not wait for it.
export function leaveMenu() {
  isMenuOpen = false;
  clearTimeout(stalledTimer);
  cart.change({ last: "" });
}
