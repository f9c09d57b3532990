// A native modal dialog. Python sets only whether it is open: the browser's showModal() moves the focus
// into it, keeps it there and restores it, and only a script can call that.
import { useEffect, useEffectEvent, useRef } from "react";

// `keepMounted` keeps the content, with what was typed, in the page while the dialog is closed.
// The heading gets the focus if it can take it. Escape calls `onDismiss`, and so does a press that begins and ends on the
// backdrop. Leaving the page calls it too while the dialog is open, so that the dialog is closed when the visitor returns.
export function Modal({ open, onDismiss, keepMounted, children, ...rest }) {
  const dialog = useRef(null);
  const pressed = useRef(null);
  const dismissIfOpen = useEffectEvent(() => open && onDismiss?.());
  useEffect(() => {
    const { current } = dialog;
    if (open && !current.open) {
      current.showModal();
      current.querySelector("h2")?.focus();
    }
    if (!open && current.open) current.close();
    // The style sheets stop the page from scrolling behind an open dialog.
    document.documentElement.toggleAttribute("data-dialog", document.querySelector("dialog[open]") !== null);
    return () => document.documentElement.removeAttribute("data-dialog");
  }, [open]);
  useEffect(() => () => void dismissIfOpen(), []);
  return (
    <dialog
      {...rest}
      ref={dialog}
      onCancel={(event) => {
        event.preventDefault();
        onDismiss?.();
      }}
      onPointerDown={(event) => (pressed.current = event.target)}
      onClick={({ target }) => target === dialog.current && pressed.current === target && onDismiss?.()}
    >
      {open || keepMounted ? children : null}
    </dialog>
  );
}
