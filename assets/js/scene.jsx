// The scene, as much of it as the first view needs: whether anything may move, and what to say
// when it fails. What draws is fetched once the page is up, idle and in view.
import { useEffect, useRef } from "react";
import { createStore } from "./store.js";

const STILL = "(prefers-reduced-motion: reduce), (prefers-reduced-data: reduce)";
const PAUSED = "motionPaused";
const TIME_OUT_MS = 15_000;
const SETTLING_MS = 2_000;

const STARTS = { state: "still", message: "", raw: "", isPaused: false, wasUsed: false, mayMove: false };
const store = createStore(STARTS);
const { change } = store;
let level = () => 0;
// The mounted scene: where it stands, what shows there, whether its turn has come.
let stage = null;

const useScene = store.use;

// The ribbons answer to this from now on: how loud the voice is, from 0 to 1.
export function answerTo(source) {
  level = source;
}

function inTime(promise) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error("Scene initialization timeout")), TIME_OUT_MS);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

function told(message) {
  if (/404|Failed to fetch/.test(message)) return "Resource not found";
  if (/network/i.test(message)) return "Network error occurred";
  if (/timeout/i.test(message)) return "Loading timeout";
  return message;
}

async function begin(here) {
  const attempt = {};
  const isGone = () => here.attempt !== attempt;
  const giveUp = () => {
    end(here);
    here.hasBegun = true;
    change({ wasUsed: false });
  };
  here.attempt = attempt;
  here.hasBegun = true;
  change({ state: "loading" });
  try {
    const { open } = await inTime(import("./scene_stage.js"));
    if (isGone()) return;
    const show = await open(here.place, { inTime, level: () => level(), isGone, giveUp });
    if (isGone()) {
      show?.destroy();
      return;
    }
    here.show = show;
    change({ state: show.kind, message: "", raw: "" });
    look();
  } catch (error) {
    if (isGone()) return;
    here.attempt = null;
    console.warn("The scene did not load:", error.message);
    change({ state: "error", message: told(error.message), raw: error.message });
  }
}

function end(here) {
  here.show?.destroy();
  Object.assign(here, { show: null, attempt: null, hasBegun: false });
  if (stage === here) change({ state: "still", message: "", raw: "" });
}

function look() {
  const here = stage;
  if (!here) return;
  const mayMove = !here.still.matches && !navigator.connection?.saveData;
  if (mayMove !== store.picture.mayMove) change({ mayMove });
  if (!mayMove) {
    end(here);
  } else if (here.show) {
    here.show.run(here.isInView && !document.hidden && !store.picture.isPaused);
  } else if (here.isReady && here.isInView && !store.picture.isPaused && !here.hasBegun) begin(here);
}

function wasPaused() {
  try {
    return localStorage.getItem(PAUSED) === "true";
  } catch {
    return false;
  }
}

function togglePause() {
  const isPaused = !store.picture.isPaused;
  try {
    if (isPaused) localStorage.setItem(PAUSED, "true");
    else localStorage.removeItem(PAUSED);
  } catch {
    // Where nothing can be kept the choice holds until the page is left.
  }
  change({ isPaused, wasUsed: true });
  // Who asks for motion does not wait until the page has settled.
  if (stage) stage.isReady = true;
  look();
}

// Once everything of the first view is there and the browser has nothing better to do.
function whenSettled(then, signal) {
  const settle = () => {
    if (window.requestIdleCallback) requestIdleCallback(then, { timeout: SETTLING_MS });
    else setTimeout(then, SETTLING_MS / 10);
  };
  if (document.readyState === "complete") settle();
  else addEventListener("load", settle, { once: true, signal });
}

function mount(place) {
  const leaving = new AbortController();
  const { signal } = leaving;
  const here = { place, still: matchMedia(STILL), show: null, attempt: null, isInView: false, isReady: false, hasBegun: false };
  stage = here;
  change({ ...STARTS, isPaused: wasPaused() });
  const watch = new IntersectionObserver(([entry]) => {
    here.isInView = entry.isIntersecting;
    look();
  });
  watch.observe(place);
  here.still.addEventListener("change", look, { signal });
  navigator.connection?.addEventListener?.("change", look, { signal });
  document.addEventListener("visibilitychange", look, { signal });
  whenSettled(() => {
    here.isReady = true;
    look();
  }, signal);
  look();
  return () => {
    leaving.abort();
    watch.disconnect();
    stage = null;
    end(here);
  };
}

export function Scene() {
  const place = useRef(null);
  const { state } = useScene();
  useEffect(() => mount(place.current), []);
  return <div className="stage__play" data-scene={state} ref={place} />;
}

export function MotionControl({ words }) {
  const { state, isPaused, wasUsed, mayMove } = useScene();
  const isMoving = state === "loaded" || state === "video" || (wasUsed && state !== "error");
  return (
    <button type="button" className="txt motion" data-on={mayMove && (isPaused || isMoving) ? "" : undefined} onClick={togglePause}>
      {isPaused ? words.resume : words.pause}
    </button>
  );
}

export function SceneNotice({ words }) {
  const { state, message, raw } = useScene();
  const wasAsked = useRef(false);
  const isShown = message !== "" && (state === "error" || state === "loading");
  const tryAgain = () => {
    if (state !== "error") return;
    wasAsked.current = true;
    begin(stage);
  };
  // The button goes when the scene comes: the focus goes on to what can stop it.
  useEffect(() => {
    if (!wasAsked.current || (state !== "loaded" && state !== "video")) return;
    wasAsked.current = false;
    if (document.activeElement === document.body) document.querySelector(".motion[data-on]")?.focus();
  }, [state]);
  return (
    <div className="scene-note" data-on={isShown ? "" : undefined} data-raw={raw || undefined}>
      <div role="status">
        {isShown && state === "error" && (
          <>
            <p>
              <strong>{words.title}</strong>
            </p>
            <p>{message}</p>
            {!navigator.onLine && <p>{words.offline}</p>}
          </>
        )}
        {isShown && state === "loading" && <p>{words.loading}</p>}
      </div>
      {isShown && (
        <button type="button" className="txt" aria-disabled={state === "loading"} onClick={tryAgain}>
          {words.again}
        </button>
      )}
    </div>
  );
}
