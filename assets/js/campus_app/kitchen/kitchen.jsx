// The connection of a kitchen board: it passes what the server sends to kitchen_board.js, and sends the presses.
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
import { useMenuOf } from "./kitchen_dishes.js";
import { watchMoves } from "./kitchen_touch.js";

const REPEAT_MS = 15_000; // an answer that is late is on its way: sending again would delay it further
const HEARTBEAT_MS = 15_000;
const RENEWAL = "/api/kitchen/renewal";

// `board`: the tickets as JSON. Before hydration it may be the text of an earlier visit, so it is ignored. After
// hydration, and after each reconnection, it is empty until the server has sent the tickets.
// `closed`: whether the device is not enrolled. `checkedAt`: when the server last compared the board with its database,
// in ms. `confirmed`: when the server processed the last presses, in ms, by their ids.
export function KitchenFeed({ board, checkedAt, closed, confirmed, hydrated, onPress, onHeartbeat }) {
  const { presses, restaurant } = useKitchenBoard();
  useMenuOf(restaurant);
  const isConnected = !useIsDisconnected() && hydrated;
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
  useEffect(watchMoves, []); // a tap on a button that has just moved under the finger is refused
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
  // Presses that were sent over a lost connection may not have arrived. React runs effects in their order: this one
  // clears `sentAt` before the next one sends.
  useEffect(() => sentAt.current.clear(), [isConnected]);
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
