// Back closes an open dialog instead of leaving the page: the browser gets a history entry while a dialog is open. Only
// a script can add one, and React Router must not see it, or it would open the page again.
import { useEffect, useEffectEvent } from "react";

const openDialogs = new Set(); // the functions that dismiss the open dialogs
let isLeaving = false; // whether this script has called history.back(), whose `popstate` is still to come

const isOwnEntry = () => history.state?.isDialog === true;

// Adds one entry for all open dialogs, or goes back from it if none is open. If Forward has come back to the entry, the
// next dialog uses it.
function settle() {
  if (isLeaving || isOwnEntry() === openDialogs.size > 0) return;
  if (isOwnEntry()) leave();
  // The entry keeps the router's own state.
  else history.pushState({ ...history.state, isDialog: true }, "");
}

function leave() {
  isLeaving = true;
  history.back(); // ends later, with `popstate`
}

function onPopState(event) {
  const isOurs = isLeaving;
  isLeaving = false;
  if (!isOurs && !isOwnEntry() && openDialogs.size === 0) return; // the router handles a change of the page
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
    queueMicrotask(settle); // later, because one dialog may open when another one closes: the entry then stays
    return () => {
      openDialogs.delete(close);
      queueMicrotask(settle);
    };
  }, [open]);
  return null;
}
