// What a kitchen board does in the browser: it takes the board, sends presses, rings for new orders, and sets the
// size of the paper.
import { useEffect, useEffectEvent, useMemo, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useIsDisconnected } from "../kit/connection.jsx";
import { useChoice } from "../kit/store.js";
import {
  acceptBoard,
  choosePrinted,
  confirmPresses,
  useKitchenBoard,
  waitingPresses,
  withSwitches,
} from "./kitchen_board.js";
import { useStatuses } from "./statuses.js";

const REPEAT_MS = 6_000;
const HEARTBEAT_MS = 15_000;

// Until the page is hydrated, `board` may be that of an earlier visit.
export function KitchenFeed({ board, confirmed, hydrated, onPress, onHeartbeat }) {
  const { waiting } = useKitchenBoard();
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
  useEffect(() => {
    if (hydrated) acceptBoard(board);
  }, [board, hydrated]);
  useEffect(() => confirmPresses(confirmed), [confirmed]);
  useEffect(() => {
    sentAt.current.clear(); // what was sent over a lost connection may not have arrived
  }, [isConnected]);
  useEffect(() => {
    if (!isConnected) return undefined;
    send();
    const timer = setInterval(send, REPEAT_MS);
    return () => clearInterval(timer);
  }, [isConnected, waiting]);
  useEffect(() => {
    if (!isConnected) return undefined;
    const timer = setInterval(heartbeat, HEARTBEAT_MS);
    return () => clearInterval(timer);
  }, [isConnected]);
  return null;
}

export const useIsBoardConnected = () => !useIsDisconnected(1);

// Returns the dishes whose names contain the chosen query. Those that were sold out when the view was chosen come
// first: a dish that moved under the thumb would be pressed by mistake.
export function useSwitchableDishes(viewName, queryName) {
  const board = useKitchenBoard();
  const statuses = useStatuses();
  const view = useChoice(viewName, "");
  const words = useChoice(queryName, "").trim().toLowerCase();
  const dishes = withSwitches(board, statuses);
  const isKnown = statuses.isKnown && dishes.length > 0;
  const first = useMemo(
    () => new Set(dishes.filter(({ isAvailable }) => !isAvailable).map(({ id }) => id)),
    [view, isKnown],
  );
  return dishes
    .filter(({ name, localName }) => `${name} ${localName}`.toLowerCase().includes(words))
    .sort((one, other) => Number(first.has(other.id)) - Number(first.has(one.id)));
}

const CHIME_MS = 8_000;
const BLINK_MS = 1_000;
const NOTES = [
  [880, 0],
  [1174.66, 0.18],
];

function chime(audio) {
  for (const [hertz, delay] of NOTES) {
    const tone = audio.createOscillator();
    const volume = audio.createGain();
    const at = audio.currentTime + delay;
    tone.type = "triangle";
    tone.frequency.value = hertz;
    volume.gain.setValueAtTime(0.0001, at);
    volume.gain.exponentialRampToValueAtTime(0.6, at + 0.02);
    volume.gain.exponentialRampToValueAtTime(0.0001, at + 0.9);
    tone.connect(volume).connect(audio.destination);
    tone.start(at);
    tone.stop(at + 1);
  }
}

// Keeps the screen of a tablet on; browsers release the lock whenever the page is hidden.
function useWakeLock(isWanted) {
  useEffect(() => {
    if (!isWanted || !("wakeLock" in navigator)) return undefined;
    let lock;
    const request = async () => {
      if (document.hidden) return;
      lock = await navigator.wakeLock.request("screen").catch(() => undefined);
    };
    request();
    document.addEventListener("visibilitychange", request);
    return () => {
      document.removeEventListener("visibilitychange", request);
      lock?.release();
    };
  }, [isWanted]);
}

// A button that turns the chime on: browsers play no sound before a press. While an order is unseen, the chime
// repeats and the page's title blinks.
export function KitchenAlarm({ off, on, title, ...rest }) {
  const { unseen } = useKitchenBoard();
  const [audio, setAudio] = useState(null);
  const isOn = audio !== null;
  useWakeLock(isOn);
  useEffect(() => {
    if (!unseen || !audio) return undefined;
    chime(audio);
    const timer = setInterval(chime, CHIME_MS, audio);
    return () => clearInterval(timer);
  }, [unseen, audio]);
  useEffect(() => {
    if (!unseen) return undefined;
    const usual = document.title;
    const alert = title.replace("{count}", unseen);
    document.title = alert;
    const timer = setInterval(() => {
      document.title = document.title === alert ? usual : alert;
    }, BLINK_MS);
    return () => {
      clearInterval(timer);
      document.title = usual;
    };
  }, [unseen, title]);
  const toggle = () => {
    if (audio) {
      audio.close();
      setAudio(null);
      return;
    }
    const started = new AudioContext();
    started.resume();
    chime(started); // so that the cook hears how loud it is
    setAudio(started);
  };
  return (
    <button {...rest} type="button" aria-pressed={isOn} onClick={toggle}>
      {isOn ? on : off}
    </button>
  );
}

const PX_PER_MM = 96 / 25.4;
const PAPER_MM = 80;
const PAPER_FONTS = ["500 1rem --text", "700 1rem --text", "700 1rem --mono", "700 1rem --display"];

// Loads the fonts of a text on paper. Chromium prints the first page only if a font arrives while it prints.
function loadPaperFonts(text) {
  const styles = getComputedStyle(document.documentElement);
  for (const font of PAPER_FONTS) {
    const named = font.replace(/--\w+/, (name) => styles.getPropertyValue(name));
    document.fonts.load(named, text).catch(() => {}); // without a connection: another font is printed
  }
}

// Sets the page's size to the paper of a receipt printer while tickets are printed. No style sheet can: the
// height depends on the order.
export function PaperSize() {
  const { tickets } = useKitchenBoard();
  useEffect(() => {
    if (tickets.length) loadPaperFonts(JSON.stringify(tickets));
  }, [tickets]);
  useEffect(() => {
    let sheet;
    const begin = () => {
      const heights = [...document.querySelectorAll(".paper-ticket")].map((each) => each.offsetHeight);
      if (!heights.length) return;
      // The last one: a rule of a sheet after it would set the margins of the other screens' paper.
      sheet = document.styleSheets[document.styleSheets.length - 1];
      const height = Math.ceil(Math.max(...heights) / PX_PER_MM) + 1;
      sheet.insertRule(`@page { size: ${PAPER_MM}mm ${height}mm; margin: 0; }`, sheet.cssRules.length);
    };
    const end = () => {
      sheet?.deleteRule(sheet.cssRules.length - 1);
      sheet = undefined;
      choosePrinted(null);
    };
    addEventListener("beforeprint", begin);
    addEventListener("afterprint", end);
    return () => {
      removeEventListener("beforeprint", begin);
      removeEventListener("afterprint", end);
    };
  }, []);
  return null;
}

export function printTicket(ticket) {
  flushSync(() => choosePrinted(ticket));
  window.print();
}
