// The kitchen board: the tickets that the server has sent, and the presses that it has not confirmed yet. A press
// shows at once, and is kept in the browser's storage until the server has confirmed it: it survives a lost
// connection and a reload.
import { createStore } from "../../kit/store.js";
import { campusTime, setServerTime } from "../shell/campus_time.js";
import { hold, placed } from "./kitchen_holds.js";
import { keepPresses, LONGEST_KEPT_MS, storedPresses } from "./kitchen_presses.js";
import { dueDishes, isBefore, shownTicket } from "./kitchen_tickets.js";

const ID_BYTES = 16;
const TICK_MS = 5_000;
// The server checks a board every 15 s.
const FRESH_MS = 40_000;

const EMPTY = {
  ...{ isKnown: false, isFresh: false, restaurant: "", name: "", device: "" },
  ...{ tickets: [], due: [], dueCount: 0, laterCount: 0, unseen: 0, presses: [], waiting: 0 },
};
const store = createStore(
  { ...EMPTY, printed: [] },
  { onSubscribed: start, onUnsubscribed: stop },
);
let sent = { tickets: [] };
let accepted = "";
let checkedAt = -Infinity;
let serverCheckedAt = 0;
let presses = [];
let opened = new Set(); // the ids of the tickets that the cook's view shows whole
let timer;

export const useKitchenBoard = () => store.useStore();

function localized(line) {
  return { ...line, localName: line.localNames[document.documentElement.lang] ?? "" };
}

function update() {
  const now = campusTime();
  // A device without a connection shows no order for longer than a day.
  const current = sent.tickets.filter(({ paidAt }) => now - paidAt < LONGEST_KEPT_MS);
  const tickets = current.map((ticket) => {
    const shown = placed(shownTicket(ticket, presses, now));
    return { ...shown, isOpened: opened.has(shown.id), lines: shown.lines.map(localized) };
  });
  const count = (is) => tickets.filter(is).length;
  store.change({
    tickets,
    due: dueDishes(tickets),
    dueCount: count(({ isDue }) => isDue),
    laterCount: count(({ isLater }) => isLater),
    unseen: count(({ isNew }) => isNew),
    presses,
    waiting: waitingPresses().length,
    isFresh: performance.now() - checkedAt < FRESH_MS,
  });
}

function start() {
  presses = storedPresses();
  timer = setInterval(update, TICK_MS);
}

function stop() {
  clearInterval(timer);
  sent = { tickets: [] };
  store.change(EMPTY);
}

// Removes the tickets of a device that is not enrolled any more.
export function closeBoard() {
  sent = { tickets: [] };
  store.change(EMPTY);
}

// Records when the server compared the board with its database, in ms of the server's clock. From then on the board
// contains the presses that the server had processed before, so that they are dropped here.
export function markChecked(at) {
  checkedAt = performance.now();
  serverCheckedAt = at;
  dropChecked();
}

function dropChecked() {
  presses = presses.filter(({ confirmedAt }) => !(confirmedAt <= serverCheckedAt));
  update();
}

// Shows the board that the server has sent. A screen that is opened again may still have the text of its earlier visit:
// that is ignored.
export function acceptBoard(text) {
  if (text === accepted) return;
  accepted = text;
  checkedAt = performance.now();
  sent = JSON.parse(text);
  setServerTime(sent.at);
  store.change({ isKnown: true, restaurant: sent.restaurant, name: sent.name, device: sent.device });
  update();
}

function add(ticket, target) {
  const id = Array.from(crypto.getRandomValues(new Uint8Array(ID_BYTES)), (byte) => byte.toString(16)).join("-");
  presses = [...presses, { id, orderId: ticket.id, saw: ticket.state, target, at: campusTime() }];
  hold(ticket, sent.heldMs, update);
  keepPresses(presses, waitingPresses());
  update();
}

// Presses a button of a ticket, unless its step is done.
export function press(ticket, target) {
  if (isBefore(ticket.state, target)) add(ticket, target);
}

export const undo = (ticket) => add(ticket, ticket.previous);

// Shows all of a ticket in the cook's view, or hides it again.
export function toggleTicket(id) {
  opened = opened.has(id) ? new Set([...opened].filter((each) => each !== id)) : new Set([...opened, id]);
  update();
}

// Returns the presses that the server has not confirmed.
export const waitingPresses = () => presses.filter(({ confirmedAt }) => !confirmedAt);

// Marks presses as processed by the server, at these `times` by their ids. The board still needs them until the server
// has compared it with its database after that (markChecked).
export function confirmPresses(times) {
  const isOne = ({ id, confirmedAt }) => !confirmedAt && id in times;
  if (!presses.some(isOne)) return;
  presses = presses.map((each) => (isOne(each) ? { ...each, confirmedAt: times[each.id] } : each));
  keepPresses(presses, waitingPresses());
  dropChecked();
}

// The ticket to print; without one, the browser prints every ticket that is due.
export function choosePrinted(ticket) {
  store.change({ printed: ticket ? [ticket] : [] });
}

export const printedTickets = ({ printed, tickets }) =>
  printed.length ? printed : tickets.filter(({ isToCook }) => isToCook);
