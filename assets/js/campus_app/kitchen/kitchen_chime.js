// The chime of a kitchen board: two notes, each with its delay in seconds.
const NOTES = [
  [880, 0],
  [1174.66, 0.18],
];

// Plays the chime once, in an AudioContext.
export function chime(audio) {
  for (const [hertz, delay] of NOTES) {
    const tone = audio.createOscillator();
    const volume = audio.createGain();
    const at = audio.currentTime + delay;
    tone.type = "triangle";
    tone.frequency.value = hertz;
    volume.gain.setValueAtTime(0.0001, at);
    volume.gain.exponentialRampToValueAtTime(0.6, at + 0.02);
    volume.gain.exponentialRampToValueAtTime(0.0001, at + 0.9);
    tone.connect(volume).connect(audio.destination);
    tone.start(at);
    tone.stop(at + 1);
  }
}
