// What is heard of the samples, and how loud it is in each of 24 bands: one audio element and one
// analyser for as long as the page lives, set up at the first press of play.
const FFT_SIZE = 256;
const SMOOTHING = 0.8;
const QUIETEST_DB = -85;
const LOUDEST_DB = -20;
const BANDS = 24;
const LOWEST_HZ = 150;
const HIGHEST_HZ = 7_000;
const LOOKS = 5;

let audio;
let context;
let analyser;
let strengths;
let isConnected = false;

const toMel = (hertz) => 2595 * Math.log10(1 + hertz / 700);
const toHertz = (mel) => 700 * (10 ** (mel / 2595) - 1);
const edge = (number) =>
  toHertz(toMel(LOWEST_HZ) + ((toMel(HIGHEST_HZ) - toMel(LOWEST_HZ)) * number) / BANDS);

export function sound() {
  if (!audio) {
    audio = new Audio();
    audio.preload = "none";
  }
  return audio;
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
    giveUp(error);
  }
}

function giveUp(error) {
  analyser = null;
  console.warn("Web Audio API setup failed:", error.message);
}

const isRunning = () => context?.state === "running";

// What goes through a context that is suspended is not heard: until it runs, the element plays alone.
function connect() {
  if (isConnected || !analyser || !isRunning()) return;
  try {
    context.createMediaElementSource(audio).connect(analyser);
    isConnected = true;
  } catch (error) {
    giveUp(error);
  }
}

export function play() {
  sound();
  setUp();
  context?.resume().catch(() => {});
  connect();
  if (audio.error) audio.load();
  return audio.play();
}

// The low bands are narrower than a bin: between two bins lies what lies between their strengths.
function strengthAt(hertz) {
  const place = (hertz * FFT_SIZE) / context.sampleRate;
  const bin = Math.min(Math.floor(place), strengths.length - 2);
  return strengths[bin] + (strengths[bin + 1] - strengths[bin]) * Math.min(place - bin, 1);
}

function strengthOf(band) {
  const from = edge(band);
  const step = (edge(band + 1) - from) / (LOOKS - 1);
  const looks = Array.from({ length: LOOKS }, (_, look) => strengthAt(from + look * step));
  return Math.max(...looks) / 255;
}

const bands = (heightOf) => Array.from({ length: BANDS }, (_, band) => heightOf(band));

// A number that looks random and is the same each time.
const noise = (seed) => Math.abs(Math.sin(seed * 127.1) * 43_758.5453) % 1;

const resting = (band) => (0.1 + 0.75 * Math.exp(-((band / 12) ** 2))) * (0.75 + 0.25 * noise(band + 1));

export const profile = () => bands(resting);

// How loud each band is; where nothing can be measured, what a voice might look like.
export function levels(tick) {
  if (!isConnected || !isRunning()) return bands((band) => resting(band) * (0.45 + 0.6 * noise(band + 31 * tick)));
  analyser.getByteFrequencyData(strengths);
  return bands(strengthOf);
}

// How loud it is altogether, from 0 to 1.
export function loudness() {
  if (!audio || audio.paused) return 0;
  const heard = levels(Math.floor(audio.currentTime * 10));
  return Math.min(1, (2 * heard.reduce((sum, band) => sum + band, 0)) / BANDS);
}
