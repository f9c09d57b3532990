// Connects to the server again and again while a payment is unknown: a page gives up after some attempts elsewhere, until
// the visitor presses something.
import { useEffect } from "react";

const PAUSE_MS = 10_000;

export function KeepAsking() {
  useEffect(() => {
    const timer = setInterval(() => dispatchEvent(new Event("online")), PAUSE_MS); // kit/reflex/patches/reconnection.patch
    return () => clearInterval(timer);
  }, []);
  return null;
}
