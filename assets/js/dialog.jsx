// A native dialog, open or not: its heading takes the focus; Escape, or a press on the backdrop that
// also began there, closes it.
import { useEffect, useRef } from "react";

export function ModalDialog({ isOpen, onClose, element, children, ...rest }) {
  const pressed = useRef(null);
  useEffect(() => {
    if (isOpen && !element.current.open) {
      element.current.showModal();
      element.current.querySelector("h2").focus();
    }
    if (!isOpen && element.current.open) element.current.close();
    document.documentElement.toggleAttribute("data-dialog", document.querySelector("dialog[open]") !== null);
    return () => document.documentElement.removeAttribute("data-dialog");
  }, [isOpen]);
  return (
    <dialog
      {...rest}
      ref={element}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onPointerDown={(event) => (pressed.current = event.target)}
      onClick={(event) =>
        event.target === element.current && pressed.current === element.current && onClose()
      }
    >
      {children}
    </dialog>
  );
}
