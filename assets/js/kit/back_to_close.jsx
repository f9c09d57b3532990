// Back closes an open dialog instead of leaving the page: the browser gets a history entry while a dialog is open. Only
// a script can add one, and React Router must not see it, or it would open the page again.
import { useEffect, useEffectEvent } from "react";

const openDialogs = new Set(); // what dismisses each
let isLeaving = false; // we asked for the traversal that comes next

const isOwnEntry = () => history.state?.isDialog === true;

// One entry for all open dialogs, and none without. An entry that Forward has come back to serves the next dialog.
function settle() {
  if (isLeaving || isOwnEntry() === openDialogs.size > 0) return;
  if (isOwnEntry()) leave();
  // The router's own state stays in it.
  else history.pushState({ ...history.state, isDialog: true }, "");
}

function leave() {
  isLeaving = true;
  history.back(); // ends later, with `popstate`
}

function onPopState(event) {
  const isOurs = isLeaving;
  isLeaving = false;
  if (!isOurs && !isOwnEntry() && openDialogs.size === 0) return; // between pages
  event.stopImmediatePropagation();
  if (isOurs) return settle(); // a dialog may have opened meanwhile
  if (isOwnEntry()) return;
  const dialogs = [...openDialogs];
  openDialogs.clear();
  for (const dismiss of dialogs) dismiss();
}

function start() {
  addEventListener("popstate", onPopState, true); // before the router; once, and for every page
  if (!isLeaving && isOwnEntry() && openDialogs.size === 0) leave(); // a reload has closed the dialog
}

// Stands beside a `Modal`, with the same `open` and `onDismiss`.
export function BackToClose({ open, onDismiss }) {
  const dismiss = useEffectEvent(() => onDismiss?.());
  useEffect(start, []);
  useEffect(() => {
    if (!open) return undefined;
    const close = () => dismiss();
    openDialogs.add(close);
    queueMicrotask(settle); // one dialog may open where another one closes
    return () => {
      openDialogs.delete(close);
      queueMicrotask(settle);
    };
  }, [open]);
  return null;
}
