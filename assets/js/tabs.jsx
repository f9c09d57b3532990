// Tabs that a keyboard can use. As a filter they choose among what is there; over the sections
// of a long page they lead to one and follow the scrolling.
import { useEffect, useRef, useSyncExternalStore } from "react";

const choices = new Map();
const listeners = new Set();

export function choose(name, value) {
  choices.set(name, value);
  listeners.forEach((listener) => listener());
}

function subscribe(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const useChoice = (name, initial) =>
  useSyncExternalStore(subscribe, () => choices.get(name) ?? initial, () => initial);

function nextIndex(key, index, count) {
  if (key === "ArrowRight") return (index + 1) % count;
  if (key === "ArrowLeft") return (index + count - 1) % count;
  if (key === "Home") return 0;
  if (key === "End") return count - 1;
  return null;
}

// What lies above this is behind the strip, where a section that is led to begins.
const TOP_PX = 88;
const LED_MS = 500;
const CORRECTIONS = 3;

// What was never in sight has a guessed height: once it is drawn, the target is led to once more.
function bringToTop(target, corrections = CORRECTIONS) {
  target.scrollIntoView({ block: "start" });
  if (corrections) requestAnimationFrame(() => bringToTop(target, corrections - 1));
}

const isBelow = (id) => document.getElementById(id)?.getBoundingClientRect().top > TOP_PX;

function useFollowScroll(name, labels, targets) {
  const ledAt = useRef(-LED_MS);
  useEffect(() => {
    if (!targets) return undefined;
    const visible = new Set();
    const observer = new IntersectionObserver(
      (entries) => {
        entries.forEach((entry) => (entry.isIntersecting ? visible.add : visible.delete).call(visible, entry.target.id));
        const seen = targets.findIndex((id) => visible.has(id));
        // A leap to the head of the page meets no section on the way.
        const first = seen < 0 && isBelow(targets[0]) ? 0 : seen;
        // A short section at the end can't reach the top: the tab that led there stays chosen.
        const isLed = performance.now() - ledAt.current < LED_MS;
        if (first >= 0 && !isLed) choose(name, labels[first]);
      },
      { rootMargin: `-${TOP_PX}px 0px -60% 0px` },
    );
    targets.forEach((id) => {
      const element = document.getElementById(id);
      if (element) observer.observe(element);
    });
    return () => {
      observer.disconnect();
      choices.delete(name); // another page begins at its own first section
    };
  }, [name, labels.join("|"), targets?.join("|")]);
  return () => (ledAt.current = performance.now());
}

export function Tabs({ name, label, labels, targets, controls }) {
  const choice = useChoice(name, labels[0]);
  const chosen = labels.includes(choice) ? choice : labels[0];
  const strip = useRef(null);
  const lead = useFollowScroll(name, labels, targets);
  useEffect(() => {
    const tab = strip.current?.querySelector("[aria-selected=true]");
    if (tab) strip.current.scrollTo({ left: tab.offsetLeft - strip.current.clientWidth / 3 });
  }, [chosen]);
  const select = (index) => {
    const target = targets && document.getElementById(targets[index]);
    lead();
    if (target) bringToTop(target);
    choose(name, labels[index]);
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
            key={text}
            className="tab"
            role="tab"
            type="button"
            aria-selected={text === chosen}
            aria-controls={targets ? targets[index] : controls}
            tabIndex={text === chosen ? 0 : -1}
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
