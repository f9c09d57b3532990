// A button that shares the dishes of the cart as a link: by the device's own dialog, else by the clipboard.
import { useState } from "react";

function addressOf(cart) {
  const [restaurant, , , dishes] = cart.split("|");
  return `${location.origin}/menu/${restaurant}?dishes=${dishes}`;
}

// `copied` is said once the link is in the clipboard. Without a clipboard, the link itself is shown.
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
      if (error.name !== "AbortError") setShown(url); // the visitor has closed the dialog
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
