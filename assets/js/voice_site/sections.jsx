// The fixed navigation follows the scrolling, and its buttons scroll to a section and focus its heading.
// Only the browser knows the positions. Also here: the row of plans that is swiped, links to other languages, and
// pictures that load when they are near.
import { useEffect } from "react";
import { watchView } from "../kit/in_view.js";

const SCROLLING_MS = 2_000;
const OWN_SCROLLING = ["wheel", "touchmove", "keydown"];

// Scrolls to a section, and again when fonts that load later change the height of the page, unless the reader has
// scrolled meanwhile.
function scrollToSection(section) {
  const observer = new ResizeObserver(() => section.scrollIntoView());
  const controller = new AbortController();
  const { signal } = controller;
  signal.addEventListener("abort", () => observer.disconnect());
  for (const name of OWN_SCROLLING) addEventListener(name, () => controller.abort(), { signal, passive: true });
  setTimeout(() => controller.abort(), SCROLLING_MS);
  observer.observe(section.parentElement);
  section.scrollIntoView();
}

export function goTo(id) {
  const section = document.getElementById(id);
  const heading = section.querySelector("h2");
  scrollToSection(section);
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
}

// Gives the navigation a background once the logo is out of view or below the bar, 72 px high (--bar), and marks the
// button of the section in view.
export function NavWatch({ nav, logo }) {
  useEffect(() => {
    const bar = document.getElementById(nav);
    const logoWatch = watchView(
      document.getElementById(logo),
      (isInView) => bar.toggleAttribute("data-on", !isInView),
      { rootMargin: "-72px 0px 0px" },
    );
    const buttons = new Map(
      [...bar.querySelectorAll("[data-goto]")].map((each) => [each.dataset.goto, each]),
    );
    // Only a strip of 1% of the height, just above the middle, counts as in view: one section at most is marked.
    const sectionWatch = new IntersectionObserver(
      (entries) =>
        entries.forEach(({ target, isIntersecting }) => {
          const button = buttons.get(target.id);
          if (isIntersecting) button.setAttribute("aria-current", "true");
          else button.removeAttribute("aria-current");
        }),
      { rootMargin: "-45% 0px -54%" },
    );
    buttons.forEach((_, id) => sectionWatch.observe(document.getElementById(id)));
    return () => {
      logoWatch.disconnect();
      sectionWatch.disconnect();
    };
  }, [nav, logo]);
  return null;
}

// A row that is swiped on narrow screens. It scrolls a card with the keyboard's focus into view: browsers do not if a part
// of the focused button is in view. A press focuses a button too, but must not move it below the finger.
export function SwipeRow({ children, ...rest }) {
  const showFocused = ({ currentTarget, target }) => {
    if (!target.matches(":focus-visible")) return;
    const card = [...currentTarget.children].find((each) => each.contains(target));
    card.scrollIntoView({ block: "nearest", inline: "nearest" });
  };
  return (
    <div {...rest} onFocus={showFocused}>
      {children}
    </div>
  );
}

// A link to the open page in another language, whose scripts the browser has to load. The query stays: it has the
// calculator's figures and the chosen view.
export function LanguageLink({ code, children, ...rest }) {
  const keepQuery = ({ currentTarget }) => {
    const address = new URL(location.href);
    address.searchParams.set("language", code);
    address.hash = "";
    currentTarget.href = address;
  };
  return (
    <a {...rest} href={`?language=${code}`} onClick={keepQuery} onAuxClick={keepQuery}>
      {children}
    </a>
  );
}

// Marks an element once it is close to the view: the style sheet loads its pictures only then.
export function NearWatch({ target }) {
  useEffect(() => {
    const element = document.getElementById(target);
    const watch = watchView(
      element,
      (isInView) => {
        if (!isInView) return;
        element.setAttribute("data-near", "");
        watch.disconnect();
      },
      { rootMargin: "30%" },
    );
    return () => watch.disconnect();
  }, [target]);
  return null;
}
