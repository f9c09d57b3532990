// Listen to TARA, as much of it as the first view needs: which sample is open. What plays it, and
// what there is to play, is fetched when somebody asks for it.
import { useEffect, useRef } from "react";
import { ModalDialog } from "./dialog.jsx";
import { answerTo } from "./scene.jsx";
import { createStore } from "./store.js";

const MANIFEST = "/audio/manifest.json";
const FIRST = "en";

const CLOSED = { isOpen: false, code: FIRST, Stage: null, samples: [], isMissing: false, isFetching: false };
const store = createStore(CLOSED);
const { change } = store;
const usePlayer = store.use;

async function samplesOf(answer) {
  if (!answer.ok) throw new Error(`status ${answer.status}`);
  return (await answer.json()).samples;
}

async function fetchStage() {
  if (store.picture.Stage || store.picture.isFetching) return;
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
  change({ isOpen: true, code: code || store.picture.code });
  fetchStage();
}

export function closePlayer() {
  change({ isOpen: false });
}

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

export function PlayerDialog({ children, ...rest }) {
  const { isOpen, Stage } = usePlayer();
  const element = useRef(null);
  useEffect(() => closePlayer, []);
  // The button that asked for it again has gone.
  useEffect(() => {
    const { current } = element;
    if (Stage && current.open && !current.contains(document.activeElement)) current.querySelector("h2").focus();
  }, [Stage]);
  return (
    <ModalDialog {...rest} element={element} isOpen={isOpen} onClose={closePlayer}>
      {children}
    </ModalDialog>
  );
}

export function PlayerPlace({ words }) {
  const { isOpen, code, Stage, samples, isMissing, isFetching } = usePlayer();
  if (!isOpen) return null;
  if (Stage) return <Stage {...{ samples, code, words, choose, answerTo }} />;
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
