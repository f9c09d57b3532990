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

// Nothing that the form sends is hidden from the visitor.
function unfold(field) {
  const fold = field.closest("details");
  if (fold) fold.open = true;
}

// `blank`: what an empty field shows when the visitor leaves it.
// `subject`: what the text is about; each subject has a text of its own. It is empty until the server has said it, and
// again while the page connects to a new server, where the field keeps the subject that it knew.
// `otherwise`: what the field shows, and does not send on its own, while neither server nor visitor have given a text.
// The server's value replaces only its previous value, and the typed text `replaces`. The tab stores the text at each
// change; if the server's value differs from it after a reload, onBlur sends it again.
export function DraftField(props) {
  const { kind, value, name, subject = "", blank = "", replaces = "", otherwise = "", ...more } = props;
  const { onChange, onBlur, ref, ...rest } = more;
  const known = useRef(subject);
  const draftKey = () => {
    const about = subject || known.current;
    return `typed_${name}${about && `_${about}`}`;
  };
  const [initial] = useState(value);
  const field = useRef(null);
  const served = useRef(value);
  const given = useRef(value); // what the field was last filled with
  const setField = useCallback(
    (element) => {
      field.current = element;
      if (ref) ref.current = element;
    },
    [ref],
  );
  const sent = useRef(null);
  const send = (text = read(field.current)) => {
    sent.current = text;
    onBlur?.({ target: { value: text } });
  };
  const fill = useEffectEvent(() => {
    const isOther = subject !== "" && known.current !== "" && known.current !== subject;
    known.current = subject || known.current;
    const isReplaced = replaces !== "" && read(field.current) === replaces;
    if (isReplaced) sessionStorage.setItem(draftKey(), value);
    const draft = sessionStorage.getItem(draftKey());
    const isUnsent = draft !== null && draft !== value;
    const isUntouched = draft === null && read(field.current) === given.current;
    if (isOther || isReplaced || isUntouched || read(field.current) === served.current) {
      const isBlank = value.trim() === blank.trim();
      given.current = isUnsent ? draft : (isBlank && otherwise) || value;
      write(field.current, given.current);
      if (given.current) unfold(field.current);
    }
    served.current = value;
    if (isUnsent) send();
  });
  useEffect(() => fill(), [value, subject, replaces, otherwise]);
  // A visitor who goes forward or back by the browser's buttons leaves the field without its blur.
  const leave = useEffectEvent(() => {
    const draft = sessionStorage.getItem(draftKey());
    if (draft !== null && draft !== served.current && draft !== sent.current) send(draft);
  });
  useEffect(() => () => leave(), []);
  const blur = () => {
    if (blank && read(field.current) === "") {
      write(field.current, blank);
      sessionStorage.setItem(draftKey(), blank);
    }
    if (sessionStorage.getItem(draftKey()) !== null || read(field.current) !== otherwise) send();
  };
  const store = (event) => {
    sessionStorage.setItem(draftKey(), read(event.target));
    onChange?.(event);
    if (kind === "checkbox") send(); // a tick is whole at once
  };
  // Some browsers scroll the text box alone into view, without its label and its error.
  const show = ({ target }) => target.closest(".field")?.scrollIntoView({ block: "nearest" });
  const control = { ...rest, name, ref: setField, onChange: store, onFocus: show };
  if (kind === "checkbox") return <input {...control} type="checkbox" value={TICKED} defaultChecked={initial !== ""} />;
  if (kind === "area") return <textarea {...control} defaultValue={initial} onBlur={blur} />;
  return <input {...control} type={kind} defaultValue={initial} onBlur={blur} />;
}
