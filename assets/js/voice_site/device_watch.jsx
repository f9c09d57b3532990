// Decides again which view of "/" is shown (device_view.js) when a window is resized or a phone rotated.
import { useEffect, useLayoutEffect } from "react";
import { useLocation } from "react-router";
import { decideView, openOwnSteps } from "./device_view.js";

const RESIZED_MS = 150;

// Runs after the end of a resize, and after a choice in another tab.
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
    const events = ["resize", "orientationchange", "storage"];
    events.forEach((name) => addEventListener(name, decideLater));
    return () => {
      clearTimeout(timer);
      events.forEach((name) => removeEventListener(name, decideLater));
    };
  }, []);
  useLayoutEffect(() => {
    const colours = [...document.querySelectorAll("meta[name=theme-color]")];
    return () => {
      colours.forEach((meta) => meta.setAttribute("content", meta.dataset.before));
      document.documentElement.removeAttribute("data-view");
      document.documentElement.removeAttribute("data-forced");
    };
  }, []);
  return null;
}

// Shows the page on this device from now on; without storage, for this visit.
export function forceDesktop() {
  localStorage.setItem("forceDesktop", "true");
  decideView();
  // In a full storage nothing was stored.
  if (document.documentElement.dataset.view === "block") {
    location.search = "?desktop=true";
    return;
  }
  scrollTo(0, 0);
  document.querySelector(".tara-page h1")?.focus({ preventScroll: true });
}
