// Connects a page to the server every 10 s while it is disconnected. Other pages stop after some attempts, until the
// visitor acts (kit/reflex/patches/reconnection.patch).
import { useEffect } from "react";
import { useIsDisconnected } from "../../kit/connection.jsx";

const PAUSE_MS = 10_000;

export function KeepReconnecting() {
  const isDisconnected = useIsDisconnected();
  useEffect(() => {
    if (!isDisconnected) return undefined;
    const timer = setInterval(() => dispatchEvent(new Event("online")), PAUSE_MS); // the patch then connects
    return () => clearInterval(timer);
  }, [isDisconnected]);
  return null;
}
