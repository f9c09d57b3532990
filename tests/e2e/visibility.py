"""What is visible without scrolling, measured in the browser."""

from playwright.sync_api import Locator, Page

_IN_SIGHT = """(element) => {
  const box = element.getBoundingClientRect();
  if (!box.width || !box.height) return "has no size";
  const cut = (frame) =>
    box.top < frame.top - 0.5 ||
    box.left < frame.left - 0.5 ||
    box.bottom > frame.bottom + 0.5 ||
    box.right > frame.right + 0.5;
  const window_ = { top: 0, left: 0, bottom: innerHeight, right: innerWidth };
  if (cut(window_)) return `is at ${Math.round(box.top)}-${Math.round(box.bottom)}, outside the window`;
  for (let parent = element.parentElement; parent; parent = parent.parentElement) {
    const { overflowX, overflowY } = getComputedStyle(parent);
    if (parent === document.body || parent === document.documentElement) continue;
    if (overflowX + overflowY !== "visiblevisible" && cut(parent.getBoundingClientRect()))
      return `is cut off by .${parent.className}`;
  }
  const inset = 2;
  for (const y of [box.top + inset, (box.top + box.bottom) / 2, box.bottom - inset]) {
    const hit = document.elementFromPoint((box.left + box.right) / 2, y);
    if (!hit || !(element.contains(hit) || hit.contains(element)))
      return `is covered by .${hit?.className}`;
  }
  return "";
}"""
"""Returns why an element is not fully visible, or ""."""

_HIDDEN = """() => {
  const hidden = [];
  const isForEars = (element) => getComputedStyle(element).clipPath !== "none";
  const place = document.querySelector("dialog[open]") ?? document.body;
  for (const element of [place, ...place.querySelectorAll("*")]) {
    if (element === document.body || /^(TEXTAREA|INPUT|SVG|IMG)$/i.test(element.tagName)) continue;
    if (element.closest("[inert]") || isForEars(element)) continue;
    const { overflowY } = getComputedStyle(element);
    if (overflowY === "visible" || element.scrollHeight - element.clientHeight < 2) continue;
    if (element.closest(".more-below")?.querySelector(":scope > button")) continue;
    if (element.closest(".dish-card")) continue; // holds the mark that reaches out of its row
    hidden.push(`.${element.className}: ${element.clientHeight} of ${element.scrollHeight} px`);
  }
  return hidden;
}"""
"""Returns scrollable areas below the page that do not indicate their hidden content."""


def hidden_reason(element: Locator) -> str:
    """Return why an element is not fully visible, or ""."""
    return element.evaluate(_IN_SIGHT)


def hidden_parts(element: Locator, *selectors: str) -> list[str]:
    """Return why parts of an element are not fully visible; all are measured at one moment."""
    return element.evaluate(
        f"""(whole, selectors) => selectors
          .map((selector) => [selector, ({_IN_SIGHT})(whole.querySelector(selector))])
          .filter(([, why]) => why)
          .map((part) => part.join(" "))""",
        [*selectors],
    )


def expect_fully_visible(**parts: Locator) -> None:
    """Assert that all elements are inside the window, not clipped and not covered."""
    hidden = {name: why for name, part in parts.items() if (why := hidden_reason(part))}
    sizes = [part.page.viewport_size for part in parts.values()]
    assert not hidden, (hidden, sizes[0])


def hidden_areas(page: Page) -> list[str]:
    """Return the areas that hide content without an indication.

    The page itself is excluded: its lower edge shows that it continues.
    """
    return page.evaluate(_HIDDEN)
