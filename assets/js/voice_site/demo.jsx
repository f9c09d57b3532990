// The components of the demo request's dialog. Focus, drafts and retries need the browser's own events.
import { useEffect, useRef } from "react";
import {
  closeDemo,
  dialog,
  nextStep,
  restoreDraft,
  selectVariant,
  sendUnsent,
  storeDraft,
  submitDemo,
  useDemo,
} from "./demo_store.js";
import { noteArrival } from "./journey.js";
import { goTo } from "./sections.jsx";

export { DemoJourney } from "./demo_journey.jsx";

const RETRY_MS = 30_000;
const RESTORED_MS = 800;

// Leads from the dialog to the demonstration that talks. The closed dialog goes back in the history, after which the
// browser restores the position of the page, some frames later: until then it is scrolled again.
export function leaveToTalk() {
  closeDemo();
  setTimeout(() => {
    const box = document.getElementById("talk-box");
    const until = performance.now() + RESTORED_MS;
    const show = () => {
      const { top, bottom } = box.getBoundingClientRect();
      if (top < 0 || bottom > innerHeight) goTo("talk");
      box.focus({ preventScroll: true });
      if (performance.now() < until) setTimeout(show, RESTORED_MS / 8);
    };
    show(); // the dialog gives the focus back first
  });
}

// Focuses the heading of each new step, restores the draft, and retries unsent requests. It comes after
// the dialog in the page, so that its effects run after the dialog's.
export function DemoSession() {
  const { isOpen, step, variant, outcome } = useDemo();
  const place = `${step} ${outcome}`;
  const placeBefore = useRef(place);
  useEffect(() => {
    if (isOpen && place !== placeBefore.current) {
      dialog().querySelector(`[data-step="${step}"] h3`)?.focus();
      dialog().scrollTo(0, 0);
    }
    placeBefore.current = place;
  }, [isOpen, place, step]);
  useEffect(() => selectVariant(variant), [variant, isOpen]); // opening may have reset the forms
  useEffect(() => {
    noteArrival();
    restoreDraft();
    sendUnsent();
    const timer = setInterval(() => document.hidden || sendUnsent(), RETRY_MS);
    addEventListener("online", sendUnsent);
    return () => {
      clearInterval(timer);
      removeEventListener("online", sendUnsent);
    };
  }, []);
  return null;
}

export function DemoForm({ step, children, ...rest }) {
  const { step: current } = useDemo();
  const submit = (event) => {
    event.preventDefault();
    if (step === 1) nextStep();
    else submitDemo();
  };
  return (
    <form {...rest} data-step={step} hidden={current !== step} noValidate onSubmit={submit} onInput={storeDraft}>
      {children}
    </form>
  );
}

export function DemoSteps({ names, ...rest }) {
  const { step } = useDemo();
  return (
    <ol {...rest}>
      {names.map((name, index) => (
        <li
          key={name}
          data-s={index + 1 < step || step === 3 ? "done" : ""}
          aria-current={index + 1 === step ? "step" : undefined}
        >
          {name}
        </li>
      ))}
    </ol>
  );
}
