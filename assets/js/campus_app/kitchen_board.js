// The kitchen board: the tickets that the server has sent, and the presses that it has not confirmed yet. A press
// shows at once, and is kept in the browser's storage until the server has confirmed it: it survives a lost
// connection and a reload.
import { createStore } from "../kit/store.js";
import { campusTime, setServerTime } from "./campus_time.js";
import { isSoldOut } from "./statuses.js";

const STORED = "kitchenPresses";
const STATES = ["sent", "seen", "ready", "handed_over"];
const MINUTE_MS = 60_000;
const TICK_MS = 5_000;
const UNDO_MS = MINUTE_MS;
const LONGEST_KEPT_MS = 86_400_000;
const SETTLED_MS = 2_000;
const LATE_MINUTES = 10;
const VERY_LATE_MINUTES = 20;
// Dishes for a table are due this long before its slot.
const TABLE_MINUTES = 60;
const MENU_TIMEOUT_MS = 10_000;

const EMPTY = { isKnown: false, restaurant: "", name: "", device: "", tickets: [], due: [], unseen: 0, waiting: 0 };
const store = createStore(
  { ...EMPTY, printed: [], dishes: [], pendingDishes: {}, hasDishesFailed: false },
  { onSubscribed: start, onUnsubscribed: stop },
);
let sent = { tickets: [] };
let presses = [];
let timer;

export const useKitchenBoard = () => store.useStore();

const rank = (state) => STATES.indexOf(state);

// The same rule as in domain/kitchen.py, which decides.
function afterPress(ticket, { saw, target, at }) {
  const isForward = rank(target) > rank(saw);
  const counts = isForward ? rank(target) > rank(ticket.state) : ticket.state === saw && ticket.previous === target;
  if (!counts) return ticket;
  return { ...ticket, state: target, previous: isForward ? ticket.state : target, undoUntil: at + UNDO_MS };
}

// Returns the style classes of a ticket.
function look({ state, isCancelled }, isDue, minutes) {
  if (isCancelled) return "cancelled";
  if (!isDue) return "ready";
  const lateness = minutes < LATE_MINUTES ? "" : minutes < VERY_LATE_MINUTES ? "late" : "very-late";
  return state === "sent" ? `new ${lateness}` : lateness;
}

function shown(ticket, now) {
  const current = presses.filter(({ orderId }) => orderId === ticket.id).reduce(afterPress, ticket);
  const minutes = Math.floor((now - current.dueFrom) / MINUTE_MS);
  const isDue = rank(current.state) < rank("ready") && !current.isCancelled;
  return {
    ...current,
    isDue,
    isNew: current.state === "sent" && !current.isCancelled,
    isSeen: rank(current.state) >= rank("seen"),
    isReady: rank(current.state) >= rank("ready"),
    isHandedOver: current.state === "handed_over",
    canUndo: current.state !== current.previous && now < current.undoUntil,
    hours: Math.floor(Math.abs(minutes) / 60),
    minutes: Math.abs(minutes) % 60,
    isAhead: minutes < 0,
    look: look(current, isDue, minutes),
  };
}

// Returns the number of units of each dish that is to be cooked now, the most first.
function dueDishes(tickets) {
  const units = new Map();
  for (const { isDue, isAhead, hours, lines } of tickets) {
    if (!isDue || (isAhead && hours * 60 >= TABLE_MINUTES)) continue;
    for (const line of lines) {
      const key = `${line.id}|${line.name}`;
      units.set(key, { ...line, quantity: line.quantity + (units.get(key)?.quantity ?? 0) });
    }
  }
  return [...units.values()].sort((one, other) => other.quantity - one.quantity);
}

function localized(line) {
  return { ...line, localName: line.localNames[document.documentElement.lang] ?? "" };
}

function update() {
  const now = campusTime();
  const tickets = sent.tickets.map((ticket) => {
    const current = shown(ticket, now);
    return { ...current, lines: current.lines.map(localized) };
  });
  store.change({
    tickets,
    due: dueDishes(tickets),
    unseen: tickets.filter(({ isNew }) => isNew).length,
    waiting: presses.length,
  });
}

// Another tab of the device may have kept presses of its own.
function keep() {
  try {
    const own = new Set(presses.map(({ id }) => id));
    const others = stored().filter(({ id }) => !own.has(id));
    localStorage.setItem(STORED, JSON.stringify([...others, ...waitingPresses()]));
  } catch {
    // Without storage a press is kept for as long as the page is open.
  }
}

function stored() {
  try {
    const kept = JSON.parse(localStorage.getItem(STORED)) ?? [];
    return kept.filter(({ at }) => Math.abs(campusTime() - at) < LONGEST_KEPT_MS);
  } catch {
    return [];
  }
}

function start() {
  presses = stored();
  timer = setInterval(update, TICK_MS);
}

function stop() {
  clearInterval(timer);
  sent = { tickets: [] };
  store.change(EMPTY);
}

// Takes the board that the server has sent; an empty text closes it.
export function acceptBoard(text) {
  if (!text) {
    sent = { tickets: [] };
    store.change(EMPTY);
    return;
  }
  sent = JSON.parse(text);
  setServerTime(sent.at);
  presses = presses.filter(({ isConfirmed }) => !isConfirmed);
  store.change({ isKnown: true, restaurant: sent.restaurant, name: sent.name, device: sent.device });
  update();
  loadDishes();
}

// Presses a button of a ticket, or undoes the last press.
export function press(ticket, target) {
  const id = crypto.randomUUID();
  presses = [...presses, { id, orderId: ticket.id, saw: ticket.state, target, at: campusTime() }];
  keep();
  update();
}

export const undo = (ticket) => press(ticket, ticket.previous);

// Returns the presses that the server has not confirmed.
export const waitingPresses = () => presses.filter(({ isConfirmed }) => !isConfirmed);

// The server has processed these presses; they still show until it sends the board again.
export function confirmPresses(ids) {
  const isOne = ({ id, isConfirmed }) => !isConfirmed && ids.includes(id);
  if (!presses.some(isOne)) return;
  presses = presses.map((each) => (isOne(each) ? { ...each, isConfirmed: true } : each));
  keep();
  setTimeout(() => {
    presses = waitingPresses();
    update();
  }, SETTLED_MS);
}

// The ticket to print; without one, the browser prints every ticket that is due.
export function choosePrinted(ticket) {
  store.change({ printed: ticket ? [ticket] : [] });
}

export const printedTickets = ({ printed, tickets }) =>
  printed.length ? printed : tickets.filter(({ isDue }) => isDue);

let requested = "";

async function loadDishes() {
  const { restaurant } = store.state;
  if (requested === restaurant) return;
  requested = restaurant;
  const controller = new AbortController();
  setTimeout(() => controller.abort(), MENU_TIMEOUT_MS);
  try {
    const response = await fetch(`/api/menus/${restaurant}`, { signal: controller.signal });
    const { sections } = await response.json();
    const dishes = new Map(sections.flatMap((section) => section.dishes).map((dish) => [dish.id, dish]));
    store.change({ dishes: [...dishes.values()], hasDishesFailed: false });
  } catch {
    requested = ""; // the next board tries again
    store.change({ hasDishesFailed: true });
  }
}

// Shows a switch in its new position until the server's answer.
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
