// 'Copy link': puts the calculator's figures into a link. Only the browser has the clipboard.
import { useEffect, useRef, useState } from "react";
import { linkTo } from "./estimate.js";

const CONFIRMED_MS = 4_000;

// Where the clipboard is refused, a field shows the link, selected.
export function CalculatorLink({ figures, words }) {
  const [outcome, setOutcome] = useState({ message: "", link: "" });
  const field = useRef(null);
  const { message, link } = outcome;
  useEffect(() => {
    if (link) {
      field.current.focus();
      field.current.select();
    } else if (message) {
      const timer = setTimeout(setOutcome, CONFIRMED_MS, { message: "", link: "" });
      return () => clearTimeout(timer);
    }
  }, [message, link]);
  const copy = async () => {
    const address = linkTo(location.href, figures);
    try {
      await navigator.clipboard.writeText(address);
      setOutcome({ message: words.copied, link: "" });
    } catch {
      setOutcome({ message: words.copyByHand, link: address });
    }
  };
  return (
    <>
      <button type="button" className="txt" onClick={copy}>
        {words.copy}
      </button>
      <p role="status" className="calc__copied">
        {message}
      </p>
      {link && (
        <div className="entry calc__link">
          <input ref={field} type="text" readOnly value={link} aria-label={words.link} />
        </div>
      )}
    </>
  );
}
