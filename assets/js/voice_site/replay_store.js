// See it work: the current turn of the replayed call, and the entries and steps that follow from it. The
// engine that plays and steps (replay_engine.js) is loaded at the first press.
import { createStore } from "../kit/store.js";
import { TARA } from "./player_caption.jsx";
import { play, setSource, sound, soundOwner, takeSound } from "./voice_sound.js";

export const NO_REPLY = -1;
const START = { reply: NO_REPLY, index: 0, mode: "reading", seconds: 0 };

// `reply` is the number of the chosen reply, or NO_REPLY; `index` the number of the current turn in the path
// of this reply (pathOf). `mode` is how the visitor came to the turn: "reading" (stepped to it), "playing",
// "paused" or "ended" (it was played to its end). While it plays or is paused, `seconds` is the position in
// the audio. `turns`: for the address of each loaded file of cues, its turns by their ids. `hasFailed`: the turns or the
// engine did not load; `isUnplayable`: the audio did not play.
export const store = createStore({
  ...START,
  callId: "",
  code: "",
  turns: {},
  isLoading: false,
  hasFailed: false,
  isUnplayable: false,
});
const { change } = store;

export const isPlaying = ({ mode }) => mode === "playing";

// Whether the current turn is shown whole.
export const isWhole = ({ mode }) => mode === "reading" || mode === "ended";

export const pause = () => isPlaying(store.state) && change({ mode: "paused" });

export const callOf = (calls) => calls.find(({ id }) => id === store.state.callId) ?? calls[0];
export const pathOf = (call, reply) => [...call.opening, ...(call.replies[reply] ?? [])];
export const audioOf = (call, code) => call.audio[code] ?? Object.values(call.audio)[0];
// Returns the turns by their ids, or undefined until their file, the cues, is loaded.
export const turnsOf = (call, { turns, code }) => turns[audioOf(call, code).cues];

// Returns the form's entries by field: those of the turns before `index`, and of this turn if `isDone`.
export function entriesAt(call, path, index, isDone) {
  const done = path.slice(0, index + (isDone ? 1 : 0));
  return Object.assign({}, ...done.map((id) => call.effects[id]?.entries));
}

// Returns whether the audio is 'before', 'during' or 'after' a turn.
export function phaseOf({ starts, ends }, state) {
  if (isWhole(state) || state.seconds >= ends) return "after";
  return state.seconds < starts ? "before" : "during";
}

// Returns the ids of the pipeline's steps that have been reached since the caller's last turn began.
export function stepsAt({ speaker }, phase, { action, isFirst }) {
  const before = isFirst ? [] : ["listen", "understand", "decide", ...(action ? ["act"] : [])];
  if (speaker === TARA) return phase === "before" ? before : [...before, "answer"];
  return before.slice(0, { before: 0, during: 1, after: 2 }[phase]);
}

export function chooseCall(callId) {
  if (soundOwner() === pause) sound().pause();
  change({ ...START, callId, isLoading: false, hasFailed: false, isUnplayable: false });
}

export function chooseLanguage(call, code) {
  if (turnsOf(call, store.state)) press(call, "changeLanguage", code);
  else change({ code });
}

// Loads the engine and the turns of the call, then runs an action: the name of one of the engine's functions.
export async function press(call, action, value) {
  const { callId, code } = store.state;
  const isCurrent = () => store.state.callId === callId;
  const audio = audioOf(call, action === "changeLanguage" ? value : code);
  // Browsers allow sound only within the press itself.
  if (action === "toggle" && !isPlaying(store.state)) {
    takeSound(pause);
    setSource(audio);
    play().catch(() => {}); // the engine plays too, and reports the failure
  }
  const owner = soundOwner();
  try {
    change({ isLoading: true, hasFailed: false });
    const engine = await import("./replay_engine.js");
    await engine.load(audio);
    await engine.load(audioOf(call, store.state.code)); // it may have changed meanwhile
    // Meanwhile another part of the page may have started.
    if (isCurrent() && soundOwner() === owner) engine[action](call, value);
  } catch (error) {
    console.warn("The call did not load:", error.message);
    if (!isCurrent()) return;
    if (soundOwner() === pause) sound().pause();
    pause();
    change({ hasFailed: true });
  }
  if (isCurrent()) change({ isLoading: false });
}
