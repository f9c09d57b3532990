// A restaurant's file, or rows copied from a sheet, on their way to the server: in parts, since a message of a page has
// at most 64 kB.
import { useState } from "react";

const PART = 24_000; // characters of base64
const MOST_BYTES = 2 * 1024 * 1024;
const ROWS = /\S[^]*[\t\n][^]*\S|\S\t/; // more than one cell or line
const TYPES = ".csv,.tsv,.txt,.xlsx,.xlsm,.ods";

function base64Of(blob) {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result.slice(reader.result.indexOf(",") + 1));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(blob);
  });
}

// Calls `onPart(name, place, count, text)` for each part, `onRefused` for what is too large or can't be read.
export function SheetInput({ label, paste, hint, read, onPart, onRefused }) {
  const [text, setText] = useState("");
  const send = async (blob, name) => {
    try {
      if (blob.size > MOST_BYTES) throw new RangeError(name);
      const encoded = await base64Of(blob);
      const count = Math.max(1, Math.ceil(encoded.length / PART));
      for (let place = 0; place < count; place += 1) {
        onPart(name, place, count, encoded.slice(place * PART, (place + 1) * PART));
      }
    } catch {
      onRefused();
    }
  };
  const onFile = ({ target }) => {
    const [file] = target.files;
    if (file) send(file, file.name.slice(-60));
    target.value = ""; // the same file can be chosen again
  };
  const sendRows = (rows) => {
    send(new Blob([rows]), "");
    setText("");
  };
  const onPaste = (event) => {
    const rows = event.clipboardData.getData("text");
    if (text.trim() || !ROWS.test(rows)) return;
    event.preventDefault();
    sendRows(rows);
  };
  return (
    <div className="desk-sheet-input">
      <label className="button">
        {label}
        <input type="file" className="visually-hidden" accept={TYPES} onChange={onFile} />
      </label>
      <label className="desk-field">
        <span>{paste}</span>
        <textarea
          rows={1}
          placeholder={hint}
          value={text}
          onChange={({ target }) => setText(target.value)}
          onPaste={onPaste}
          spellCheck={false}
        />
      </label>
      {text.trim() && (
        <button type="button" className="button" onClick={() => sendRows(text)}>
          {read}
        </button>
      )}
    </div>
  );
}
