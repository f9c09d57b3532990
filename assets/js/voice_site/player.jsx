// 'Listen to TARA': whether the dialog is open or the hero plays a call, and the selected language and call.
// The two stages and the list of calls are loaded at the first press: Reflex cannot load a part of a page
// on demand.
import { useEffect } from "react";
import { createStore } from "../kit/store.js";
import { setLevelSource } from "./scene_control.js";
import { play, setSource, sound, soundOwner, takeSound } from "./voice_sound.js";

const MANIFEST = "/audio/manifest.json";
// The language of the page; the build has no document.
const pageLanguage = () => (typeof document === "undefined" ? "" : document.documentElement.lang.split("-")[0]);

const STAGES = {
  Stage: () => import("./player_stage.jsx").then(({ PlayerStage }) => PlayerStage),
  HeroStage: () => import("./hero_stage.jsx").then(({ HeroStage }) => HeroStage),
};
const CLOSED = {
  isOpen: false,
  playingIn: "", // the view whose hero plays a call
  code: pageLanguage(),
  callId: "",
  Stage: null,
  HeroStage: null,
  samples: [],
  hasFailed: false,
  isLoading: false,
};
const store = createStore(CLOSED);
const { change } = store;

export const usePlayer = store.useStore;

async function parseSamples(response) {
  if (!response.ok) throw new Error(`status ${response.status}`);
  return (await response.json()).samples;
}

const pending = new Set();

async function load(name) {
  const { samples } = store.state;
  if (store.state[name] || pending.has(name)) return;
  pending.add(name);
  change({ isLoading: true });
  try {
    const [stage, listed] = await Promise.all([
      STAGES[name](),
      samples.length ? samples : fetch(MANIFEST).then(parseSamples),
    ]);
    change({ [name]: stage, samples: listed });
  } catch (error) {
    console.warn("The player did not load:", error.message);
    change({ hasFailed: true });
    if (soundOwner() === stopHero) sound().pause(); // without its captions
  }
  pending.delete(name);
  change({ isLoading: pending.size > 0 });
}

const loadPlayer = () => load("Stage");

// The call may play already while its stage, which stops it when it goes, is still loading.
function stopHero() {
  sound().pause();
  sound().currentTime = 0;
  change({ playingIn: "" });
}

export function openPlayer(code = "") {
  takeSound(closePlayer);
  change({ isOpen: true, playingIn: "", code: code || store.state.code });
  loadPlayer();
}

// Whether the call of the hero can be stopped; otherwise a press begins it, or tries again.
export const isStoppable = ({ playingIn, hasFailed, HeroStage }) => playingIn !== "" && (HeroStage !== null || !hasFailed);

// Plays a call in the hero of a view (page or block), or stops it. Browsers allow sound only within the press itself.
export function playInHero(call, place) {
  if (isStoppable(store.state)) {
    stopHero();
    return;
  }
  takeSound(stopHero);
  setSource(call);
  play().catch(() => {}); // the stage reports the failure
  change({ playingIn: place, code: pageLanguage(), callId: "" });
  load("HeroStage");
}

export const closePlayer = () => change({ isOpen: false });

export const choose = (code) => change({ code });
const chooseCall = (callId) => change({ callId });

function openTranscript() {
  closePlayer();
  const transcript = document.querySelector("#listen details");
  transcript.open = true;
  setTimeout(() => {
    transcript.scrollIntoView({ block: "center" });
    transcript.querySelector("summary").focus({ preventScroll: true });
  });
}

// The player, or a message while it loads or if it could not be loaded.
export function PlayerContent({ words }) {
  const { isOpen, code, callId, Stage, samples, hasFailed, isLoading } = usePlayer();
  // The player replaces the focused button, so the focus moves to its heading.
  useEffect(() => {
    const dialog = document.querySelector("dialog.player");
    if (Stage && dialog.open && !dialog.contains(document.activeElement)) dialog.querySelector("h2").focus();
  }, [Stage]);
  if (!isOpen) return null;
  if (Stage) return <Stage {...{ samples, code, callId, words, choose, chooseCall, setLevelSource }} />;
  return (
    <div className="player__body player__wait">
      <p className="status" role="status">
        {hasFailed && !isLoading ? words.missing : words.fetching}
      </p>
      {hasFailed && (
        <div className="player__act">
          <button type="button" className="btn" aria-disabled={isLoading} onClick={loadPlayer}>
            {words.again}
          </button>
          <button type="button" className="txt to-page" onClick={openTranscript}>
            {words.read}
          </button>
        </div>
      )}
    </div>
  );
}
