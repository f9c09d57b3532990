// Plays the film of our scene, one seamless loop, on devices that should not draw it. scene_stage.js
// decides that in the browser.
const SOURCES = [
  { src: "/video/ribbons-av1.mp4", type: 'video/mp4; codecs="av01.0.05M.10"' },
  { src: "/video/ribbons.mp4", type: 'video/mp4; codecs="avc1.64001f"' },
];

// Plays in an element. The film's first frame equals the still image below.
export function open(element, giveUp) {
  const video = document.createElement("video");
  Object.assign(video, { muted: true, loop: true, playsInline: true, preload: "none", tabIndex: -1 });
  Object.assign(video, { disablePictureInPicture: true, disableRemotePlayback: true });
  video.setAttribute("aria-hidden", "true");
  video.addEventListener("playing", () => {
    video.dataset.drawn = "";
  });
  const fail = (error) => {
    console.warn("The hero's film did not play:", error.message);
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
      // A pause aborts the promise without a failure.
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
