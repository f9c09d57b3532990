// Which of two scenes is played, or the film of ours instead, and whether its frames come in time.
import { open as openVideo } from "./scene_video.js";

const OPTIONS = "/api/scene";
const OWN = { driver: "ribbons", width: "100%", height: "100%", scale: 1, dpi: 1.5, fps: 60 };
const SOFTWARE = /swiftshader|llvmpipe|softpipe|software|basic render/i;
const SMALL = "(max-width: 767.98px)";
const LEAST_CORES = 4;
const LEAST_MEMORY_GB = 4;
const SCALES = [1, 0.5, 0.25];
const FRAME_RATES = [15, 24, 30, 60, 120];
const WATCHED_FRAMES = 60;
const SLACK = 1.5;
const SCREEN_FRAME_MS = 1_000 / 60;
const SIGNS = ["pointermove", "pointerdown", "keydown", "scroll"];
const STAYED_MS = 3_000;

const DRIVERS = {
  ribbons: () => import("./scene_ribbons.js"),
  unicorn: () => import("./scene_unicorn.js"),
};

function renderer() {
  const gl = document.createElement("canvas").getContext("webgl");
  if (!gl) return "no WebGL: software";
  const info = gl.getExtension("WEBGL_debug_renderer_info");
  const name = gl.getParameter(info ? info.UNMASKED_RENDERER_WEBGL : gl.RENDERER);
  gl.getExtension("WEBGL_lose_context")?.loseContext();
  return String(name);
}

// Whether a scene that is drawn anew for each frame would be a burden here.
function isWeak() {
  return (
    matchMedia(SMALL).matches ||
    (navigator.hardwareConcurrency ?? LEAST_CORES) < LEAST_CORES ||
    (navigator.deviceMemory ?? LEAST_MEMORY_GB) < LEAST_MEMORY_GB ||
    SOFTWARE.test(renderer())
  );
}

// Our own scene needs nobody to say so.
async function chosen(inTime) {
  try {
    const answer = await inTime(fetch(OPTIONS));
    if (!answer.ok) throw new Error(`status ${answer.status}`);
    return { ...OWN, ...(await answer.json()) };
  } catch (error) {
    console.warn("The scene's options did not load:", error.message);
    return OWN;
  }
}

function check({ scale, fps }) {
  if (!(scale >= 0.25 && scale <= 1)) {
    throw new Error(`Invalid scale: ${scale}. Scale must be between 0.25 and 1.0`);
  }
  if (!FRAME_RATES.includes(fps)) {
    throw new Error(`Invalid fps: ${fps}. FPS must be one of: ${FRAME_RATES.join(", ")}`);
  }
}

const median = (values) => [...values].sort((one, other) => one - other)[values.length >> 1];

// Calls `draw` at most `fps` times a second, and `onSlow` when the browser can't keep up.
function ticker({ fps, draw, onSlow }) {
  const step = 1_000 / fps;
  const budget = SLACK * Math.max(step, SCREEN_FRAME_MS);
  let request = 0;
  let before = 0;
  let drawn = 0;
  let spent = 0;
  let intervals = [];
  const tick = (now) => {
    request = requestAnimationFrame(tick);
    if (before) intervals.push(now - before);
    before = now;
    if (now - drawn >= step - 1) {
      spent += drawn ? Math.min(now - drawn, 100) : 0;
      drawn = now;
      draw(spent);
    }
    if (intervals.length < WATCHED_FRAMES) return;
    if (median(intervals) > budget) onSlow();
    intervals = [];
  };
  return (isOn) => {
    cancelAnimationFrame(request);
    request = isOn ? requestAnimationFrame(tick) : 0;
    before = 0;
    drawn = 0;
    intervals = [];
  };
}

// A scene that comes after its time is up, or after the page is left, is put away.
async function initialized(opening, inTime) {
  let scene;
  try {
    scene = await inTime(opening);
  } catch (error) {
    opening.then((late) => late?.destroy?.()).catch(() => {});
    throw error;
  }
  if (!scene) throw new Error("Failed to initialize scene");
  return scene;
}

function shown(scene, host, { fps }, giveUp) {
  const slower = () => {
    const next = scene.refine && SCALES.find((scale) => scale < scene.scale());
    if (!next) {
      console.warn("The scene is too slow here");
      giveUp();
    } else scene.refine(next);
  };
  const tick = ticker({ fps, draw: (ms) => scene.draw?.(ms), onSlow: slower });
  return {
    kind: "loaded",
    run: (isOn) => {
      tick(isOn);
      scene.run?.(isOn);
    },
    destroy: () => {
      tick(false);
      scene.destroy();
      host.remove();
    },
  };
}

function hostIn(place, { width, height }) {
  const host = document.createElement("div");
  host.id = "tara-scene";
  Object.assign(host.style, { width, height });
  place.append(host);
  return host;
}

// A film is worth its bytes once somebody has done something here, or stayed.
function somebodyIsHere() {
  return new Promise((found) => {
    const watching = new AbortController();
    const settle = () => {
      watching.abort();
      found();
    };
    for (const name of SIGNS) addEventListener(name, settle, { signal: watching.signal, passive: true });
    const timer = setTimeout(settle, STAYED_MS);
    watching.signal.addEventListener("abort", () => clearTimeout(timer));
  });
}

// Shows in a place what suits this device; nothing is returned where even the film does not play.
export async function open(place, { inTime, level, isGone, giveUp }) {
  if (isWeak()) {
    await somebodyIsHere();
    return isGone() ? null : openVideo(place, giveUp);
  }
  const options = await chosen(inTime);
  check(options);
  if (isGone()) return null;
  const host = hostIn(place, options);
  const still = place.parentElement.querySelector("img");
  const position = () => getComputedStyle(still).objectPosition;
  try {
    const { load } = await inTime(DRIVERS[options.driver]());
    const scene = await load(host, { ...options, level, position, initialized, inTime });
    return shown(scene, host, options, giveUp);
  } catch (error) {
    host.remove();
    throw error;
  }
}
