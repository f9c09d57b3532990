// Reports to event_replay.js that React handles the page's events, and whether the page is hydrated:
// only the browser has this information.
import { useEffect } from "react";
import { setKept } from "./kept.js";

// `pageready` starts the replay. Forms are submitted only when `isHydrated` is set, since the events on
// load would reset the values that a form's handler sets.
export function PageReady({ hydrated }) {
  useEffect(() => {
    window.isHydrated = hydrated;
    // What the page shows comes from the server again (service-worker.js).
    if (hydrated) setKept("");
  }, [hydrated]);
  useEffect(() => void dispatchEvent(new Event("pageready")), []);
  return null;
}
