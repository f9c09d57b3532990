// The part of 'Listen to TARA' that the first view needs: whether the dialog is open, and the selected
// sample. The player and the list of samples are loaded when the dialog opens: Reflex cannot load a part
// of a page later.
import { useEffect } from "react";
import { createStore } from "../kit/store.js";
import { setLevelSource } from "./scene_control.js";

const MANIFEST = "/audio/manifest.json";
const FIRST = "en";

const CLOSED = { isOpen: false, code: FIRST, Stage: null, samples: [], isMissing: false, isFetching: false };
const store = createStore(CLOSED);
const { change } = store;

export const usePlayer = store.useStore;

async function samplesOf(response) {
  if (!response.ok) throw new Error(`status ${response.status}`);
  return (await response.json()).samples;
}

async function fetchStage() {
  if (store.state.Stage || store.state.isFetching) return;
  change({ isFetching: true });
  try {
    const [{ PlayerStage }, samples] = await Promise.all([
      import("./player_stage.jsx"),
      fetch(MANIFEST).then(samplesOf),
    ]);
    change({ Stage: PlayerStage, samples });
  } catch (error) {
    console.warn("The player did not load:", error.message);
    change({ isMissing: true });
  }
  change({ isFetching: false });
}

export function openPlayer(code = "") {
  change({ isOpen: true, code: code || store.state.code });
  fetchStage();
}

export const closePlayer = () => change({ isOpen: false });

const choose = (code) => change({ code });

function readInstead() {
  closePlayer();
  const transcript = document.querySelector("#listen details");
  transcript.open = true;
  setTimeout(() => {
    transcript.scrollIntoView({ block: "center" });
    transcript.querySelector("summary").focus({ preventScroll: true });
  });
}

// The player, or the state of its loading.
export function PlayerContent({ words }) {
  const { isOpen, code, Stage, samples, isMissing, isFetching } = usePlayer();
  // The player replaces the button that had the focus.
  useEffect(() => {
    const dialog = document.querySelector("dialog.player");
    if (Stage && dialog.open && !dialog.contains(document.activeElement)) dialog.querySelector("h2").focus();
  }, [Stage]);
  if (!isOpen) return null;
  if (Stage) return <Stage {...{ samples, code, words, choose, setLevelSource }} />;
  return (
    <div className="player__body player__wait">
      <p className="status" role="status">
        {isMissing && !isFetching ? words.missing : words.fetching}
      </p>
      {isMissing && (
        <div className="player__act">
          <button type="button" className="btn" aria-disabled={isFetching} onClick={fetchStage}>
            {words.again}
          </button>
          <button type="button" className="txt" onClick={readInstead}>
            {words.read}
          </button>
        </div>
      )}
    </div>
  );
}
