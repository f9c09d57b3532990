// A field that filters dishes as the visitor types. The browser filters: each letter would be an event for the
// server. The field keeps its own text, so that the letter is painted before the dishes are filtered.
import { useEffect, useRef } from "react";
import { useLocation } from "react-router";
import { isTouch, loadSearch, MOST_CHARACTERS, start, stop, type, useFilter } from "./dish_filter.js";
import { flushQuery } from "./query_address.js";

export function SearchBox({ label, hint, onFocus }) {
  const { pathname } = useLocation();
  const { text } = useFilter();
  const input = useRef(null);
  const shown = useRef("");
  // A text that was typed before hydration stays; the text of an earlier screen does not.
  useEffect(() => {
    start(pathname, shown.current === "" ? input.current.value : "");
    shown.current = pathname;
  }, [pathname]);
  // The address gets the query before a link leaves the screen, so that the back button finds it.
  useEffect(() => {
    document.addEventListener("click", flushQuery, true);
    return () => {
      document.removeEventListener("click", flushQuery, true);
      stop();
    };
  }, []);
  useEffect(() => {
    input.current.value = text.query;
  }, [text]);
  // On phones Enter closes the keyboard, which covers the results.
  const closeKeyboard = ({ key, currentTarget }) => key === "Enter" && isTouch() && currentTarget.blur();
  // The keyboard covers half of a phone's screen: the field moves to the top.
  const showResults = ({ currentTarget }) => {
    onFocus?.();
    loadSearch();
    if (isTouch()) currentTarget.closest(".dish-filters").scrollIntoView({ block: "start" });
  };
  return (
    <div className="search-box" role="search">
      <svg className="icon" viewBox="0 0 24 24" aria-hidden="true">
        <path d="M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zM15.5 15.5L21 21" />
      </svg>
      <input
        ref={input}
        aria-label={label}
        placeholder={hint}
        maxLength={MOST_CHARACTERS}
        enterKeyHint="search"
        autoComplete="off"
        autoCorrect="off"
        spellCheck={false}
        type="search"
        onChange={({ target }) => type(target.value)}
        onFocus={showResults}
        onKeyDown={closeKeyboard}
      />
    </div>
  );
}
