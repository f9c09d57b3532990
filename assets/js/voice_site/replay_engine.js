// Plays a call, and steps through it turn by turn. All replies are in one audio file, one after the other: the
// engine jumps to the next turn of the path.
import { audioOf, isPlaying, isWhole, NO_REPLY, pathOf, pause, store, turnsOf } from "./replay_store.js";
import { play, setSource, sound, soundOwner, takeSound } from "./voice_sound.js";

// The silence before each turn is at least this long, and 0.3 s longer where the sound stops or jumps (tools/voices/timing.py).
const LEAD_SECONDS = 0.2;
const LONGEST_GAP_SECONDS = 1;
const REFRESH_MS = 100;
const { change } = store;

let playing;
let timer;

export async function load({ cues }) {
  if (store.state.turns[cues]) return;
  const response = await fetch(cues);
  if (!response.ok) throw new Error(`status ${response.status}`);
  const { turns } = await response.json();
  const byId = Object.fromEntries(turns.map((turn) => [turn.id, turn]));
  change({ turns: { ...store.state.turns, [cues]: byId } });
}

const turnAt = (call, index) => turnsOf(call, store.state)[pathOf(call, store.state.reply)[index]];

const isLast = (call) => store.state.index === pathOf(call, store.state.reply).length - 1;

const show = (place) => change({ mode: "reading", ...place });

function fail(error) {
  // A pause, or another source, rejects the promise of play() with AbortError.
  if (error?.name === "AbortError" || soundOwner() !== pause) return;
  console.warn("The call did not play:", error?.message ?? "unknown");
  show({ isUnplayable: true });
}

function playFrom(call, seconds) {
  takeSound(pause);
  setSource(audioOf(call, store.state.code));
  sound().currentTime = seconds;
  playing = call;
  change({ seconds, mode: "playing", isUnplayable: false });
  watch();
  play().catch(fail);
}

function playTurn(call, place) {
  change(place);
  playFrom(call, turnAt(call, store.state.index).starts - LEAD_SECONDS);
}

const go = (call, place) => (isPlaying(store.state) ? playTurn(call, place) : show(place));

function finish() {
  change({ mode: "ended" });
  sound().pause();
}

// Returns the silence between the current turn and the next one, if that follows in the file; otherwise 0.
function gapAfter() {
  if (isLast(playing)) return 0;
  const { index } = store.state;
  const gap = turnAt(playing, index + 1).starts - turnAt(playing, index).ends;
  return gap > 0 && gap <= LONGEST_GAP_SECONDS ? gap : 0;
}

function moveOn() {
  if (isLast(playing)) {
    finish();
    return;
  }
  const index = store.state.index + 1;
  if (!gapAfter()) sound().currentTime = turnAt(playing, index).starts - LEAD_SECONDS;
  change({ index, seconds: sound().currentTime });
}

const isMine = () => soundOwner() === pause && isPlaying(store.state);

function follow() {
  if (!isMine() || sound().seeking) return;
  const { currentTime } = sound();
  const rest = Math.min(LEAD_SECONDS, gapAfter() / 2 || LEAD_SECONDS);
  if (currentTime >= turnAt(playing, store.state.index).ends + rest) moveOn();
  else change({ seconds: currentTime });
}

function watch() {
  if (timer) return;
  const audio = sound();
  timer = setInterval(follow, REFRESH_MS);
  audio.addEventListener("timeupdate", follow); // in a hidden tab it comes more often than the timer
  audio.addEventListener("error", () => isMine() && fail(audio.error));
  audio.addEventListener("pause", () => {
    if (!isMine() || !audio.paused) return;
    if (audio.ended) moveOn();
    else pause();
  });
}

export function toggle(call) {
  const { mode, seconds, reply } = store.state;
  if (mode === "playing") {
    pause();
    sound().pause();
  } else if (mode === "paused") playFrom(call, seconds);
  else if (isLast(call) && reply !== NO_REPLY) playTurn(call, { index: 0, reply: NO_REPLY });
  else playTurn(call, {});
}

export function forward(call) {
  if (!isLast(call)) go(call, { index: store.state.index + 1 });
  else if (isPlaying(store.state)) finish();
  else show({});
}

export function back(call) {
  const index = Math.max(store.state.index - 1, 0);
  go(call, { index, reply: index < call.opening.length ? NO_REPLY : store.state.reply });
}

export const restart = (call) => go(call, { index: 0, reply: NO_REPLY });

// Plays the caller's reply if the turns before it were played to their end; otherwise only shows it.
export function choose(call, reply) {
  const place = { reply, index: call.opening.length };
  if (store.state.mode === "ended") playTurn(call, place);
  else show(place);
}

export function chooseAgain(call) {
  change({ index: call.opening.length - 1, reply: NO_REPLY });
}

// Continues in another language at the same part of the turn.
export function changeLanguage(call, code) {
  const { index, seconds } = store.state;
  const before = turnAt(call, index);
  const part = Math.min(Math.max((seconds - before.starts) / (before.ends - before.starts), 0), 1);
  change({ code });
  const { starts, ends } = turnAt(call, index);
  const position = starts + part * (ends - starts);
  if (isPlaying(store.state)) playFrom(call, position);
  else if (!isWhole(store.state)) change({ seconds: position });
}
