// Plays a video of our scene, a seamless loop, on devices that scene_stage.js considers too weak to draw it.
const SOURCES = [
  { src: "/video/ribbons-av1.mp4", type: 'video/mp4; codecs="av01.0.05M.10"' },
  { src: "/video/ribbons.mp4", type: 'video/mp4; codecs="avc1.64001f"' },
];

// Plays the video in an element; its first frame equals the still image below. `giveUp` is called when
// it cannot be played.
export function open(element, giveUp) {
  const video = document.createElement("video");
  Object.assign(video, { muted: true, loop: true, playsInline: true, preload: "none", tabIndex: -1 });
  Object.assign(video, { disablePictureInPicture: true, disableRemotePlayback: true });
  video.setAttribute("aria-hidden", "true");
  video.addEventListener("playing", () => {
    video.dataset.drawn = "";
  });
  const fail = (error) => {
    console.warn("The hero's video did not play:", error.message);
    giveUp();
  };
  video.append(...SOURCES.map((each) => Object.assign(document.createElement("source"), each)));
  // If all sources fail, the promise of play() stays pending: only the last source has an event.
  video.lastElementChild.addEventListener("error", () => fail(new Error("no source")));
  element.append(video);
  return {
    kind: "video",
    run: (isOn) => {
      if (!isOn) video.pause();
      // pause() rejects the promise with an AbortError, which is no failure.
      else video.play().catch((error) => error.name === "AbortError" || fail(error));
    },
    destroy: () => {
      video.pause();
      video.replaceChildren();
      video.load();
      video.remove();
    },
  };
}
