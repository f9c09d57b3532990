// The presses of a kitchen board in the browser's storage, where they survive a reload without a connection.
import { campusTime } from "../shell/campus_time.js";

export const LONGEST_KEPT_MS = 86_400_000;
const STORED = "kitchenPresses";

export function storedPresses() {
  try {
    const kept = JSON.parse(localStorage.getItem(STORED)) ?? [];
    return kept.filter(({ at }) => Math.abs(campusTime() - at) < LONGEST_KEPT_MS);
  } catch {
    return [];
  }
}

// Stores the presses that wait, beside those of another tab of the device, which are not among `presses`.
export function keepPresses(presses, waiting) {
  try {
    const own = new Set(presses.map(({ id }) => id));
    const others = storedPresses().filter(({ id }) => !own.has(id));
    localStorage.setItem(STORED, JSON.stringify([...others, ...waiting]));
  } catch {
    // Without storage a press is kept for as long as the page is open.
  }
}
