// The film of our scene, for devices that should not draw it: one seamless loop.
const SOURCES = [
  { src: "/video/ribbons-av1.mp4", type: 'video/mp4; codecs="av01.0.05M.10"' },
  { src: "/video/ribbons.mp4", type: 'video/mp4; codecs="avc1.64001f"' },
];

// Shows the film in a place. Its first frame is the still that lies below.
export function open(place, giveUp) {
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
  // A play whose sources all fail stays pending: only the last of them says so.
  video.lastElementChild.addEventListener("error", () => fail(new Error("no source")));
  place.append(video);
  return {
    kind: "video",
    run: (isOn) => {
      if (!isOn) video.pause();
      // A play that a pause overtakes is no failure.
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
