// The keys of the desk: "/" finds, "j" and "k" move between lines, Enter opens one, "?" shows this list. A key with
// a modifier, or in a field, is the browser's.
import { useEffect, useState } from "react";
import { Modal } from "../../kit/modal.jsx";

const FIELDS = "input, textarea, select, [contenteditable]";
const LINES = "[data-line]";
/** What a page must have for a key to do something there. */
const NEEDS = { "/": "[data-find]", j: LINES, k: LINES, Enter: `${LINES} a`, "?": "body" };

function moveBy(step) {
  const lines = [...document.querySelectorAll(LINES)];
  const at = lines.indexOf(document.activeElement?.closest(LINES));
  const next = lines[at < 0 ? (step > 0 ? 0 : lines.length - 1) : Math.min(Math.max(at + step, 0), lines.length - 1)];
  const target = next?.matches("a, button, [tabindex]") ? next : next?.querySelector("a, button");
  target?.focus();
  target?.scrollIntoView({ block: "nearest" });
}

export function DeskKeys({ title, close, words }) {
  const [open, setOpen] = useState(false);
  useEffect(() => {
    const root = document.documentElement;
    root.dataset.desk = ""; // the style sheet of the desk applies
    const act = {
      "/": () => document.querySelector("[data-find]")?.focus(),
      j: () => moveBy(1),
      k: () => moveBy(-1),
      "?": () => setOpen(true),
    };
    const onKey = (event) => {
      const { key, target, ctrlKey, metaKey, altKey } = event;
      if (ctrlKey || metaKey || altKey || target.closest?.(FIELDS) || document.querySelector("dialog[open]")) return;
      if (!act[key]) return;
      event.preventDefault();
      act[key]();
    };
    addEventListener("keydown", onKey);
    return () => {
      removeEventListener("keydown", onKey);
      delete root.dataset.desk;
    };
  }, []);
  const dismiss = () => setOpen(false);
  return (
    <Modal open={open} onDismiss={dismiss} className="dialog desk-keys" aria-label={title}>
      <h2 tabIndex={-1}>{title}</h2>
      <dl>
        {Object.keys(NEEDS).map(
          (key, number) =>
            open &&
            document.querySelector(NEEDS[key]) && (
              <div key={key}>
                <dt>
                  <kbd>{key}</kbd>
                </dt>
                <dd>{words[number]}</dd>
              </div>
            ),
        )}
      </dl>
      <button type="button" className="button" onClick={dismiss}>
        {close}
      </button>
    </Modal>
  );
}
