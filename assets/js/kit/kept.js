// Whether the page or its menu was kept by the service worker, and of when it is.
import { createStore } from "./store.js";

const ZONE = "Asia/Kolkata";
const root = import.meta.env.SSR ? undefined : document.documentElement;
const store = createStore({ time: root?.dataset.kept ?? "" });

// `time` in ISO 8601; empty for what the server has just sent.
export function setKept(time) {
  if (time !== store.state.time) store.change({ time });
}

// Returns when what is shown was current, as text: the time, and the day if it is not today. Empty if it is current.
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
