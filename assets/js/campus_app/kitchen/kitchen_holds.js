// A ticket that was pressed keeps its place on the board for a moment: a second tap of a wet finger at the same spot
// then meets the same ticket, not the next one.
const holds = new Map(); // the place of a ticket and until when it is kept, by the order's id

// Returns the list in which a ticket belongs.
function placeOf({ isReady, isHandedOver }) {
  if (isHandedOver) return "done";
  return isReady ? "ready" : "cook";
}

// Keeps a ticket in the list where it is shown for `ms`, and calls `release` at the end.
export function hold({ id, place }, ms, release) {
  holds.set(id, { place, until: performance.now() + ms });
  setTimeout(release, ms);
}

// Returns a ticket with the list in which it is shown.
export function placed(ticket) {
  const held = holds.get(ticket.id);
  const isHeld = held !== undefined && performance.now() < held.until;
  if (!isHeld) holds.delete(ticket.id);
  return { ...ticket, isHeld, place: isHeld ? held.place : placeOf(ticket) };
}
