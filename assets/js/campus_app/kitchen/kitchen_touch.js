// Refuses a tap on a button that moved under the finger a moment ago: the cook meant what was there before.

const SETTLE_MS = 700;
const TOLERANCE_PX = 8;
const PRESSED = ".ticket button, .ticket a, .ticket-lists summary, .shortage-choices button";
const WATCHED = { subtree: true, childList: true, characterData: true, attributeFilter: ["class", "style", "open"] };

const known = new WeakMap(); // where each button was, and when it moved there, in ms

function placeOf(button) {
  const { top, left } = button.getBoundingClientRect();
  const name = button.getAttribute("aria-label") ?? button.textContent;
  return { name, top, left, pageTop: top + scrollY, pageLeft: left + scrollX };
}

const isFar = (one, other) => Math.abs(one - other) > TOLERANCE_PX;

// A scroll of the visitor changes the place in the window, the browser's scroll anchoring that in the page; a move of
// the layout changes both.
function hasMoved(before, after) {
  if (before?.name !== after.name) return true;
  const isInWindow = isFar(before.top, after.top) || isFar(before.left, after.left);
  return isInWindow && (isFar(before.pageTop, after.pageTop) || isFar(before.pageLeft, after.pageLeft));
}

const isCovered = () => document.querySelector("dialog[open]") !== null;
let wasCovered = false;

// Records where the buttons are. Those that a dialog has covered count as moved when it closes.
function measure() {
  const now = performance.now();
  for (const button of document.querySelectorAll(PRESSED)) {
    const before = known.get(button);
    const after = placeOf(button);
    const wasBehind = wasCovered && !button.closest("dialog");
    const movedAt = wasBehind || hasMoved(before, after) ? now : before.movedAt;
    known.set(button, { ...after, movedAt });
  }
  wasCovered = isCovered();
}

// A press by keyboard, which has no `detail`, meets the button that has the focus.
function refuseMoved(event) {
  const button = event.detail > 0 && event.target.closest?.(PRESSED);
  if (!button) return;
  measure(); // a move that no observer has reported yet
  if (performance.now() - known.get(button).movedAt >= SETTLE_MS) return;
  event.preventDefault();
  event.stopPropagation();
  button.closest(".ticket")?.animate({ opacity: [0.35, 1] }, SETTLE_MS);
}

// Watches the buttons of the board; returns a function that ends it.
export function watchMoves() {
  const observer = new MutationObserver(measure);
  observer.observe(document.body, WATCHED);
  addEventListener("resize", measure);
  addEventListener("click", refuseMoved, true);
  measure();
  return () => {
    observer.disconnect();
    removeEventListener("resize", measure);
    removeEventListener("click", refuseMoved, true);
  };
}
