// A ticket that was pressed keeps its place on the board for two seconds: a second tap of a wet finger at the same spot
// then meets the same ticket, not the next one.

// The server sends no message about a press before this time is over: HELD_SECONDS in kitchen/rules/kitchen.py.
const HOLD_MS = 2_000;
const holds = new Map(); // the place of a ticket and until when it is kept, by the order's id

// Returns the list in which a ticket belongs.
function placeOf({ isReady, isHandedOver }) {
  if (isHandedOver) return "done";
  return isReady ? "ready" : "cook";
}

// Keeps a ticket in the list where it is shown, and calls `release` at the end.
export function hold({ id, place }, release) {
  holds.set(id, { place, until: performance.now() + HOLD_MS });
  setTimeout(release, HOLD_MS);
}

// Returns a ticket with the list in which it is shown.
export function placed(ticket) {
  const held = holds.get(ticket.id);
  const isHeld = held !== undefined && performance.now() < held.until;
  if (!isHeld) holds.delete(ticket.id);
  return { ...ticket, isHeld, place: isHeld ? held.place : placeOf(ticket) };
}
