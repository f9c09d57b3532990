// A text box that belongs to the visitor: a controlled input of Reflex would be overwritten by an
// answer that comes while somebody types, and a reload would lose what the server has not got.
import { useCallback, useEffect, useEffectEvent, useRef, useState } from "react";

// The server's value is filled in only where nothing was typed since its last one. Each key is stored
// in the tab; where the server's value differs from that after a reload, onBlur sends it again.
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
  const fill = useEffectEvent(() => {
    const draft = sessionStorage.getItem(draftKey);
    const isUnsent = draft !== null && draft !== value;
    if (field.current.value === served.current) field.current.value = isUnsent ? draft : value;
    served.current = value;
    if (isUnsent) onBlur?.({ target: field.current });
  });
  useEffect(() => fill(), [value]);
  const store = (event) => {
    sessionStorage.setItem(draftKey, event.target.value);
    onChange?.(event);
  };
  // Some browsers scroll the text box alone into view, without its label and its error.
  const show = ({ target }) => target.closest(".field")?.scrollIntoView({ block: "nearest" });
  const control = { ...rest, name, ref: setField, defaultValue: initial, onChange: store, onBlur, onFocus: show };
  return kind === "area" ? <textarea {...control} /> : <input {...control} type={kind} />;
}
