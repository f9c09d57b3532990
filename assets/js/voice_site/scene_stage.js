// Chooses between a scene and a video of it for the hero, by the abilities of this device.
import { ticker } from "./scene_ticker.js";
import { open as openVideo } from "./scene_video.js";

const OPTIONS = "/api/scene";
const OWN = { driver: "ribbons", width: "100%", height: "100%", scale: 1, dpi: 1.5, fps: 60 };
const SOFTWARE = /swiftshader|llvmpipe|softpipe|software|basic render/i;
const SMALL = "(max-width: 767.98px)";
const LEAST_CORES = 4;
const LEAST_MEMORY_GB = 4;
const SCALES = [1, 0.5, 0.25];
const FRAME_RATES = [15, 24, 30, 60, 120];
const ACTIVITY = ["pointermove", "pointerdown", "keydown", "scroll"];
const STAYED_MS = 3_000;

const DRIVERS = {
  ribbons: () => import("./scene_ribbons.js"),
  unicorn: () => import("./scene_unicorn.js"),
};

function renderer() {
  const gl = document.createElement("canvas").getContext("webgl");
  if (!gl) return "no WebGL: software"; // matches SOFTWARE
  const info = gl.getExtension("WEBGL_debug_renderer_info");
  const name = gl.getParameter(info ? info.UNMASKED_RENDERER_WEBGL : gl.RENDERER);
  gl.getExtension("WEBGL_lose_context")?.loseContext();
  return String(name);
}

// Returns whether drawing each frame would be too slow on this device.
function isWeak() {
  return (
    matchMedia(SMALL).matches ||
    (navigator.hardwareConcurrency ?? LEAST_CORES) < LEAST_CORES ||
    (navigator.deviceMemory ?? LEAST_MEMORY_GB) < LEAST_MEMORY_GB ||
    SOFTWARE.test(renderer())
  );
}

// Returns the operator's options; the default ones if they could not be loaded.
async function optionsOfDeployment(withTimeout) {
  try {
    const response = await withTimeout(fetch(OPTIONS));
    if (!response.ok) throw new Error(`status ${response.status}`);
    return { ...OWN, ...(await response.json()) };
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

// Returns the scene that `opening` resolves to; raises after the timeout, and destroys the scene if it comes later.
async function initialized(opening, withTimeout) {
  let scene;
  try {
    scene = await withTimeout(opening);
  } catch (error) {
    opening.then((late) => late?.destroy?.()).catch(() => {});
    throw error;
  }
  if (!scene) throw new Error("Failed to initialize scene");
  return scene;
}

// Returns what scene_control.js runs and destroys: the scene with its ticker. A slow scene is drawn at a lower
// resolution first; at the lowest resolution `giveUp` is called.
function shown(scene, host, { fps }, giveUp) {
  const slower = () => {
    const next = scene.setScale && SCALES.find((scale) => scale < scene.scale());
    if (!next) {
      console.warn("The scene is too slow here");
      giveUp();
    } else scene.setScale(next);
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

function hostIn(element, { width, height }) {
  const host = document.createElement("div");
  host.id = "tara-scene";
  Object.assign(host.style, { width, height });
  element.append(host);
  return host;
}

// Resolves once the visitor has interacted with the page, or stayed for 3 s: the video is loaded only then.
function visitorActive() {
  return new Promise((resolve) => {
    const controller = new AbortController();
    const { signal } = controller;
    const finish = () => {
      controller.abort();
      resolve();
    };
    for (const name of ACTIVITY) addEventListener(name, finish, { signal, passive: true });
    const timer = setTimeout(finish, STAYED_MS);
    signal.addEventListener("abort", () => clearTimeout(timer));
  });
}

// Shows the scene or the video in an element. Returns null if it was cancelled in the meantime. `withTimeout` limits the
// time of a promise, `level` returns the voice's level from 0 to 1, `isCancelled` returns whether the page has ended the
// scene, and `giveUp` ends it when it is too slow or cannot be played.
export async function open(element, { withTimeout, level, isCancelled, giveUp }) {
  if (isWeak()) {
    await visitorActive();
    return isCancelled() ? null : openVideo(element, giveUp);
  }
  const options = await optionsOfDeployment(withTimeout);
  check(options);
  if (isCancelled()) return null;
  const host = hostIn(element, options);
  const still = element.parentElement.querySelector("img");
  // The scene shows the same part as the still image, which style sheets move.
  const position = () => getComputedStyle(still).objectPosition;
  try {
    const { load } = await withTimeout(DRIVERS[options.driver]());
    const scene = await load(host, { ...options, level, position, initialized, withTimeout });
    return shown(scene, host, options, giveUp);
  } catch (error) {
    host.remove();
    throw error;
  }
}
