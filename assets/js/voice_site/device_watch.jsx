// Decides again which view of "/" is shown (device_view.js) when a window is resized or a phone rotated, and
// shows the legal pages in the light view.
import { useEffect, useLayoutEffect } from "react";
import { useLocation, useNavigationType } from "react-router";
import { decideView, openOwnSteps, showLightView } from "./device_view.js";

const RESIZED_MS = 150;

// Removes the marks of the view from the document, and the colour of the browser's bar, when another page is shown.
function useViewCleanup() {
  useLayoutEffect(() => {
    const colours = [...document.querySelectorAll("meta[name=theme-color]")];
    return () => {
      colours.forEach((meta) => meta.setAttribute("content", meta.dataset.before));
      document.documentElement.removeAttribute("data-view");
      document.documentElement.removeAttribute("data-forced");
    };
  }, []);
}

// After a navigation within the app the heading of the view gets the focus, so that screen readers read it; after
// the back button the browser keeps its place.
function useHeadingFocus() {
  const navigationType = useNavigationType();
  useEffect(() => {
    if (navigationType === "POP") return;
    const headings = [...document.querySelectorAll("h1")];
    headings.find((heading) => heading.getClientRects().length)?.focus({ preventScroll: true });
  }, [navigationType]);
}

// Decides the view again when the query changes, after a resize, after a choice in another tab, when a tab is shown.
export function DeviceWatch() {
  const { search } = useLocation();
  useLayoutEffect(decideView, [search]);
  useEffect(() => {
    openOwnSteps();
    let timer;
    const decideLater = () => {
      clearTimeout(timer);
      timer = setTimeout(decideView, RESIZED_MS);
    };
    // A tab that was opened in the background has no size of a window until it is shown.
    const events = ["resize", "orientationchange", "storage", "visibilitychange"];
    events.forEach((name) => addEventListener(name, decideLater));
    return () => {
      clearTimeout(timer);
      events.forEach((name) => removeEventListener(name, decideLater));
    };
  }, []);
  useViewCleanup();
  useHeadingFocus();
  return null;
}

export function LightView() {
  useLayoutEffect(showLightView, []);
  useViewCleanup();
  useHeadingFocus();
  return null;
}

// Shows the page on this device from now on; without storage, for this visit.
export function forceDesktop() {
  localStorage.setItem("forceDesktop", "true");
  decideView();
  // The storage was full, and nothing was stored: the query forces the page for this visit.
  if (document.documentElement.dataset.view === "block") {
    location.search = "?desktop=true";
    return;
  }
  scrollTo(0, 0);
  document.querySelector(".tara-page h1")?.focus({ preventScroll: true });
}
