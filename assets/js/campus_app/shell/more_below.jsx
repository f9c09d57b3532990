// A hint that the page continues below the bar at the lower edge of the window, because the bar covers what would show
// it. Only the browser knows how much of the page fits.
import { useEffect, useState } from "react";

// The scrolled part of the window's height: the rest stays in view, so that the reader does not lose the place.
const STEP = 0.4;

export function MoreBelow({ words }) {
  const [isMore, setMore] = useState(false);
  useEffect(() => {
    const page = document.scrollingElement;
    const measure = () => setMore(page.scrollHeight - innerHeight - scrollY > 1);
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    for (const name of ["scroll", "resize"]) addEventListener(name, measure, { passive: true });
    return () => {
      observer.disconnect();
      for (const name of ["scroll", "resize"]) removeEventListener(name, measure);
    };
  }, []);
  if (!isMore) return null;
  return (
    <button
      type="button"
      className="more-below"
      aria-label={words}
      onClick={() => scrollBy({ top: innerHeight * STEP })}
    />
  );
}
