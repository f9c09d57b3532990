// A button that shares a link of this site: by the device's own dialog, else by the clipboard.
import { useState } from "react";

// Returns the path of the link that brings the dishes of a cart's stored text.
export function cartPath(cart) {
  const [restaurant, , , dishes] = cart.split("|");
  return `/menu/${restaurant}?dishes=${dishes}`;
}

// Shows the text `copied` once the link is in the clipboard, or the link itself if the clipboard is refused.
export function ShareLink({ path, copied, look = "text-button", children }) {
  const [shown, setShown] = useState("");
  const share = async () => {
    const url = `${location.origin}${path}`;
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
      <button type="button" className={look} onClick={share}>
        {children}
      </button>
      <p role="status">{shown.startsWith("http") ? <a href={shown}>{shown}</a> : shown}</p>
    </>
  );
}
