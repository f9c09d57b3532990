// Tabs with arrow keys, without a round trip to the server. They filter a list, or scroll to the sections
// of a long page and follow its scrolling.
import { useEffect, useRef } from "react";
import { choose, useChoice } from "../../kit/store.js";

function nextIndex(key, index, count) {
  if (key === "ArrowRight") return (index + 1) % count;
  if (key === "ArrowLeft") return (index + count - 1) % count;
  if (key === "Home") return 0;
  if (key === "End") return count - 1;
  return null;
}

// The height of the bar of tabs, which covers the page's top.
const TOP_PX = 88;
const SCROLLING_MS = 500;
const CORRECTIONS = 3;

// Sections out of view have an estimated height (content-visibility), so this scrolls again once they
// are laid out.
function bringToTop(target, corrections = CORRECTIONS) {
  target.scrollIntoView({ block: "start" });
  if (corrections) requestAnimationFrame(() => bringToTop(target, corrections - 1));
}

const isBelow = (id) => document.getElementById(id)?.getBoundingClientRect().top > TOP_PX;

// Selects the tab of the section in view. Returns a function to call before a tab starts to scroll.
function useFollowScroll(name, targets) {
  const startedAt = useRef(-SCROLLING_MS);
  const ids = JSON.stringify(targets ?? null);
  useEffect(() => {
    const sectionIds = JSON.parse(ids);
    if (!sectionIds) return undefined;
    const visible = new Set();
    const observer = new IntersectionObserver(
      (entries) => {
        entries.forEach((entry) => (entry.isIntersecting ? visible.add : visible.delete).call(visible, entry.target.id));
        const seen = sectionIds.findIndex((id) => visible.has(id));
        // A jump to the top of the page crosses no section.
        const first = seen < 0 && isBelow(sectionIds[0]) ? 0 : seen;
        // A short section at the end can't reach the top: the tab that scrolled there stays selected.
        const isScrolling = performance.now() - startedAt.current < SCROLLING_MS;
        if (first >= 0 && !isScrolling) choose(name, sectionIds[first]);
      },
      { rootMargin: `-${TOP_PX}px 0px -60% 0px` },
    );
    sectionIds.forEach((id) => {
      const element = document.getElementById(id);
      if (element) observer.observe(element);
    });
    return () => {
      observer.disconnect();
      choose(name, undefined); // another page begins at its own first section
    };
  }, [name, ids]);
  return () => (startedAt.current = performance.now());
}

export function Tabs({ name, label, labels, targets, controls }) {
  // Sections may have the same name: a tab is chosen by its section, or else by its label.
  const keys = targets ?? labels;
  const choice = useChoice(name, keys[0]);
  const chosen = keys.includes(choice) ? choice : keys[0];
  const strip = useRef(null);
  const startScroll = useFollowScroll(name, targets);
  useEffect(() => {
    const tab = strip.current?.querySelector("[aria-selected=true]");
    if (tab) strip.current.scrollTo({ left: tab.offsetLeft - strip.current.clientWidth / 3 });
  }, [chosen]);
  const select = (index) => {
    const target = targets && document.getElementById(targets[index]);
    startScroll();
    if (target) bringToTop(target);
    choose(name, keys[index]);
  };
  const onKeyDown = (event, index) => {
    const next = nextIndex(event.key, index, labels.length);
    if (next === null) return;
    event.preventDefault();
    select(next);
    strip.current.querySelectorAll("[role=tab]")[next].focus({ preventScroll: true });
  };
  return (
    <div className="tabs">
      <div className="tabs-strip" role="tablist" aria-label={label} ref={strip}>
        {labels.map((text, index) => (
          <button
            key={keys[index]}
            className="tab"
            role="tab"
            type="button"
            aria-selected={keys[index] === chosen}
            aria-controls={targets ? targets[index] : controls}
            tabIndex={keys[index] === chosen ? 0 : -1}
            onClick={() => select(index)}
            onKeyDown={(event) => onKeyDown(event, index)}
          >
            {text}
          </button>
        ))}
      </div>
    </div>
  );
}
