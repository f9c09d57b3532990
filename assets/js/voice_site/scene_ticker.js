// Calls a scene once a frame, and detects when this browser cannot keep up, which only it can measure.
const WATCHED_FRAMES = 60;
const SLACK = 1.5;
const SCREEN_FRAME_MS = 1_000 / 60;

const median = (values) => [...values].sort((one, other) => one - other)[values.length >> 1];

// Calls `draw` at most `fps` times a second, and `onSlow` when the median of 60 frames is over budget.
// Returns the function that starts and stops it.
export function ticker({ fps, draw, onSlow }) {
  const step = 1_000 / fps;
  const budget = SLACK * Math.max(step, SCREEN_FRAME_MS);
  let request = 0;
  let before = 0;
  let drawn = 0;
  let spent = 0;
  let intervals = [];
  const tick = (now) => {
    request = requestAnimationFrame(tick);
    if (before) intervals.push(now - before);
    before = now;
    if (now - drawn >= step - 1) {
      spent += drawn ? Math.min(now - drawn, 100) : 0;
      drawn = now;
      draw(spent);
    }
    if (intervals.length < WATCHED_FRAMES) return;
    if (median(intervals) > budget) onSlow();
    intervals = [];
  };
  return (isOn) => {
    cancelAnimationFrame(request);
    request = isOn ? requestAnimationFrame(tick) : 0;
    before = 0;
    drawn = 0;
    intervals = [];
  };
}
