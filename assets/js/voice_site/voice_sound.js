// The sound of the recorded calls, and its level in each of 24 frequency bands: one audio element and one analyser of
// the Web Audio API for the whole page, created at the first press of play.
import { sourceOf } from "./early_sound.js";
import { noteCall } from "./journey.js";

const FFT_SIZE = 256;
const SMOOTHING = 0.8;
const QUIETEST_DB = -85;
const LOUDEST_DB = -20;
const BANDS = 24;
const LOWEST_HZ = 150;
const HIGHEST_HZ = 7_000;
const POINTS_PER_BAND = 5;

let audio;
let context; // undefined before the first play; null where the Web Audio API is missing
let analyser;
let strengths;
let source; // the element as a node, once the context runs
let filter; // see setFilter

const toMel = (hertz) => 2595 * Math.log10(1 + hertz / 700);
const toHertz = (mel) => 700 * (10 ** (mel / 2595) - 1);
const edge = (number) => toHertz(toMel(LOWEST_HZ) + ((toMel(HIGHEST_HZ) - toMel(LOWEST_HZ)) * number) / BANDS);

export function sound() {
  if (!audio) {
    audio = window.earlySound ?? new Audio(); // see early_sound.js
    audio.ontimeupdate = null;
    audio.preload = "none";
  }
  return audio;
}

// The function that stops the part of the page which has the sound: a part that starts takes it from the part before.
let owner;

export const soundOwner = () => owner;

export function takeSound(stop) {
  if (owner === stop) return;
  const stopOther = owner;
  owner = stop;
  if (!stopOther) return;
  sound().pause();
  sound().currentTime = 0;
  stopOther();
}

const isChosen = (call) => sound().src.endsWith(sourceOf(call, sound()));

// Whether the file of a call was chosen and has failed.
export const hasFailed = (call) => sound().error !== null && isChosen(call);

// Chooses the file of a call, unless it is chosen already and has not failed.
export function setSource(call) {
  if (sound().error || !isChosen(call)) sound().src = sourceOf(call, sound());
}

function setUp() {
  if (context !== undefined) return;
  context = null;
  try {
    context = new AudioContext();
    analyser = context.createAnalyser();
    analyser.fftSize = FFT_SIZE;
    analyser.smoothingTimeConstant = SMOOTHING;
    analyser.minDecibels = QUIETEST_DB;
    analyser.maxDecibels = LOUDEST_DB;
    strengths = new Uint8Array(analyser.frequencyBinCount);
    analyser.connect(context.destination);
    context.addEventListener("statechange", connect);
  } catch (error) {
    disable(error);
  }
}

function disable(error) {
  analyser = null;
  console.warn("Web Audio API setup failed:", error.message);
}

const isRunning = () => context?.state === "running";

// A suspended context is silent: until it runs, the element plays without it.
function connect() {
  if (source || !analyser || !isRunning()) return;
  try {
    source = context.createMediaElementSource(sound());
    setFilter(filter);
  } catch (error) {
    disable(error);
  }
}

// Routes the sound through the audio nodes that `nodesOf(context)` returns; without an argument it is unfiltered.
export function setFilter(nodesOf) {
  filter = nodesOf;
  source?.disconnect();
  if (source) [...(filter?.(context) ?? []), analyser].reduce((from, to) => from.connect(to), source);
}

export function play() {
  noteCall(sound().src);
  setUp();
  context?.resume().catch(() => {});
  connect();
  if (sound().error) sound().load();
  return sound().play();
}

// Interpolates between two bins of the analyser: the low bands are narrower than a bin.
function strengthAt(hertz) {
  const place = (hertz * FFT_SIZE) / context.sampleRate;
  const bin = Math.min(Math.floor(place), strengths.length - 2);
  return strengths[bin] + (strengths[bin + 1] - strengths[bin]) * Math.min(place - bin, 1);
}

function measuredLevel(band) {
  const from = edge(band);
  const step = (edge(band + 1) - from) / (POINTS_PER_BAND - 1);
  const strengthsInBand = Array.from({ length: POINTS_PER_BAND }, (_, index) => strengthAt(from + index * step));
  return Math.max(...strengthsInBand) / 255;
}

const bands = (levelOf) => Array.from({ length: BANDS }, (_, band) => levelOf(band));

// A pseudo-random number from 0 to 1 that depends on the seed alone.
const noise = (seed) => Math.abs(Math.sin(seed * 127.1) * 43_758.5453) % 1;

const restingLevel = (band) => (0.1 + 0.75 * Math.exp(-((band / 12) ** 2))) * (0.75 + 0.25 * noise(band + 1));

// The levels of a voice at rest: a still picture, for visitors who want no motion.
export const restingLevels = () => bands(restingLevel);

// Returns the level of each of the 24 bands, from 0 to 1. Without a measurement it is that of an imitated voice, which
// moves with `tick`, a count of tenths of a second.
export function levels(tick) {
  if (!source || !isRunning()) return bands((band) => restingLevel(band) * (0.45 + 0.6 * noise(band + 31 * tick)));
  analyser.getByteFrequencyData(strengths);
  return bands(measuredLevel);
}

// Returns the level of all bands together, from 0 to 1.
export function loudness() {
  if (!audio || audio.paused) return 0;
  const measured = levels(Math.floor(audio.currentTime * 10));
  return Math.min(1, (2 * measured.reduce((sum, band) => sum + band, 0)) / BANDS);
}
