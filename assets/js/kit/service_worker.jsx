// Registers the service worker once the page has loaded. Every page works without it.
import { useEffect } from "react";

export function RegisterServiceWorker({ path }) {
  useEffect(() => {
    if (!("serviceWorker" in navigator)) return undefined;
    const register = () => navigator.serviceWorker.register(path).catch(() => {});
    if (document.readyState === "complete") register();
    else addEventListener("load", register, { once: true });
    return () => removeEventListener("load", register);
  }, [path]);
  return null;
}
