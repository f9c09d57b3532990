// Computes what a kitchen board shows of a ticket: its state after the presses of this device, and how late it is.

const STATES = ["sent", "seen", "ready", "handed_over"];
const MINUTE_MS = 60_000;
const UNDO_MS = MINUTE_MS;
const LATE_MINUTES = 10;
const VERY_LATE_MINUTES = 20;
// The `dueFrom` of a table's ticket is its slot: its dishes are to be cooked from this long before the slot.
const TABLE_MINUTES = 60;

const rank = (state) => STATES.indexOf(state);

export const isBefore = (state, other) => rank(state) < rank(other);

// The same rule as after_press in kitchen/rules/kitchen.py, which decides; both have tests/cases/kitchen_presses.json.
function afterPress(ticket, { saw, target, at }) {
  const isForward = rank(target) > rank(saw);
  const isUndo = target !== saw && ticket.state === saw && ticket.previous === target && at <= ticket.undoUntil;
  const counts = isForward ? rank(target) > rank(ticket.state) : isUndo;
  if (!counts) return ticket;
  return { ...ticket, state: target, previous: isForward ? ticket.state : target, undoUntil: at + UNDO_MS };
}

// Returns the style classes of a ticket.
function look({ state, isCancelled }, isToCook, isLater, minutes) {
  if (isCancelled) return "cancelled";
  if (!isToCook) return "ready";
  if (isLater) return state === "sent" ? "new later" : "later";
  const lateness = minutes < LATE_MINUTES ? "" : minutes < VERY_LATE_MINUTES ? "late" : "very-late";
  return state === "sent" ? `new ${lateness}` : lateness;
}

// Returns a ticket with the device's presses on it, and what the board says of it at a time.
export function shownTicket(ticket, presses, now) {
  const current = presses.filter(({ orderId }) => orderId === ticket.id).reduce(afterPress, ticket);
  const minutes = Math.floor((now - current.dueFrom) / MINUTE_MS);
  const isToCook = rank(current.state) < rank("ready") && !current.isCancelled;
  const isLater = isToCook && minutes <= -TABLE_MINUTES;
  return {
    ...current,
    isToCook,
    isLater,
    isDue: isToCook && !isLater,
    isNew: current.state === "sent" && !current.isCancelled && !current.shortages.length,
    isSeen: rank(current.state) >= rank("seen"),
    isReady: rank(current.state) >= rank("ready"),
    isHandedOver: current.state === "handed_over",
    canUndo: current.state !== current.previous && now < current.undoUntil,
    hours: Math.floor(Math.abs(minutes) / 60),
    minutes: Math.abs(minutes) % 60,
    isAhead: minutes < 0,
    look: look(current, isToCook, isLater, minutes),
  };
}

// Returns the number of units of each dish that is to be cooked now, the most first.
export function dueDishes(tickets) {
  const units = new Map();
  for (const { lines } of tickets.filter(({ isDue }) => isDue)) {
    for (const line of lines.filter(({ isShort }) => !isShort)) {
      const key = `${line.id}|${line.name}`;
      units.set(key, { ...line, quantity: line.quantity + (units.get(key)?.quantity ?? 0) });
    }
  }
  return [...units.values()].sort((one, other) => other.quantity - one.quantity);
}
