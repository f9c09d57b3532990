// Leaves for another screen without asking the server, which may be away by then.
import { useEffect, useState } from "react";
import { useNavigate } from "react-router";
import { useIsLost } from "./connection.jsx";

const AGAIN_MS = 2_000;
const NUMBER = /^AS_\d{3,5}$/;
const LOST_MS = 10_000;
const SILENT_MS = 30_000;
const SENT_HERE_MS = 5_000;

const pathOf = (address) => new URL(address, location.origin).pathname.replace(/^\/|\/$/g, "");

// Loads the code of a screen: the router reloads the page where it can not, and a browser without
// a server shows nothing of ours then.
async function loadScreen(address) {
  const routes = Object.values(window.__reactRouterManifest?.routes ?? {});
  const screen = routes.find((each) => each.index && (each.path ?? "") === pathOf(address));
  if (screen) await import(/* @vite-ignore */ screen.module);
}

// Loads a screen's code ahead, while the server can still be reached.
export function useScreen(address) {
  useEffect(() => {
    if (address) loadScreen(address).catch(() => {});
  }, [address]);
}

// Goes to a screen, in place of this one, so many milliseconds after it appeared; where the screen
// can not be loaded, as soon as it can.
export function LeaveAfter({ ms, to }) {
  const navigate = useNavigate();
  useScreen(to);
  useEffect(() => {
    let timer;
    const leave = async () => {
      try {
        await loadScreen(to);
      } catch {
        timer = setTimeout(leave, AGAIN_MS);
        return;
      }
      if (timer !== null) navigate(to, { replace: true });
    };
    timer = setTimeout(leave, ms);
    return () => {
      clearTimeout(timer);
      timer = null;
    };
  }, [ms, to]);
  return null;
}

const kept = (key) => {
  try {
    return sessionStorage.getItem(key) ?? "";
  } catch {
    return "";
  }
};

// The number of the order that this tab is about, by its address or by what the tab went to pay.
function orderNumber() {
  const named = new URLSearchParams(location.search).get("order_id") ?? "";
  return [named, kept("currentOrderId")].find((number) => NUMBER.test(number)) ?? "";
}

// The address of the confirmation of a payment that could not be verified, from what the browser
// holds: the order's number, and the token of the address that the payment page sent it back to.
export function unverifiedAddress(path) {
  const [, token] = location.pathname.match(/^\/forms\/response\/([\w-]{20,})/) ?? [];
  const query = new URLSearchParams({ order_id: orderNumber(), hasError: "true" });
  if (token) query.set("token", token);
  return `${path}?${query}`;
}

export function OrderNumber({ words, ...rest }) {
  const number = orderNumber();
  return <span {...rest}>{number ? `ORDER_ID: #${number}` : words}</span>;
}

// Shows its first child; its second in place of that, where the server leaves the page waiting for
// too long. Who was sent here because the server is away has waited enough.
export function Patience({ waiting, children }) {
  const isLost = useIsLost(1);
  const [isOver, setIsOver] = useState(false);
  useEffect(() => {
    if (!waiting) {
      setIsOver(false);
      return undefined;
    }
    const hasWaited = new URLSearchParams(location.search).get("hasError") === "true";
    const [lostMs, silentMs] = hasWaited ? [0, SENT_HERE_MS] : [LOST_MS, SILENT_MS];
    const ms = isLost ? lostMs : silentMs;
    if (ms === 0) {
      setIsOver(true);
      return undefined;
    }
    const timer = setTimeout(() => setIsOver(true), ms);
    return () => clearTimeout(timer);
  }, [waiting, isLost]);
  const isShown = waiting && isOver;
  return (
    <>
      <div className="contents" hidden={isShown}>
        {children[0]}
      </div>
      {isShown ? children[1] : null}
    </>
  );
}
