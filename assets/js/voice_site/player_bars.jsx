// The player's 48 bars, drawn ten times a second from the playing sound, which only the browser has.
import { useEffect, useRef } from "react";
import { levels, restingLevels } from "./voice_sound.js";

const BARS = 48;
const REFRESH_MS = 100;
const LEAST = 0.03;

const prefersReducedMotion = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

export function Bars({ state }) {
  const element = useRef(null);
  const isMoving = state !== "ready";
  useEffect(() => {
    const bars = [...element.current.children];
    const draw = (bands) =>
      bands.forEach((level, band) => {
        const value = Math.max(level, LEAST).toFixed(3);
        [BARS / 2 - 1 - band, BARS / 2 + band].forEach((bar) => bars[bar].style.setProperty("--v", value));
      });
    let tick = 0;
    let wasStill = false;
    const refresh = () => {
      const isStill = prefersReducedMotion();
      if (!isStill) draw(levels(tick++));
      else if (!wasStill) draw(restingLevels());
      wasStill = isStill;
    };
    if (!isMoving) {
      bars.forEach((bar) => bar.style.setProperty("--v", LEAST));
      return;
    }
    refresh();
    const timer = setInterval(refresh, REFRESH_MS);
    return () => clearInterval(timer);
  }, [isMoving]);
  return (
    <div className="bars" data-state={state} aria-hidden="true" ref={element}>
      {Array.from({ length: BARS }, (_, bar) => (
        <i key={bar} style={{ "--i": bar }} />
      ))}
    </div>
  );
}
