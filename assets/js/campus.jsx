// The campus that this browser has chosen. The script in the head of every page
// (components/browser/campuses.py) stores it, marks the page with it before the first paint, and
// offers `window.campus`; this module lets components follow that mark.
import { useEffect, useRef, useSyncExternalStore } from "react";
import { focusHeading } from "./browser.jsx";

const chosen = () => document.documentElement.dataset.campus ?? "";

function subscribe(listener) {
  addEventListener("campuschange", listener);
  return () => removeEventListener("campuschange", listener);
}

const useCampus = () => useSyncExternalStore(subscribe, chosen, () => "");

// The address of the chosen campus' list; without a campus, that of the chooser.
export function useListAddress(chooser) {
  const campus = useCampus();
  return campus ? window.campus.lists[campus] : chooser;
}

// A list that is opened chooses its campus; after a navigation within the app no script of the
// page's head runs.
export function ChosenCampus({ campus }) {
  useEffect(() => window.campus.choose(campus), [campus]);
  return null;
}

// What stands in place of a screen's content until a campus is chosen. `missing` says that the
// server has none although this browser does: a storage that keeps nothing loses the choice.
export function CampusPrompt({ missing, children, ...rest }) {
  const campus = useCampus();
  const before = useRef(campus);
  useEffect(() => {
    if (missing) window.campus.ask();
  }, [missing]);
  useEffect(() => {
    const changed = before.current !== campus;
    before.current = campus;
    if (!changed) return undefined;
    window.scrollTo(0, 0);
    return focusHeading();
  }, [campus]);
  return campus ? null : <section {...rest}>{children}</section>;
}
