// Returns the first file of a call that the browser can play. A call is { sources: [{ src, type }], seconds, ... }.
export function sourceOf({ sources }, audio) {
  return (sources.find(({ type }) => audio.canPlayType(type)) ?? sources[0]).src;
}

// Plays the hero's call at a press that `event_replay.js` records, and stops it at the next press. On a slow line the
// player loads seconds later, and takes the audio element over. Safari allows no sound to a press that is replayed.
export function playRecordedPresses() {
  let audio;
  addEventListener("pressrecorded", ({ target }) => {
    if (!target.dataset.call) return;
    const call = JSON.parse(target.dataset.call);
    if (!audio) {
      audio = window.earlySound = new Audio();
      audio.src = sourceOf(call, audio);
      audio.ontimeupdate = () => audio.currentTime >= call.seconds && audio.pause();
    }
    if (audio.paused) audio.play().catch(() => {}); // the player tries again, and reports a failure
    else audio.pause();
  });
}
