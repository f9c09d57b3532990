// Registers the service worker once the page has loaded, and tells it which pages are opened. Every page works
// without it.
import { useEffect } from "react";
import { useLocation } from "react-router";

export function RegisterServiceWorker({ path }) {
  useEffect(() => {
    if (!("serviceWorker" in navigator)) return undefined;
    const register = () => navigator.serviceWorker.register(path).catch(() => {});
    if (document.readyState === "complete") register();
    else addEventListener("load", register, { once: true });
    return () => removeEventListener("load", register);
  }, [path]);
  const { pathname } = useLocation();
  useEffect(() => navigator.serviceWorker?.controller?.postMessage(pathname), [pathname]);
  return null;
}
