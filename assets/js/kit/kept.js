// The time of a page that the service worker has stored: while the server can't be reached, the service
// worker shows its stored copy of a page or menu, and the banner says from when that copy is.
import { createStore } from "./store.js";

const ZONE = "Asia/Kolkata";
const root = import.meta.env.SSR ? undefined : document.documentElement;
const store = createStore({ time: root?.dataset.kept ?? "" });

// Sets the time of the shown copy, in ISO 8601; an empty text says that the server has just sent it.
export function setKept(time) {
  if (!time) delete root.dataset.kept;
  if (time !== store.state.time) store.change({ time });
}

// Returns the time of the shown copy as text, with the day if it is not today; an empty text if it is no copy.
export function useKept() {
  const { time } = store.useStore(undefined, { time: "" });
  if (!time) return "";
  const moment = new Date(time);
  const format = (date, options) =>
    new Intl.DateTimeFormat(root.lang || undefined, { timeZone: ZONE, hour12: false, ...options }).format(date);
  const day = (date) => format(date, { day: "numeric", month: "short" });
  const clock = format(moment, { hour: "2-digit", minute: "2-digit" });
  return day(moment) === day(new Date()) ? clock : `${day(moment)}, ${clock}`;
}
