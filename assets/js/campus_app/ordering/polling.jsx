// Polls the server for a payment's state, and shows the progress. If the server does not respond, only
// the browser can show that and navigate away.
import { useEffect, useEffectEvent, useState } from "react";
import { useIsDisconnected, useIsTimedOut } from "../../kit/connection.jsx";
import { NavigateAfter, usePreloadedScreen } from "../shell/navigation.jsx";
import { unverifiedAddress } from "./order_number.jsx";

const TIMEOUT_MS = 15_000;

// Calls onPoll every `ms` and shows `message`. While the page `waits` and the server is unreachable, or
// `answers` does not change in time, it counts attempts and shows `retrying` instead. After the last
// attempt it shows `failed` and navigates to the confirmation, which queries the server again.
export function PaymentPolling({ ms, retryMs, tries, message, retrying, failed, waits, answers, leave, onPoll }) {
  const isTimedOut = useIsTimedOut(waits, TIMEOUT_MS, answers);
  const isDisconnected = useIsDisconnected();
  const isFailing = waits && (isDisconnected || isTimedOut);
  const [failures, setFailures] = useState(0);
  const isOver = failures > tries;
  const poll = useEffectEvent(() => onPoll?.());
  usePreloadedScreen(leave.path);
  useEffect(() => setFailures(0), [answers]);
  useEffect(() => {
    if (isOver || !(isFailing || ms > 0)) return undefined;
    const count = () => setFailures((before) => before + 1);
    if (isFailing) count();
    const timer = setInterval(() => (isFailing ? count() : poll()), isFailing ? retryMs : ms);
    return () => clearInterval(timer);
  }, [isFailing, isOver, ms, retryMs]);
  if (isOver)
    return (
      <>
        {failed}
        <NavigateAfter ms={leave.ms} to={unverifiedAddress(leave.path)} />
      </>
    );
  return isFailing ? retrying.replace("{attempt}", Math.max(failures, 1)) : message;
}
