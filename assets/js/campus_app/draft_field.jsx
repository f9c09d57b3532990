// A form control that the server never overwrites while the visitor uses it. A controlled input of Reflex
// would show a late response over the new text, and a reload would lose unsent text.
import { useCallback, useEffect, useEffectEvent, useRef, useState } from "react";

const TICKED = "yes";

const isBox = (field) => field.type === "checkbox";
const read = (field) => (isBox(field) && !field.checked ? "" : field.value);

function write(field, text) {
  if (isBox(field)) field.checked = text !== "";
  else field.value = text;
}

// The server's value replaces only its previous value. The tab stores the text at each change; if the
// server's value differs from it after a reload, onBlur sends it again.
export function DraftField({ kind, value, name, draftKey, onChange, onBlur, ref, ...rest }) {
  const [initial] = useState(value);
  const field = useRef(null);
  const served = useRef(value);
  const setField = useCallback(
    (element) => {
      field.current = element;
      if (ref) ref.current = element;
    },
    [ref],
  );
  const send = () => onBlur?.({ target: { value: read(field.current) } });
  const fill = useEffectEvent(() => {
    const draft = sessionStorage.getItem(draftKey);
    const isUnsent = draft !== null && draft !== value;
    if (read(field.current) === served.current) write(field.current, isUnsent ? draft : value);
    served.current = value;
    if (isUnsent) send();
  });
  useEffect(() => fill(), [value]);
  const store = (event) => {
    sessionStorage.setItem(draftKey, read(event.target));
    onChange?.(event);
    if (kind === "checkbox") send(); // a tick is whole at once
  };
  // Some browsers scroll the text box alone into view, without its label and its error.
  const show = ({ target }) => target.closest(".field")?.scrollIntoView({ block: "nearest" });
  const control = { ...rest, name, ref: setField, onChange: store, onFocus: show };
  if (kind === "checkbox") return <input {...control} type="checkbox" value={TICKED} defaultChecked={initial !== ""} />;
  if (kind === "area") return <textarea {...control} defaultValue={initial} onBlur={send} />;
  return <input {...control} type={kind} defaultValue={initial} onBlur={send} />;
}
