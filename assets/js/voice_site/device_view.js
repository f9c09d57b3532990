// Decides which of the two views of "/" is shown: the page, or the screen that blocks phones and
// tablets. Both are in the one prerendered page, so only the browser can decide. The page inlines this
// file and runs it before the first paint (components/browser.py); device_watch.jsx runs it again.

// Returns whether the visitor has switched on the browser's own 'Desktop site'. The browser then lays a
// page out wider than the screen (980 px on a phone), and sends a desktop's user agent. `width` is that
// of the layout; `screenWidth` and `screenHeight` are the device's, in either orientation.
export function isDesktopSite({ width, height, screenWidth, screenHeight, isTouch, agent }) {
  const [short, long] = [screenWidth, screenHeight].sort((a, b) => a - b);
  if (width > (width > height ? long : short)) return true;
  const hasDesktopAgent = !/Mobi|Android|iPhone|iPad|iPod/.test(agent);
  // Browsers use 980 px for it; a phone in landscape may be wider.
  return isTouch && hasDesktopAgent && (width === 980 || (width > 980 && short <= 767));
}

// A window is at most this much wider or narrower than its page without zoom: frame and scroll bar.
const FRAME = 0.05;

// Returns the width that decides between page and block screen. The zoom of a computer's browser changes the width of
// the page, but not that of its window. Side panels, such as developer tools, count as part of the window.
export function widthWithoutZoom({ width, outerWidth, isComputer }) {
  const isZoomed = outerWidth > 0 && Math.abs(outerWidth / width - 1) > FRAME;
  return isComputer && isZoomed ? outerWidth : width;
}

export function decideView() {
  const query = new URLSearchParams(location.search);
  const requested = query.get("device");
  if (requested === "auto") {
    localStorage.removeItem("forceDesktop");
    localStorage.removeItem("deviceOverride");
  }
  const isForced =
    query.get("desktop") === "true" ||
    requested === "desktop" ||
    localStorage.getItem("forceDesktop") === "true";
  const width = widthWithoutZoom({
    width: innerWidth,
    outerWidth,
    // Browsers of phones and tablets report outer widths that do not follow a split screen.
    isComputer: matchMedia("(hover: hover) and (pointer: fine)").matches,
  });
  const isDesktopRequested = isDesktopSite({
    width: document.documentElement.clientWidth,
    height: document.documentElement.clientHeight,
    screenWidth: screen.width,
    screenHeight: screen.height,
    isTouch: navigator.maxTouchPoints > 0,
    agent: navigator.userAgent,
  });
  const byWidth = isDesktopRequested ? "desktop" : width < 768 ? "mobile" : width < 1024 ? "tablet" : "desktop";
  const device = [requested, localStorage.getItem("deviceOverride"), byWidth].find((each) =>
    ["mobile", "tablet", "desktop"].includes(each),
  );
  const root = document.documentElement;
  root.dataset.view = isForced || device === "desktop" ? "page" : "block";
  root.toggleAttribute("data-forced", isForced && byWidth !== "desktop");
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
