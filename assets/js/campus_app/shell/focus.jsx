// Moves the keyboard's focus, which only a script can do: to the heading of a new screen, past the
// navigation, into an overlay and back.
import { useEffect, useEffectEvent, useLayoutEffect, useRef } from "react";
import { useLocation, useNavigationType } from "react-router";

const SETTLE_MS = 5_000;
let lastPath = null;

// Keeps the focus on a screen's heading while React replaces parts of the screen, until the visitor
// moves it. Returns a function that stops this.
export function focusHeading() {
  let focused = null;
  // A visitor who is typing already keeps the focus.
  if (document.activeElement?.matches("input, textarea, select")) return () => {};
  const focus = () => {
    const isFree = document.activeElement === document.body || document.activeElement === focused;
    const heading = document.querySelector("main h1") ?? document.getElementById("main");
    if (!heading || heading === focused || (focused && !isFree)) return;
    heading.setAttribute("tabindex", "-1");
    heading.focus({ preventScroll: true });
    focused = heading;
  };
  focus();
  const observer = new MutationObserver(focus);
  observer.observe(document.body, { childList: true, subtree: true });
  setTimeout(() => observer.disconnect(), SETTLE_MS);
  return () => observer.disconnect();
}

// After a navigation within the app the heading gets the focus, so that screen readers read it, and
// the page is scrolled to its top. The back button keeps the scroll position.
export function FocusOnNavigation() {
  const { pathname } = useLocation();
  const navigationType = useNavigationType();
  const scrollToTop = useEffectEvent(() => navigationType === "POP" || window.scrollTo(0, 0));
  useEffect(() => {
    const isNew = lastPath !== null && lastPath !== pathname;
    lastPath = pathname;
    if (!isNew) return undefined;
    scrollToTop();
    return focusHeading();
  }, [pathname]);
  return null;
}

// A link within the page that moves the focus, not the view alone, and keeps the address.
export function SkipLink({ target, children, ...rest }) {
  const skip = (event) => {
    event.preventDefault();
    document.getElementById(target).focus();
  };
  return (
    <a {...rest} href={`#${target}`} onClick={skip}>
      {children}
    </a>
  );
}

// Moves the focus to the panel of an overlay, keeps it there, and restores it when the overlay closes.
export function FocusTrap({ target }) {
  useEffect(() => {
    const before = document.activeElement;
    const panel = document.getElementById(target);
    const overlay = panel.parentElement;
    const behind = [...overlay.parentElement.children].filter((each) => each !== overlay && !each.hasAttribute("inert"));
    // Browsers before 2023 have no `inert`: there this moves the focus back.
    const bringBack = ({ target: focused }) => overlay.contains(focused) || panel.focus({ preventScroll: true });
    panel.focus({ preventScroll: true });
    behind.forEach((each) => each.toggleAttribute("inert", true));
    document.addEventListener("focusin", bringBack);
    return () => {
      document.removeEventListener("focusin", bringBack);
      behind.forEach((each) => each.toggleAttribute("inert", false));
      before?.focus?.({ preventScroll: true });
    };
  }, [target]);
  return null;
}

// Scrolls an element that has just appeared into view, by the shortest way.
export function ScrollIntoView({ target }) {
  useEffect(() => {
    document.getElementById(target)?.scrollIntoView({ block: "nearest" });
  }, [target]);
  return null;
}

// Moves the focus to the element `target`, or to the heading if that is disabled, when this content is removed with the
// focus: the keyboard would start again at the top of the page.
export function FocusNext({ target, children }) {
  const content = useRef(null);
  useLayoutEffect(() => {
    const element = content.current;
    return () => {
      const hasFocus = element.contains(document.activeElement); // React removes the element after this
      if (!hasFocus) return;
      setTimeout(() => {
        const next = document.getElementById(target);
        if (next && !next.disabled) next.focus({ preventScroll: true });
        else focusHeading();
      });
    };
  }, [target]);
  return (
    <div className="contents" ref={content}>
      {children}
    </div>
  );
}
