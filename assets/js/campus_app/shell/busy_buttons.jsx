// Marks a button as busy from the click until the server's response. The server itself could mark it
// only with that response.
import { useEffect } from "react";

const LONGEST_ANSWER_MS = 10_000;

// Applies to buttons of the class `asks`. If the response navigates, the button stays busy until the new
// page is shown. kit/reflex/patches/connection_events.patch dispatches `answered`.
export function BusyButtons() {
  useEffect(() => {
    let busy;
    let timer;
    const free = () => {
      clearTimeout(timer);
      busy?.removeAttribute("aria-busy");
      busy = undefined;
    };
    const giveUp = () => {
      free();
      dispatchEvent(new Event("stalled")); // the patch closes the connection, and the page connects again
    };
    const mark = ({ target }) => {
      const button = target.closest?.("button.asks:enabled");
      if (!button) return;
      free();
      busy = button;
      busy.setAttribute("aria-busy", "true");
      timer = setTimeout(giveUp, LONGEST_ANSWER_MS);
    };
    const onAnswer = ({ detail }) => detail.leaves || free();
    addEventListener("click", mark);
    addEventListener("answered", onAnswer);
    return () => {
      free();
      removeEventListener("click", mark);
      removeEventListener("answered", onAnswer);
    };
  }, []);
  return null;
}
