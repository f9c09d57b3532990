// Decides which of the two views of "/" is shown: the page, or the block screen for phones and
// tablets. Both are in the one prerendered page, so only the browser can decide. The page inlines this
// file and runs it before the first paint (components/browser.py); device_watch.jsx runs it again.
import { decideDevice } from "../kit/device.js";

export function decideView() {
  const query = new URLSearchParams(location.search);
  if (query.get("device") === "auto") {
    localStorage.removeItem("forceDesktop");
    localStorage.removeItem("deviceOverride");
  }
  const { isBlocked, isForced } = decideDevice(query);
  const root = document.documentElement;
  root.dataset.view = isBlocked ? "block" : "page";
  root.toggleAttribute("data-forced", isForced);
  setBarColour("#07080e");
}

// Shows the legal pages (privacy, terms) on a light ground, on every device.
export function showLightView() {
  document.documentElement.dataset.view = "light";
  setBarColour("#efe6d2");
}

// Sets the colour of the browser's own bar.
function setBarColour(colour) {
  document.querySelectorAll("meta[name=theme-color]").forEach((meta) => {
    meta.dataset.before ??= meta.content;
    meta.setAttribute("content", colour);
  });
}

// Expands the instructions for this browser.
export function openOwnSteps() {
  const patterns = {
    firefox: /Firefox|FxiOS/,
    other: /Edg|OPR|OPiOS|SamsungBrowser|YaBrowser|UCBrowser|DuckDuckGo/,
    chrome: /Chrome|Chromium|CriOS/,
    safari: /Safari/,
  };
  const own = Object.keys(patterns).find((name) => patterns[name].test(navigator.userAgent)) ?? "other";
  document.querySelectorAll("details[data-browser]").forEach((details) => {
    details.open = details.dataset.browser === own;
  });
}
