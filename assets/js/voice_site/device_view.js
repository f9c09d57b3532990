// Which of the two views of "/" is shown: the page, or the screen that blocks phones and tablets. Both
// are in the one prerendered page, so only the browser can decide.
// The page inlines each of these functions where it is needed, before the first paint
// (components/browser.py); device_watch.jsx calls them again. They use nothing from outside this file.

// Whether the visitor has switched on the browser's own 'Desktop site'. The browser then lays a page
// out wider than the screen (980 px on a phone), and sends a desktop's user agent. `width` is the
// layout's; `screenWidth` and `screenHeight` belong to the device, in either orientation.
export function isDesktopSite({ width, height, screenWidth, screenHeight, isTouch, agent }) {
  const [short, long] = [screenWidth, screenHeight].sort((a, b) => a - b);
  if (width > (width > height ? long : short)) return true;
  const hasDesktopAgent = !/Mobi|Android|iPhone|iPad|iPod/.test(agent);
  // 980 px is what browsers take for it; a phone on its side may be wider.
  return isTouch && hasDesktopAgent && (width === 980 || (width > 980 && short <= 767));
}

export function decideView() {
  const stored = (key) => {
    try {
      return localStorage.getItem(key);
    } catch {
      return null;
    }
  };
  const query = new URLSearchParams(location.search);
  const asked = query.get("device");
  if (asked === "auto") {
    try {
      localStorage.removeItem("forceDesktop");
      localStorage.removeItem("deviceOverride");
    } catch {
      // Without storage there is nothing to remove.
    }
  }
  const isForced =
    query.get("desktop") === "true" || asked === "desktop" || stored("forceDesktop") === "true";
  const upTo = (px) => matchMedia(`(max-width: ${px}.98px)`).matches;
  const isAsked = isDesktopSite({
    width: document.documentElement.clientWidth,
    height: document.documentElement.clientHeight,
    screenWidth: screen.width,
    screenHeight: screen.height,
    isTouch: navigator.maxTouchPoints > 0,
    agent: navigator.userAgent,
  });
  const byWidth = isAsked ? "desktop" : upTo(767) ? "mobile" : upTo(1023) ? "tablet" : "desktop";
  const device = [asked, stored("deviceOverride"), byWidth].find((each) =>
    ["mobile", "tablet", "desktop"].includes(each),
  );
  const root = document.documentElement;
  root.dataset.view = isForced || device === "desktop" ? "page" : "block";
  root.toggleAttribute("data-forced", isForced && byWidth !== "desktop");
  document
    .querySelectorAll("meta[name=theme-color]")
    .forEach((meta) => {
      meta.dataset.before ??= meta.content;
      meta.setAttribute("content", "#07080e");
    });
}

export function openOwnSteps() {
  const agent = navigator.userAgent;
  const is = (pattern) => pattern.test(agent);
  const own = is(/Firefox|FxiOS/)
    ? "firefox"
    : is(/Edg|OPR|OPiOS|SamsungBrowser|YaBrowser|UCBrowser|DuckDuckGo/)
      ? "other"
      : is(/Chrome|Chromium|CriOS/)
        ? "chrome"
        : is(/Safari/)
          ? "safari"
          : "other";
  document.querySelectorAll("details[data-browser]").forEach((details) => {
    details.open = details.dataset.browser === own;
  });
}
