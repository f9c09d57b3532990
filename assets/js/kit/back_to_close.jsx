// Back closes an open dialog instead of leaving the page: the browser gets a history entry while a dialog
// is open. Only a script can add one, and React Router must not see it, or it would open the page again.
import { useEffect, useEffectEvent } from "react";

const openDialogs = new Set(); // what dismisses each
let before = { address: "", isOwn: false }; // where the browser was before a traversal
let isLeaving = false; // we asked for the traversal that comes next

const isOwnEntry = () => history.state?.isDialog === true;

const look = () => (before = { address: location.href, isOwn: isOwnEntry() });

// One entry for all open dialogs, and none without: that of a closed dialog is left again, also after a
// reload or Forward. A traversal ends later, with `popstate`.
function settle() {
  if (isLeaving || isOwnEntry() === openDialogs.size > 0) return;
  if (isOwnEntry()) {
    isLeaving = true;
    history.back();
  } else {
    // The router's own state stays in it.
    history.pushState({ ...history.state, isDialog: true }, "");
  }
  look();
}

function dismissAll() {
  const dialogs = [...openDialogs];
  openDialogs.clear();
  for (const dismiss of dialogs) dismiss();
}

function onPopState(event) {
  const [left, isOurs] = [before, isLeaving];
  const { address, isOwn } = look();
  isLeaving = false;
  if (address === left.address && (isOwn || left.isOwn)) event.stopImmediatePropagation();
  if (left.isOwn && !isOwn && !isOurs) dismissAll();
  settle();
}

function start() {
  addEventListener("popstate", onPopState, true); // before the router; once, and for every page
  look();
  settle();
  return look;
}

// Stands beside a `Modal`, with the same `open` and `onDismiss`.
export function BackToClose({ open, onDismiss }) {
  const dismiss = useEffectEvent(() => onDismiss?.());
  useEffect(start, []);
  useEffect(() => {
    if (!open) return undefined;
    const close = () => dismiss();
    openDialogs.add(close);
    settle();
    return () => {
      openDialogs.delete(close);
      settle();
    };
  }, [open]);
  return null;
}
