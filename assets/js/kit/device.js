// The kind of device that shows a page: "/" is made for computers, and blocks phones and tablets.

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

// Returns whether "/" shows its block screen here, and whether the visitor has forced the page on a device of another
// kind. `query`: the parameters of the address of "/".
export function decideDevice(query) {
  const requested = query.get("device");
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
  return { isBlocked: !isForced && device !== "desktop", isForced: isForced && byWidth !== "desktop" };
}
