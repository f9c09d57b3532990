// What only a browser can do: leave the site, keep and find orders, hold focus in a dialog.
import { useCallback, useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useLocation, useNavigate, useNavigationType } from "react-router";

// Leaves for an address outside the app's own pages as soon as it comes; one that was there
// already is of an earlier visit.
export function Leave({ url }) {
  const before = useRef(url);
  useEffect(() => {
    if (url && url !== before.current) window.location.assign(url);
    before.current = url;
  }, [url]);
  return null;
}

const PREFIX = "order_";
const typedIn = (field) => `typed_${field}`;

// Keeps an order under order_{number}, forgets what was typed for it in a field, then says so.
export function KeepOrder({ number, content, forgets, onKept }) {
  useEffect(() => {
    if (!number || !content) return;
    try {
      sessionStorage.removeItem(typedIn(forgets));
      localStorage.setItem(PREFIX + number, content);
    } catch {
      // A full or blocked storage is no reason to stop: the server knows the order.
    }
    onKept?.(number);
  }, [number, content]);
  return null;
}

function takeOrder(number) {
  try {
    const keys = Object.keys(localStorage).filter((key) => key.startsWith(PREFIX));
    const key = keys.find((candidate) => candidate === PREFIX + number) ?? keys[0];
    if (!key) {
      console.warn("No stored order was found");
      return "";
    }
    const content = localStorage.getItem(key);
    localStorage.removeItem(key);
    return content ?? "";
  } catch {
    return "";
  }
}

// After so many milliseconds reads the stored order of this number, or the first there is, deletes
// it and hands it over.
export function TakeOrder({ number, ms, onTaken }) {
  const taken = useRef(onTaken);
  taken.current = onTaken;
  useEffect(() => {
    const timer = setTimeout(() => taken.current?.(takeOrder(number)), ms);
    return () => clearTimeout(timer);
  }, [number, ms]);
  return null;
}

// A text box whose typing stays the browser's: what the server knows is put in only where nothing
// was typed since it last said something. What is typed is kept in the tab from the first key on,
// so that a reload loses none of it; a server that knows something else is told.
export function KeptField({ kind, value, name, onChange, onBlur, ref, ...rest }) {
  const [initial] = useState(value);
  const field = useRef(null);
  const hold = useCallback((element) => {
    field.current = element;
    if (ref) ref.current = element;
  }, []);
  const given = useRef(value);
  const key = typedIn(name);
  useEffect(() => {
    const typed = sessionStorage.getItem(key);
    const isMissing = typed !== null && typed !== value;
    if (field.current.value === given.current) field.current.value = isMissing ? typed : value;
    given.current = value;
    if (isMissing) onBlur?.({ target: field.current });
  }, [value]);
  const keep = (event) => {
    sessionStorage.setItem(key, event.target.value);
    onChange?.(event);
  };
  // Not every browser keeps clear of the window's edge by itself: the label and what is wrong with
  // the field are to be seen with it.
  const show = ({ target }) => target.closest(".field")?.scrollIntoView({ block: "nearest" });
  const control = { ...rest, name, ref: hold, defaultValue: initial, onChange: keep, onBlur, onFocus: show };
  return kind === "area" ? <textarea {...control} /> : <input {...control} type={kind} />;
}

// A native dialog: focus moves in, stays, and comes back; Escape and the backdrop close it.
export function Modal({ open, onDismiss, children, ...rest }) {
  const dialog = useRef(null);
  useEffect(() => {
    if (open && !dialog.current.open) dialog.current.showModal();
    if (!open && dialog.current.open) dialog.current.close();
  }, [open]);
  const latest = useRef();
  latest.current = { open, onDismiss };
  // A dialog that is left by the back button is not open on the next visit.
  useEffect(() => () => latest.current.open && latest.current.onDismiss?.(), []);
  return (
    <dialog
      {...rest}
      ref={dialog}
      onCancel={(event) => {
        event.preventDefault();
        onDismiss?.();
      }}
      onClick={(event) => event.target === dialog.current && onDismiss?.()}
    >
      {open ? children : null}
    </dialog>
  );
}

// A link within the page: the focus moves there, not the view alone, and the address stays as it is.
export function SkipLink({ target, children, ...rest }) {
  const skip = (event) => {
    event.preventDefault();
    document.getElementById(target).focus();
  };
  return (
    <a {...rest} href={`#${target}`} onClick={skip}>
      {children}
    </a>
  );
}

// A panel in an overlay that takes the focus, keeps it from what lies behind, and gives it back.
export function TakeFocus({ target }) {
  useEffect(() => {
    const before = document.activeElement;
    const panel = document.getElementById(target);
    const overlay = panel.parentElement;
    const behind = [...overlay.parentElement.children].filter((each) => each !== overlay && !each.hasAttribute("inert"));
    // Browsers before 2023 don't know inert: there the focus is brought back.
    const bringBack = ({ target }) => overlay.contains(target) || panel.focus({ preventScroll: true });
    panel.focus({ preventScroll: true });
    behind.forEach((each) => each.toggleAttribute("inert", true));
    document.addEventListener("focusin", bringBack);
    return () => {
      document.removeEventListener("focusin", bringBack);
      behind.forEach((each) => each.toggleAttribute("inert", false));
      before?.focus?.({ preventScroll: true });
    };
  }, [target]);
  return null;
}

// Says once that the page answers to taps: those of before are done then (components/browser/page.py).
// What loads when the server is reached would undo what a form was told before that.
export function Awake({ hydrated }) {
  useEffect(() => void (window.isHydrated = hydrated), [hydrated]);
  useEffect(() => void dispatchEvent(new Event("awake")), []);
  return null;
}

const LONGEST_ANSWER_MS = 10_000;

// A button that asks the server is busy from the press until the answer is there; where that leads
// to another page, until the page is there.
export function BusyButtons() {
  useEffect(() => {
    let busy;
    let timer;
    const free = () => {
      clearTimeout(timer);
      busy?.removeAttribute("aria-busy");
      busy = undefined;
    };
    const press = ({ target }) => {
      const button = target.closest?.("button.asks:enabled");
      if (!button) return;
      free();
      busy = button;
      busy.setAttribute("aria-busy", "true");
      timer = setTimeout(free, LONGEST_ANSWER_MS);
    };
    const hear = ({ detail }) => detail.leaves || free();
    addEventListener("click", press);
    addEventListener("answered", hear);
    return () => {
      free();
      removeEventListener("click", press);
      removeEventListener("answered", hear);
    };
  }, []);
  return null;
}

// Shows an element that has just come, or grown, where it would be outside the view.
export function InSight({ target }) {
  useEffect(() => {
    document.getElementById(target)?.scrollIntoView({ block: "nearest" });
  }, [target]);
  return null;
}

// Goes elsewhere if, a while after it appeared, the page does not hold what it should.
export function LeaveUnlessMounted({ target, ms, to }) {
  const navigate = useNavigate();
  useEffect(() => {
    const timer = setTimeout(() => document.getElementById(target) || navigate(to), ms);
    return () => clearTimeout(timer);
  }, [target, ms, to]);
  return null;
}

const SETTLING_MS = 5_000;
let lastPath = null;

// Keeps the focus on a screen's heading while the screen settles, until somebody moves it.
export function focusHeading() {
  let held = null;
  const hold = () => {
    const isFree = document.activeElement === document.body || document.activeElement === held;
    const heading = document.querySelector("main h1") ?? document.getElementById("main");
    if (!heading || heading === held || (held && !isFree)) return;
    heading.setAttribute("tabindex", "-1");
    heading.focus({ preventScroll: true });
    held = heading;
  };
  hold();
  const observer = new MutationObserver(hold);
  observer.observe(document.body, { childList: true, subtree: true });
  setTimeout(() => observer.disconnect(), SETTLING_MS);
  return () => observer.disconnect();
}

// After a navigation inside the app, focus goes to the new screen's heading, which is thereby
// announced, and the page begins at its top; the back button finds it as it was left.
export function FocusOnNavigation() {
  const { pathname } = useLocation();
  const way = useNavigationType();
  useEffect(() => {
    const isNew = lastPath !== null && lastPath !== pathname;
    lastPath = pathname;
    if (!isNew) return undefined;
    if (way !== "POP") window.scrollTo(0, 0);
    return focusHeading();
  }, [pathname]);
  return null;
}

// Is on the page only while it is printed, so that nothing there is read or found twice.
export function OnPaper({ children }) {
  const [isPrinting, setPrinting] = useState(false);
  useEffect(() => {
    const paper = matchMedia("print");
    // The printer takes the page as it is when the handler returns.
    const show = (is) => flushSync(() => setPrinting(is));
    const begin = () => show(true);
    const end = () => show(false);
    const follow = () => show(paper.matches);
    addEventListener("beforeprint", begin);
    addEventListener("afterprint", end);
    paper.addEventListener("change", follow);
    return () => {
      removeEventListener("beforeprint", begin);
      removeEventListener("afterprint", end);
      paper.removeEventListener("change", follow);
    };
  }, []);
  return isPrinting ? children : null;
}

// Registers the service worker once the page has loaded; without one everything works as well.
export function RegisterWorker({ path }) {
  useEffect(() => {
    if (!("serviceWorker" in navigator)) return undefined;
    const register = () => navigator.serviceWorker.register(path).catch(() => {});
    if (document.readyState === "complete") register();
    else addEventListener("load", register, { once: true });
    return () => removeEventListener("load", register);
  }, [path]);
  return null;
}

// The language that this browser has chosen, in a cookie: the server draws no page anew for it, it
// sends another one.
const YEAR_S = 31_536_000;
const ASKED = "languageAsked";

// Keeps the choice, lets the worker keep the words for no network in it, and gets this page in it.
export function chooseLanguage(cookie, code) {
  const secure = location.protocol === "https:" ? "; secure" : "";
  document.cookie = `${cookie}=${code}; path=/; max-age=${YEAR_S}; samesite=lax${secure}`;
  navigator.serviceWorker?.controller?.postMessage("language");
  location.reload();
}

function chosen(cookie) {
  const pairs = document.cookie.split("; ").map((pair) => pair.split("="));
  return pairs.find(([name]) => name === cookie)?.[1];
}

// A page that a browser had kept, or another tab shows, may be in the language of before: it is
// got anew, once for each language that is wanted, since a server may know it no more.
export function LanguageWatch({ cookie, usual }) {
  useEffect(() => {
    const look = () => {
      if (document.hidden) return;
      const wanted = chosen(cookie) ?? usual;
      const [shown] = document.documentElement.lang.split("-");
      if (wanted === shown) sessionStorage.removeItem(ASKED);
      else if (sessionStorage.getItem(ASKED) !== wanted) {
        sessionStorage.setItem(ASKED, wanted);
        // Where nothing can be kept, nothing would end this.
        if (sessionStorage.getItem(ASKED) === wanted && !sessionStorage.forgetsAll) location.reload();
      }
    };
    look();
    addEventListener("pageshow", look);
    document.addEventListener("visibilitychange", look);
    return () => {
      removeEventListener("pageshow", look);
      document.removeEventListener("visibilitychange", look);
    };
  }, [cookie, usual]);
  return null;
}
