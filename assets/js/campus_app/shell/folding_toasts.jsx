// Toasts that fold to one line after some seconds, so that they leave the page to its reader. A tap anywhere on them, or their
// button, unfolds them.
import { useEffect, useState } from "react";

const LOW = "(max-height: 30rem)"; // there they would cover half of the window

// `news` changes with the toasts, and is empty without any: a new toast is shown whole, for `ms`.
export function FoldingToasts({ ms, news, label, children }) {
  const [isFolded, setFolded] = useState(false);
  useEffect(() => {
    const isLow = matchMedia(LOW).matches;
    setFolded(isLow);
    if (isLow || news === "") return undefined;
    const timer = setTimeout(() => setFolded(true), ms);
    return () => clearTimeout(timer);
  }, [ms, news]);
  return (
    <div className={isFolded ? "notices folded" : "notices"} onClick={() => setFolded(!isFolded)}>
      <div className="toasts" role="status">
        {children}
      </div>
      {news === "" ? null : <button type="button" aria-expanded={!isFolded} aria-label={label} />}
    </div>
  );
}
