// The box of the contact details with which a visitor lets this browser remember them, and what follows from it.
import { useEffect, useEffectEvent, useRef, useState } from "react";
import {
  change,
  clearTyped,
  isRemembered,
  remembered,
  rememberSubmitted,
  submitted,
  tick,
  useDetails,
  useIsTicked,
} from "./remembered.js";

const valuesOf = (form) => Object.fromEntries(new FormData(form));

// The box, and the hidden field `isRemembered`. It is "yes" if the form is submitted as it was remembered: the visitor has
// checked these details before an earlier order. Otherwise it is the value of the button that submits the form.
export function RememberBox({ campus, ...rest }) {
  const isTicked = useIsTicked();
  const box = useRef(null);
  const hidden = useRef(null);
  const submit = useEffectEvent(({ target, submitter }) => {
    const values = valuesOf(target);
    hidden.current.value = isRemembered(values, campus) ? "yes" : (submitter?.value ?? "");
    const { fullName, email, phoneNumber, address } = values;
    submitted(isTicked ? { campus, fullName, email, phoneNumber, address } : null);
  });
  useEffect(() => {
    const { form } = box.current;
    const before = (event) => submit(event); // before Reflex reads the values
    form.addEventListener("submit", before, { capture: true });
    return () => form.removeEventListener("submit", before, { capture: true });
  }, []);
  return (
    <>
      <input {...rest} ref={box} type="checkbox" checked={isTicked} onChange={({ target }) => tick(target.checked)} />
      <input ref={hidden} type="hidden" name="isRemembered" />
    </>
  );
}

// Remembers the details of the last submitted form once the server has accepted it.
export function RememberAccepted({ accepted }) {
  useEffect(() => {
    if (accepted) rememberSubmitted();
  }, [accepted]);
  return null;
}

// Shows its children while the form around it has the remembered details.
export function WhileRemembered({ campus, children }) {
  const place = useRef(null);
  const [isShown, show] = useState(false);
  const details = useDetails();
  const look = useEffectEvent(() => {
    if (place.current) show(isRemembered(valuesOf(place.current.closest("form")), campus));
  });
  useEffect(() => {
    const form = place.current.closest("form");
    queueMicrotask(look); // the fields below are filled in the same turn
    form.addEventListener("input", look);
    return () => form.removeEventListener("input", look);
  }, [campus, details]);
  return <div ref={place} role="status">{isShown && children}</div>;
}

// A field that shows and changes one of the remembered details; `onChanged` follows when it is left.
export function DetailField({ name, campus = "", kind, onChanged, ...rest }) {
  useDetails();
  const isChanged = useRef(false);
  const Control = kind === "area" ? "textarea" : "input";
  const type = kind === "area" ? {} : { type: kind };
  const save = (event) => {
    isChanged.current = true;
    change(name, campus, event.target.value);
  };
  const leave = () => {
    if (!isChanged.current) return;
    isChanged.current = false;
    clearTyped();
    onChanged?.();
  };
  return <Control {...rest} {...type} value={remembered(name, campus, rest.maxLength)} onChange={save} onBlur={leave} />;
}
