// Connects to the server every 10 s while the outcome of a payment is unknown. Elsewhere a page stops after some
// attempts, until the visitor acts (kit/reflex/patches/reconnection.patch).
import { useEffect } from "react";

const PAUSE_MS = 10_000;

export function KeepReconnecting() {
  useEffect(() => {
    const timer = setInterval(() => dispatchEvent(new Event("online")), PAUSE_MS); // the patch then connects
    return () => clearInterval(timer);
  }, []);
  return null;
}
