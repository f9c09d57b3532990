// The cart beside the menu, with optimistic updates (decision 13): it shows the cart that the server has
// confirmed, plus the steps that it has not confirmed yet. A step appears in the next frame, which no
// event of Reflex can do; the response replaces it, also where the server refused the step.
import { createStore } from "../kit/store.js";
import { campusTime } from "./campus_time.js";

// A step counts as lost if a connected socket brings no response in this time.
const LOST_AFTER_MS = 8_000;
const SEQUENCE = "cartSequence";
const STORED = "cart";
const KEY_BYTES = 16;
const MINUTE_MS = 60_000;
// The sequence number of a step that is in the browser's storage already: the server ignores it.
const STORED_STEP = -1;

let confirmed = { cart: "", served: "", sequence: 0, most: Infinity, isDisconnected: false, isHydrated: false };
let steps = [];
// The cart that the browser itself has stored without a connection, and the server's cart at that time: until the
// server sends another one, it has not read the storage again.
let own = null;
let lastSequence = 0;
let lostTimer;
const cart = createStore({ restaurant: "", quantities: new Map(), hasLost: false, isPending: false });

export const useCart = cart.useStore;

// A cart is stored as restaurant|minute|key|dish:quantity,dish:quantity (states/browser_storage.py)
export function parseCart(text) {
  const [restaurant, , , dishes] = (text ?? "").split("|");
  if (!dishes) return { restaurant: "", quantities: new Map() };
  const pairs = dishes.split(",").map((dish) => dish.split(":"));
  return { restaurant, quantities: new Map(pairs.map(([id, quantity]) => [id, Number(quantity)])) };
}

function add(quantities, dish, by) {
  const quantity = Math.max(0, Math.min((quantities.get(dish) ?? 0) + by, confirmed.most));
  if (quantity) quantities.set(dish, quantity);
  else quantities.delete(dish);
}

function optimistic() {
  const { restaurant, quantities } = parseCart(confirmed.cart);
  const taken = steps.filter((step) => !restaurant || step.restaurant === restaurant);
  // A step at another restaurant opens a dialog, and changes nothing until the visitor has chosen.
  if (!taken.length) return { restaurant, quantities };
  const last = taken.at(-1).restaurant;
  for (const step of taken) {
    if (step.restaurant === last) add(quantities, step.dish, step.by);
  }
  return { restaurant: last, quantities };
}

// Changes the stored cart while there is no connection: it outlives the screen and a reload, and the server reads
// it with the next connection. Returns whether that was possible; another kitchen's cart needs a question first.
function store(restaurant, dish, by) {
  const text = localStorage.getItem(STORED) ?? "";
  const { restaurant: stored, quantities } = parseCart(text);
  if (stored && stored !== restaurant) return false;
  add(quantities, dish, by);
  const key = (stored && text.split("|")[2]) || newKey();
  const minute = Math.floor(campusTime() / MINUTE_MS).toString(36);
  const dishes = [...quantities].map((each) => each.join(":")).join();
  own = { text: dishes ? [restaurant, minute, key, dishes].join("|") : "", served: own?.served ?? confirmed.served };
  localStorage.setItem(STORED, own.text);
  confirmed.cart = own.text;
  return true;
}

// As unguessable as the server's (states/browser_storage.py).
function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(KEY_BYTES));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function show() {
  cart.change({ ...optimistic(), isPending: steps.length > 0 || !confirmed.isHydrated });
  clearTimeout(lostTimer);
  if (steps.length && !confirmed.isDisconnected) lostTimer = setTimeout(dropLostSteps, LOST_AFTER_MS);
}

function dropLostSteps() {
  steps = [];
  show();
  cart.change({ hasLost: true });
}

// Sequence numbers also grow over reloads, since the server may still have this tab's session.
try {
  lastSequence = Number(sessionStorage.getItem(SEQUENCE)) || 0;
  addEventListener("pagehide", () => sessionStorage.setItem(SEQUENCE, lastSequence));
} catch {
  // The prerendering of the build has no storage.
}

// Adds `by` to the shown quantity of a dish. Returns the step's sequence number for the server.
export function step(restaurant, dish, by) {
  if (confirmed.isDisconnected && store(String(restaurant), dish, by)) {
    show();
    return STORED_STEP;
  }
  lastSequence = Math.max(lastSequence, confirmed.sequence) + 1;
  steps.push({ sequence: lastSequence, restaurant: String(restaurant), dish, by });
  cart.change({ hasLost: false });
  show();
  return lastSequence;
}

// Takes the server's cart, and drops the steps up to its sequence number. Until the page is hydrated, it
// uses the cart of the browser's storage.
export function confirmCart({ cart: text, sequence, most, isDisconnected, isHydrated }) {
  if (own && isHydrated && text !== own.served) own = null;
  const shown = own?.text ?? (isHydrated ? text : localStorage.getItem(STORED));
  confirmed = { cart: shown, served: text, sequence, most, isDisconnected, isHydrated };
  steps = steps.filter((each) => each.sequence > sequence);
  show();
}

// Called when the visitor leaves the menu. Steps that the server has not confirmed stay: they are on their way.
export function leaveMenu() {
  clearTimeout(lostTimer);
  cart.change({ hasLost: false });
}
