// Time that passes in the browser: no countdown here costs the server an event a second.
import { useEffect, useRef, useState } from "react";
import { useIsLost } from "./connection.jsx";

const BARS = 30;

function useLatest(value) {
  const latest = useRef(value);
  latest.current = value;
  return latest;
}

// Counts whole seconds from `seconds` to 0, then calls onFinish once. Null while not running.
function useSecondsLeft(seconds, isRunning, onFinish) {
  const [left, setLeft] = useState(null);
  const finish = useLatest(onFinish);
  useEffect(() => {
    if (!isRunning || seconds === null || seconds === undefined) return undefined;
    const end = Date.now() + seconds * 1000;
    let timer;
    const tick = () => {
      const rest = Math.max(0, Math.ceil((end - Date.now()) / 1000));
      setLeft(rest);
      if (rest === 0) {
        clearInterval(timer);
        finish.current?.();
      }
    };
    timer = setInterval(tick, 250);
    tick();
    return () => clearInterval(timer);
  }, [seconds, isRunning]);
  return left;
}

const two = (number) => String(number).padStart(2, "0");

// The waiting room's clock: minutes and seconds, a fuse of bars, announced now and then only.
export function WaitingClock({ seconds, left: words, onFinish }) {
  const left = useSecondsLeft(seconds, seconds >= 0, onFinish);
  const isKnown = seconds >= 0;
  const shown = isKnown ? (left ?? seconds) : BARS * 5;
  const spent = BARS - Math.ceil(shown / 5);
  const announced = [60, 30, 10].includes(shown) ? words.replace("{seconds}", shown) : "";
  return (
    <>
      <time className="countdown" role="timer" aria-live="off" data-testid="countdown">
        {isKnown ? Math.floor(shown / 60) : "–"}
        <span>:</span>
        {isKnown ? two(shown % 60) : "––"}
      </time>
      <div className="fuse" aria-hidden="true">
        {Array.from({ length: BARS }, (_, index) => (
          <i key={index} className={index >= BARS - spent ? "spent" : ""} />
        ))}
      </div>
      <p className="visually-hidden" role="status">{announced}</p>
    </>
  );
}

// A sentence with a number that counts down in it.
export function CountdownText({ seconds, words, running, onFinish, ...rest }) {
  const left = useSecondsLeft(seconds, running, onFinish);
  return <span {...rest}>{words.replace("{seconds}", left ?? seconds)}</span>;
}

// Calls onDone once, so many milliseconds after it appeared.
export function After({ ms, onDone }) {
  const done = useLatest(onDone);
  useEffect(() => {
    const timer = setTimeout(() => done.current?.(), ms);
    return () => clearTimeout(timer);
  }, [ms]);
  return null;
}

// Calls onTick every `ms` while it is on the page and the server in reach: what is asked in vain
// would be asked all at once later.
export function Ticker({ ms, onTick }) {
  const tick = useLatest(onTick);
  const isLost = useLatest(useIsLost(1));
  useEffect(() => {
    const timer = setInterval(() => isLost.current || tick.current?.(), ms);
    return () => clearInterval(timer);
  }, [ms]);
  return null;
}

// Calls onAsk every `ms`, and shows the message. Where the server is out of reach it counts the
// tries instead, and calls onGiveUp when that comes back after the last of them.
export function Asking({ ms, retryMs, tries, message, retrying, failed, onAsk, onGiveUp }) {
  const isLost = useIsLost(1) && ms > 0;
  const [failures, setFailures] = useState(0);
  const isOver = failures > tries;
  const ask = useLatest(onAsk);
  const giveUp = useLatest(onGiveUp);
  const hasGivenUp = useRef(false);
  useEffect(() => {
    if (isLost) {
      const count = () => setFailures((before) => before + 1);
      count();
      const timer = setInterval(count, retryMs);
      return () => clearInterval(timer);
    }
    if (isOver && !hasGivenUp.current) {
      hasGivenUp.current = true;
      giveUp.current?.();
    }
    if (isOver || ms <= 0) return undefined;
    const timer = setInterval(() => ask.current?.(), ms);
    return () => clearInterval(timer);
  }, [isLost, isLost || isOver, ms, retryMs]);
  if (!isLost) return message;
  return isOver ? failed : retrying.replace("{attempt}", Math.max(failures, 1));
}
