// The fixed navigation: solid once the logo has left, marked where the reader is; and the way to
// a section, which takes the focus along.
import { useEffect } from "react";

const ON_THE_WAY_MS = 2_000;
const OWN_WAYS = ["wheel", "touchmove", "keydown"];

// Fonts that are fetched on the way change how tall its parts are: the aim is taken again, unless
// the reader has gone a way of their own.
function aimAt(section) {
  const aim = new ResizeObserver(() => section.scrollIntoView());
  const leave = new AbortController();
  leave.signal.addEventListener("abort", () => aim.disconnect());
  for (const way of OWN_WAYS) addEventListener(way, () => leave.abort(), { signal: leave.signal, passive: true });
  setTimeout(() => leave.abort(), ON_THE_WAY_MS);
  aim.observe(section.parentElement);
  section.scrollIntoView();
}

export function goTo(id) {
  const section = document.getElementById(id);
  const heading = section.querySelector("h2");
  // A smooth way ends where it was meant to only if nothing on it is measured anew meanwhile.
  document.documentElement.toggleAttribute("data-whole", true);
  aimAt(section);
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
}

export function NavWatch({ nav, logo }) {
  useEffect(() => {
    const bar = document.getElementById(nav);
    const solid = new IntersectionObserver(
      ([entry]) => bar.toggleAttribute("data-on", !entry.isIntersecting),
      { rootMargin: "-72px 0px 0px" },
    );
    solid.observe(document.getElementById(logo));
    const buttons = new Map(
      [...bar.querySelectorAll("[data-goto]")].map((each) => [each.dataset.goto, each]),
    );
    const here = new IntersectionObserver(
      (entries) =>
        entries.forEach(({ target, isIntersecting }) => {
          const button = buttons.get(target.id);
          if (isIntersecting) button.setAttribute("aria-current", "true");
          else button.removeAttribute("aria-current");
        }),
      { rootMargin: "-45% 0px -54%" },
    );
    buttons.forEach((_, id) => here.observe(document.getElementById(id)));
    return () => {
      solid.disconnect();
      here.disconnect();
    };
  }, [nav, logo]);
  return null;
}

// Marks an element once the reader comes near to it, for what should not load before.
export function NearWatch({ target }) {
  useEffect(() => {
    const element = document.getElementById(target);
    const watch = new IntersectionObserver(
      ([entry]) => {
        if (!entry.isIntersecting) return;
        element.setAttribute("data-near", "");
        watch.disconnect();
      },
      { rootMargin: "30%" },
    );
    watch.observe(element);
    return () => watch.disconnect();
  }, [target]);
  return null;
}
