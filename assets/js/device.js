// Which of the two views of "/" is up: the page, or the screen that blocks phones and tablets.
// The page inlines each of these functions where it is needed, so that the wrong view never
// flashes; device.jsx calls them again. They use nothing from outside themselves.

export function decideView() {
  const kept = (key) => {
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
      // Where nothing can be kept there is nothing to forget.
    }
  }
  const isForced =
    query.get("desktop") === "true" || asked === "desktop" || kept("forceDesktop") === "true";
  const upTo = (px) => matchMedia(`(max-width: ${px}.98px)`).matches;
  const byWidth = upTo(767) ? "mobile" : upTo(1023) ? "tablet" : "desktop";
  const device = [asked, kept("deviceOverride"), byWidth].find((each) =>
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
