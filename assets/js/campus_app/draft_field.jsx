// A text box that the server never overwrites while the visitor types. A controlled input of Reflex would
// show a late response over the new text, and a reload would lose unsent text.
import { useCallback, useEffect, useEffectEvent, useRef, useState } from "react";

// The server's value replaces only its previous value. The tab stores the text at each key press; if the
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
