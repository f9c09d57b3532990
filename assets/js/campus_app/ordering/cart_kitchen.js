// The restaurant of the stored cart.
import { parseCart } from "./cart_steps.js";

const UNKNOWN = { name: "", closes: "" };

// Returns the restaurant of a cart's stored text: its name, and its closing time as text and in ms since 1970. The time is
// empty and 0 while it is unknown or the restaurant is closed.
export function kitchenOf(kitchens, cart) {
  const { name, closes } = kitchens[parseCart(cart).restaurant] ?? UNKNOWN;
  return { name, closes: closes.slice(11, 16), closesMs: closes ? Date.parse(closes) : 0 };
}
