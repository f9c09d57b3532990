// A button that shares the dishes of the cart as a link: by the device's own dialog, else by the clipboard.
import { useState } from "react";

function addressOf(cart) {
  const [restaurant, , , dishes] = cart.split("|");
  return `${location.origin}/menu/${restaurant}?dishes=${dishes}`;
}

// Shows the text `copied` once the link is in the clipboard, or the link itself if the clipboard is refused.
export function ShareCart({ cart, copied, children }) {
  const [shown, setShown] = useState("");
  const share = async () => {
    const url = addressOf(cart);
    try {
      if (navigator.share) {
        await navigator.share({ url });
        return;
      }
      await navigator.clipboard.writeText(url);
      setShown(copied);
    } catch (error) {
      if (error.name !== "AbortError") setShown(url); // AbortError: the visitor has closed the device's dialog
    }
  };
  return (
    <>
      <button type="button" className="text-button" onClick={share}>
        {children}
      </button>
      <p role="status">{shown.startsWith("http") ? <a href={shown}>{shown}</a> : shown}</p>
    </>
  );
}
