// The connection of a kitchen board: it takes the board that the server sends, and sends the presses.
import { useEffect, useEffectEvent, useRef } from "react";
import { useIsDisconnected } from "../../kit/connection.jsx";
import {
  acceptBoard,
  closeBoard,
  confirmPresses,
  markChecked,
  useKitchenBoard,
  waitingPresses,
} from "./kitchen_board.js";
import { watchMoves } from "./kitchen_touch.js";

const REPEAT_MS = 15_000; // an answer that is late is on its way: sending again would delay it further
const HEARTBEAT_MS = 15_000;
const RENEWAL = "/api/kitchen/renewal";

// Until the page is hydrated, `board` may be that of an earlier visit. It is empty until the server has sent it, also
// after a reconnection; `closed` is whether the device has no board. `checkedAt` grows while the server checks it.
export function KitchenFeed({ board, checkedAt, closed, confirmed, hydrated, onPress, onHeartbeat }) {
  const { presses } = useKitchenBoard();
  const isConnected = !useIsDisconnected(1) && hydrated;
  const sentAt = useRef(new Map());
  const send = useEffectEvent(() => {
    for (const { id, orderId, saw, target } of waitingPresses()) {
      if (Date.now() - (sentAt.current.get(id) ?? -Infinity) < REPEAT_MS) continue;
      sentAt.current.set(id, Date.now());
      onPress?.(id, orderId, saw, target);
    }
  });
  const heartbeat = useEffectEvent(() => onHeartbeat?.());
  useEffect(() => {
    document.documentElement.dataset.kitchen = ""; // the style sheet of the board applies
    return () => delete document.documentElement.dataset.kitchen;
  }, []);
  useEffect(watchMoves, []);
  useEffect(() => {
    if (hydrated && closed) closeBoard();
    else if (hydrated && board) acceptBoard(board);
  }, [board, closed, hydrated]);
  useEffect(() => {
    if (checkedAt) markChecked(checkedAt);
  }, [checkedAt]);
  useEffect(() => {
    fetch(RENEWAL, { method: "POST" }).catch(() => {}); // the cookie of a device in use does not expire
  }, []);
  useEffect(() => confirmPresses(confirmed), [confirmed]);
  useEffect(() => {
    sentAt.current.clear(); // what was sent over a lost connection may not have arrived
  }, [isConnected]);
  useEffect(() => {
    if (!isConnected) return undefined;
    send();
    const timer = setInterval(send, REPEAT_MS);
    return () => clearInterval(timer);
  }, [isConnected, presses]);
  useEffect(() => {
    if (!isConnected) return undefined;
    const timer = setInterval(heartbeat, HEARTBEAT_MS);
    return () => clearInterval(timer);
  }, [isConnected]);
  return null;
}
