// Decides whether the hero's scene may move (decision 9), by the visitor's settings, the window and the
// network, which only the browser knows. Loads scene_stage.js, which draws it, once the page is loaded,
// idle and in view.
import { watchView } from "../kit/in_view.js";
import { createStore } from "../kit/store.js";

const STILL = "(prefers-reduced-motion: reduce), (prefers-reduced-data: reduce)";
const PAUSED = "motionPaused";
const TIMEOUT_MS = 15_000;
const IDLE_MS = 2_000;

// `state`: "still" (the image alone), "loading", "loaded" (the scene), "video" or "error". `message` is the error as it is
// shown, `raw` as it was raised. `wasUsed`: whether the visitor has pressed the pause button. `mayMove`: whether the
// visitor's settings allow motion.
const INITIAL = { state: "still", message: "", raw: "", isPaused: false, wasUsed: false, mayMove: false };
const store = createStore(INITIAL);
const { change } = store;
let level = () => 0;
// The mounted scene: its element, its player, and whether the page is idle.
let mounted = null;

export const useScene = store.useStore;

// From now on the ribbons move with `source`, which returns the voice's level from 0 to 1.
export function setLevelSource(source) {
  level = source;
}

function withTimeout(promise) {
  let timer;
  const timeout = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error("Scene initialization timeout")), TIMEOUT_MS);
  });
  return Promise.race([promise, timeout]).finally(() => clearTimeout(timer));
}

function shownMessage(message) {
  if (/404|Failed to fetch/.test(message)) return "Resource not found";
  if (/network/i.test(message)) return "Network error occurred";
  if (/timeout/i.test(message)) return "Loading timeout";
  return message;
}

async function begin(scene) {
  const attempt = {};
  const isCancelled = () => scene.attempt !== attempt;
  const giveUp = () => {
    end(scene);
    scene.hasBegun = true;
    change({ wasUsed: false });
  };
  scene.attempt = attempt;
  scene.hasBegun = true;
  change({ state: "loading" });
  try {
    const { open } = await withTimeout(import("./scene_stage.js"));
    if (isCancelled()) return;
    const show = await open(scene.element, { withTimeout, level: () => level(), isCancelled, giveUp });
    if (isCancelled()) {
      show?.destroy();
      return;
    }
    scene.show = show;
    change({ state: show.kind, message: "", raw: "" });
    update();
  } catch (error) {
    if (isCancelled()) return;
    scene.attempt = null;
    console.warn("The scene did not load:", error.message);
    change({ state: "error", message: shownMessage(error.message), raw: error.message });
  }
}

export const retry = () => begin(mounted);

function end(scene) {
  scene.show?.destroy();
  Object.assign(scene, { show: null, attempt: null, hasBegun: false });
  if (mounted === scene) change({ state: "still", message: "", raw: "" });
}

// Starts, runs, pauses or ends the scene, by the current conditions.
function update() {
  const scene = mounted;
  if (!scene) return;
  const mayMove = !scene.still.matches && !navigator.connection?.saveData;
  if (mayMove !== store.state.mayMove) change({ mayMove });
  if (!mayMove) {
    end(scene);
  } else if (scene.show) {
    scene.show.run(scene.isInView && !document.hidden && !store.state.isPaused);
  } else if (scene.isReady && scene.isInView && !store.state.isPaused && !scene.hasBegun) begin(scene);
}

export function togglePause() {
  const isPaused = !store.state.isPaused;
  if (isPaused) localStorage.setItem(PAUSED, "true");
  else localStorage.removeItem(PAUSED);
  change({ isPaused, wasUsed: true });
  // After a click on the button the scene starts before the page is idle.
  if (mounted) mounted.isReady = true;
  update();
}

function whenIdle(callback, signal) {
  const schedule = () => {
    if (window.requestIdleCallback) requestIdleCallback(callback, { timeout: IDLE_MS });
    else setTimeout(callback, IDLE_MS / 10);
  };
  if (document.readyState === "complete") schedule();
  else addEventListener("load", schedule, { once: true, signal });
}

// Plays the scene in an element. Returns the function that unmounts it.
export function mount(element) {
  const controller = new AbortController();
  const { signal } = controller;
  const scene = { element, still: matchMedia(STILL), show: null, attempt: null, isInView: false, isReady: false, hasBegun: false };
  mounted = scene;
  change({ ...INITIAL, isPaused: localStorage.getItem(PAUSED) === "true" });
  const observer = watchView(element, (isInView) => {
    scene.isInView = isInView;
    update();
  });
  scene.still.addEventListener("change", update, { signal });
  navigator.connection?.addEventListener?.("change", update, { signal });
  document.addEventListener("visibilitychange", update, { signal });
  whenIdle(() => {
    scene.isReady = true;
    update();
  }, signal);
  update();
  return () => {
    controller.abort();
    observer.disconnect();
    mounted = null;
    end(scene);
  };
}
