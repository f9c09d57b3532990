// Time that passes in the browser: no countdown here costs the server an event a second.
import { useEffect, useRef, useState } from "react";
import { useIsLost, useIsSilent } from "./connection.jsx";
import { LeaveAfter, unverifiedAddress, useScreen } from "./leaving.jsx";

const BARS = 30;
const ANSWER_MS = 15_000;

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

// Calls onAsk every `ms`, and shows the message. While the server is out of reach, or answers
// nothing, it counts the tries instead; after the last of them it leaves for the confirmation by
// itself, whether the server is back by then or not: that screen asks it anew.
export function Asking({ ms, retryMs, tries, message, retrying, failed, waits, answers, leave, onAsk }) {
  const isSilent = useIsSilent(waits, ANSWER_MS, answers);
  const isLost = useIsLost(1);
  const isFailing = waits && (isLost || isSilent);
  const [failures, setFailures] = useState(0);
  const isOver = failures > tries;
  const ask = useLatest(onAsk);
  useScreen(leave.path);
  useEffect(() => setFailures(0), [answers]);
  useEffect(() => {
    if (isOver || !(isFailing || ms > 0)) return undefined;
    const count = () => setFailures((before) => before + 1);
    if (isFailing) count();
    const timer = setInterval(() => (isFailing ? count() : ask.current?.()), isFailing ? retryMs : ms);
    return () => clearInterval(timer);
  }, [isFailing, isOver, ms, retryMs]);
  if (isOver)
    return (
      <>
        {failed}
        <LeaveAfter ms={leave.ms} to={unverifiedAddress(leave.path)} />
      </>
    );
  return isFailing ? retrying.replace("{attempt}", Math.max(failures, 1)) : message;
}
