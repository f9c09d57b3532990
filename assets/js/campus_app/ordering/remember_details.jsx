// The box of the contact details with which a visitor lets this browser remember them, and what follows from it.
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { change, isRemembered, remember, remembered, forget, useDetails } from "./remembered.js";

const ACCEPTED_NEXT = "detailsToRemember"; // in this tab, until the server has accepted the form

const valuesOf = (form) => Object.fromEntries(new FormData(form));

// A box, by default ticked if details are remembered already, and the hidden field `isRemembered`. It is "yes" if the
// form is submitted as it was remembered: the visitor has checked these details before an earlier order.
export function RememberBox({ campus, ...rest }) {
  const isKnown = useDetails() !== null;
  const [choice, choose] = useState(null);
  const box = useRef(null);
  const hidden = useRef(null);
  const isTicked = choice ?? isKnown;
  const submit = useEffectEvent(({ target }) => {
    const values = valuesOf(target);
    hidden.current.value = isRemembered(values, campus) ? "yes" : "";
    const { fullName, email, phoneNumber, address } = values;
    const details = JSON.stringify({ campus, fullName, email, phoneNumber, address });
    if (isTicked) sessionStorage.setItem(ACCEPTED_NEXT, details);
    else sessionStorage.removeItem(ACCEPTED_NEXT);
    if (!isTicked && isKnown) forget();
  });
  useEffect(() => {
    const { form } = box.current;
    const before = (event) => submit(event); // before Reflex reads the values
    form.addEventListener("submit", before, { capture: true });
    return () => form.removeEventListener("submit", before, { capture: true });
  }, []);
  return (
    <>
      <input {...rest} ref={box} type="checkbox" checked={isTicked} onChange={({ target }) => choose(target.checked)} />
      <input ref={hidden} type="hidden" name="isRemembered" />
    </>
  );
}

// Remembers the details that the server has accepted: it leads to the screen that holds this.
export function RememberAccepted() {
  useEffect(() => {
    const details = sessionStorage.getItem(ACCEPTED_NEXT);
    sessionStorage.removeItem(ACCEPTED_NEXT);
    if (details) remember(JSON.parse(details));
  }, []);
  return null;
}

// Shows its children while the form around it has the remembered details.
export function WhileRemembered({ campus, children }) {
  const place = useRef(null);
  const [isShown, show] = useState(false);
  const details = useDetails();
  const look = useEffectEvent(() => show(isRemembered(valuesOf(place.current.closest("form")), campus)));
  useEffect(() => {
    const form = place.current.closest("form");
    queueMicrotask(look); // the fields below are filled in the same turn
    form.addEventListener("input", look);
    return () => form.removeEventListener("input", look);
  }, [campus, details]);
  return <div ref={place} role="status">{isShown && children}</div>;
}

// A field that shows and changes one of the remembered details.
export function DetailField({ name, campus = "", kind, ...rest }) {
  useDetails();
  const Control = kind === "area" ? "textarea" : "input";
  const type = kind === "area" ? {} : { type: kind };
  const save = (event) => change(name, campus, event.target.value);
  return <Control {...rest} {...type} value={remembered(name, campus)} onChange={save} />;
}
