// Opens a page again that could not be shown: when the visitor goes back or forward, which alone would change only the
// address; and after `ms` where nobody may be there to press a button, at an address that begins with `unattended`.
import { useEffect } from "react";

export function ReopenFailedPage({ unattended, ms }) {
  useEffect(() => {
    const reopen = () => location.reload();
    addEventListener("popstate", reopen);
    const timer = location.pathname.startsWith(unattended) ? setTimeout(reopen, ms) : undefined;
    return () => {
      removeEventListener("popstate", reopen);
      clearTimeout(timer);
    };
  }, [unattended, ms]);
  return null;
}
