// A scroll area inside a page that does not scroll, with a button while there is more below. Only the
// browser knows how much fits.
import { useEffect, useRef, useState } from "react";

// The scrolled part of the height: the rest stays in view, so that the reader does not lose the place.
const STEP = 0.8;

export function ScrollArea({ words, children, ...rest }) {
  const area = useRef(null);
  const [isLong, setIsLong] = useState(false);
  const [isMore, setIsMore] = useState(false);
  useEffect(() => {
    const element = area.current;
    const measure = () => {
      const hidden = element.scrollHeight - element.clientHeight;
      setIsLong(hidden > 1);
      setIsMore(hidden - element.scrollTop > 1);
    };
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    observer.observe(element.firstElementChild);
    element.addEventListener("scroll", measure, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener("scroll", measure);
    };
  }, []);
  const scroll = () => area.current.scrollBy({ top: area.current.clientHeight * STEP });
  return (
    <div {...rest} className="more-below">
      <div ref={area} tabIndex={isLong ? 0 : undefined} data-more={isMore}>
        {children}
      </div>
      {isMore ? (
        <button type="button" onClick={scroll}>
          {words}
        </button>
      ) : null}
    </div>
  );
}
