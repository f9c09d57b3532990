// Marks a button as busy from the click until the server's response. The server itself could mark it
// only with that response. Without a network the click has no effect, and the banner says why.
import { useEffect } from "react";
import { connection } from "../../kit/connection.jsx";

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
    const mark = (event) => {
      const button = event.target.closest?.("button.asks:enabled");
      const { isOffline } = connection.state;
      if (isOffline) connection.change({ isRefused: Boolean(button) });
      if (!button) return;
      if (isOffline) {
        // An event of Reflex would be sent when the page connects again, perhaps much later.
        event.preventDefault();
        event.stopImmediatePropagation();
        return;
      }
      free();
      busy = button;
      busy.setAttribute("aria-busy", "true");
      timer = setTimeout(giveUp, LONGEST_ANSWER_MS);
    };
    const onAnswer = ({ detail }) => detail.leaves || free();
    addEventListener("click", mark, true); // before React's own listeners
    addEventListener("answered", onAnswer);
    addEventListener("stalled", free); // the answer can't arrive any more
    return () => {
      free();
      removeEventListener("click", mark, true);
      removeEventListener("answered", onAnswer);
      removeEventListener("stalled", free);
    };
  }, []);
  return null;
}
