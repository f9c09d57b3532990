// Draws a scene frame by frame, and detects that this device is too slow for it.
const SAMPLED_FRAMES = 60;
const TOLERANCE = 1.5;
const SCREEN_FRAME_MS = 1_000 / 60;
// After a longer stall the scene goes on where it was, instead of jumping.
const LONGEST_STEP_MS = 100;

const median = (values) => [...values].sort((one, other) => one - other)[values.length >> 1];

// Calls `draw` at most `fps` times a second, with the milliseconds that the scene has run, and `onSlow`
// when the median interval of 60 frames is over the budget. Returns a function that starts and stops it.
export function ticker({ fps, draw, onSlow }) {
  const step = 1_000 / fps;
  const budget = TOLERANCE * Math.max(step, SCREEN_FRAME_MS);
  let request = 0;
  let frameAt = 0;
  let drawnAt = 0;
  let elapsed = 0;
  let intervals = [];
  const tick = (now) => {
    request = requestAnimationFrame(tick);
    if (frameAt) intervals.push(now - frameAt);
    frameAt = now;
    // 1 ms of tolerance: a frame that comes just before 1/60 s would be skipped at 60 fps.
    if (now - drawnAt >= step - 1) {
      elapsed += drawnAt ? Math.min(now - drawnAt, LONGEST_STEP_MS) : 0;
      drawnAt = now;
      draw(elapsed);
    }
    if (intervals.length < SAMPLED_FRAMES) return;
    if (median(intervals) > budget) onSlow();
    intervals = [];
  };
  return (isOn) => {
    cancelAnimationFrame(request);
    request = isOn ? requestAnimationFrame(tick) : 0;
    frameAt = 0;
    drawnAt = 0;
    intervals = [];
  };
}
