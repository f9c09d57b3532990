// The campus that this browser has chosen. A script in the head of every page
// (components/browser/campuses.py) stores it, marks the document with it before the first paint, and
// offers `window.campus`: the pages are built once for all, so Python cannot draw the choice.
import { useEffect, useRef, useSyncExternalStore } from "react";
import { focusHeading } from "./focus.jsx";

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

// Chooses a campus when its list is opened: a navigation within the app runs no script of the head.
export function SelectCampus({ campus }) {
  useEffect(() => window.campus.choose(campus), [campus]);
  return null;
}

// Asks for the campus in place of a screen's content. `missing`: the server has no campus although
// this browser has one, which a storage that keeps nothing did not send.
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
