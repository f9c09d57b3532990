// Decides again which view of "/" is shown (device_view.js): a window can be resized, a phone turned.
import { useEffect, useLayoutEffect } from "react";
import { useLocation } from "react-router";
import { decideView, openOwnSteps } from "./device_view.js";

const RESIZED_MS = 150;

// After a resize has ended, and after another tab has decided.
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
  try {
    localStorage.setItem("forceDesktop", "true");
  } catch {
    // decideView() below finds out: a full storage may fail without an error.
  }
  decideView();
  if (document.documentElement.dataset.view === "block") {
    location.search = "?desktop=true";
    return;
  }
  scrollTo(0, 0);
  document.querySelector(".tara-page h1")?.focus({ preventScroll: true });
}
