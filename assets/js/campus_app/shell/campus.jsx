// The chosen campus, which campus_choice.js stores and exposes as `window.campus`: the pages are
// prerendered once for all visitors, so Python cannot render the choice.
import { useEffect, useRef, useSyncExternalStore } from "react";
import { focusHeading } from "./focus.jsx";

const chosen = () => document.documentElement.dataset.campus ?? "";

function subscribe(listener) {
  addEventListener("campuschange", listener);
  return () => removeEventListener("campuschange", listener);
}

const useCampus = () => useSyncExternalStore(subscribe, chosen, () => "");

// The address of the chosen campus' list; the address `chooser` without a choice.
export function useListAddress(chooser) {
  const campus = useCampus();
  return campus ? window.campus.lists[campus] : chooser;
}

// Chooses a campus when its list is opened, since a navigation within the app does not run campus_choice.js.
export function SelectCampus({ campus }) {
  useEffect(() => window.campus.choose(campus), [campus]);
  return null;
}

// Asks for the campus in place of a screen's content. `missing`: whether the server has no campus, although this page
// may show one, because the browser's storage is blocked. Then the page's choice is removed, unless it has just been
// made: the server may have sent `missing` before it received the choice.
export function CampusPrompt({ missing, children, ...rest }) {
  const campus = useCampus();
  const before = useRef(null);
  const isUnconfirmed = useRef(false);
  useEffect(() => {
    if (missing && !isUnconfirmed.current) window.campus.clear();
    isUnconfirmed.current = false;
  }, [missing]);
  useEffect(() => {
    // Hydration adds the stored campus to the prerendered page, which has none: nobody has chosen it now.
    const changed = before.current !== null && before.current !== campus;
    before.current = before.current === null ? chosen() : campus;
    if (!changed) return undefined;
    isUnconfirmed.current = campus !== "";
    window.scrollTo(0, 0);
    return focusHeading();
  }, [campus]);
  return campus ? null : <section {...rest}>{children}</section>;
}
