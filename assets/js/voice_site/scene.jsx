// The hero's scene, its pause button, and the message after a failure. They show the state that
// scene_control.js keeps in the browser.
import { useEffect, useRef } from "react";
import { mount, retry, togglePause, useScene } from "./scene_control.js";

export function Scene() {
  const element = useRef(null);
  const { state } = useScene();
  useEffect(() => mount(element.current), []);
  return <div className="stage__play" data-scene={state} ref={element} />;
}

export function MotionControl({ words }) {
  const { state, isPaused, wasUsed, mayMove } = useScene();
  const isMoving = state === "loaded" || state === "video" || (wasUsed && state !== "error");
  return (
    <button type="button" className="txt motion" data-on={mayMove && (isPaused || isMoving) ? "" : undefined} onClick={togglePause}>
      {isPaused ? words.resume : words.pause}
    </button>
  );
}

export function SceneMessage({ words }) {
  const { state, message, raw } = useScene();
  const wasRetried = useRef(false);
  const isShown = message !== "" && (state === "error" || state === "loading");
  const tryAgain = () => {
    if (state !== "error") return;
    wasRetried.current = true;
    retry();
  };
  // Once the scene plays, the focused retry button is removed: focus the pause button instead.
  useEffect(() => {
    if (!wasRetried.current || (state !== "loaded" && state !== "video")) return;
    wasRetried.current = false;
    if (document.activeElement === document.body) document.querySelector(".motion[data-on]")?.focus();
  }, [state]);
  return (
    <div className="scene-note" data-on={isShown ? "" : undefined} data-raw={raw || undefined}>
      <div role="status">
        {isShown && state === "error" && (
          <>
            <p>
              <strong>{words.title}</strong>
            </p>
            <p>{message}</p>
            {!navigator.onLine && <p>{words.offline}</p>}
          </>
        )}
        {isShown && state === "loading" && <p>{words.loading}</p>}
      </div>
      {isShown && (
        <button type="button" className="txt" aria-disabled={state === "loading"} onClick={tryAgain}>
          {words.again}
        </button>
      )}
    </div>
  );
}
