// Content that exists only while the page is printed, so that screen readers and searches do not find it
// twice. CSS could only hide it, and the server receives no event for a print.
import { useEffect, useState } from "react";
import { flushSync } from "react-dom";

export function PrintOnly({ children }) {
  const [isPrinting, setPrinting] = useState(false);
  useEffect(() => {
    const media = matchMedia("print");
    // The browser prints the page as it is when the handler returns.
    const show = (is) => flushSync(() => setPrinting(is));
    const begin = () => show(true);
    const end = () => show(false);
    const follow = () => show(media.matches);
    addEventListener("beforeprint", begin);
    addEventListener("afterprint", end);
    media.addEventListener("change", follow);
    return () => {
      removeEventListener("beforeprint", begin);
      removeEventListener("afterprint", end);
      media.removeEventListener("change", follow);
    };
  }, []);
  return isPrinting ? children : null;
}
