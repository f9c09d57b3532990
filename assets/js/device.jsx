// Watches which view of "/" should be up for as long as one of them is on the screen.
import { useEffect, useLayoutEffect } from "react";
import { useLocation } from "react-router";
import { decideView, openOwnSteps } from "./device.js";

const SETTLED_MS = 150;

// Decides again once a change of size has settled, and when another tab decides.
export function DeviceWatch() {
  const { search } = useLocation();
  useLayoutEffect(decideView, [search]);
  useEffect(() => {
    openOwnSteps();
    let timer;
    const settle = () => {
      clearTimeout(timer);
      timer = setTimeout(decideView, SETTLED_MS);
    };
    const events = ["resize", "orientationchange", "storage"];
    events.forEach((name) => addEventListener(name, settle));
    return () => {
      clearTimeout(timer);
      events.forEach((name) => removeEventListener(name, settle));
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

// Shows the page here from now on; where nothing can be kept, for this visit.
export function forceDesktop() {
  try {
    localStorage.setItem("forceDesktop", "true");
  } catch {
    // Looked at below: a storage that is full may keep nothing, and say nothing.
  }
  decideView();
  if (document.documentElement.dataset.view === "block") {
    location.search = "?desktop=true";
    return;
  }
  scrollTo(0, 0);
  document.querySelector(".tara-page h1")?.focus({ preventScroll: true });
}
