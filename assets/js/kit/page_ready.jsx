// Says that React handles the page's events, and that the page is hydrated: only the browser knows.
import { useEffect } from "react";

// event_replay.js waits for the event `pageready`. It also waits for `isHydrated` before it submits
// forms, since the events on load reset what a form's handler has set.
export function PageReady({ hydrated }) {
  useEffect(() => void (window.isHydrated = hydrated), [hydrated]);
  useEffect(() => void dispatchEvent(new Event("pageready")), []);
  return null;
}
