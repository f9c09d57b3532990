"""Leaving, keeping, focus: what a page does with its browser."""

from pathlib import Path
from typing import Any

import reflex as rx
from reflex.event import input_event, no_args_event_spec, passthrough_event_spec

from campus_app.components.browser.binding import action, of_module
from campus_app.translations import COOKIE

_SCRIPTS = Path(__file__).parents[3] / "assets" / "js"
_LIBRARY = rx.asset("js/browser.jsx").importable_path

_KEEP_WHAT_CAN_BE_KEPT = """
const keep = Storage.prototype.setItem;
Storage.prototype.setItem = function (key, value) {
  try {
    keep.call(this, key, value);
  } catch {}
};
for (const name of ["localStorage", "sessionStorage"]) {
  try {
    window[name];
  } catch {
    const kept = new Map();
    const value = {
      getItem: (key) => kept.get(String(key)) ?? null,
      setItem: (key, value) => void kept.set(String(key), String(value)),
      removeItem: (key) => void kept.delete(String(key)),
      clear: () => kept.clear(),
      key: (index) => [...kept.keys()][index] ?? null,
      get length() { return kept.size; },
      forgetsAll: true,
    };
    Object.defineProperty(window, name, { value });
  }
}
"""

# Firefox has pipeThrough and TransformStream since 102, TextEncoderStream since 113.
_STREAMS = """
if (!window.TransformStream) {
  window.TransformStream = function ({ transform, flush }) {
    let out;
    this.readable = new ReadableStream({ start: (controller) => void (out = controller) });
    this.writable = new WritableStream({
      write: (chunk) => transform(chunk, out),
      close: () => {
        if (flush) flush(out);
        out.close();
      },
      abort: (reason) => out.error(reason),
    });
  };
}
if (!ReadableStream.prototype.pipeThrough) {
  ReadableStream.prototype.pipeThrough = function ({ readable, writable }) {
    this.pipeTo(writable).catch(() => {});
    return readable;
  };
}
if (!window.TextEncoderStream) {
  window.TextEncoderStream = function () {
    const encoder = new TextEncoder();
    return new TransformStream({ transform: (text, out) => out.enqueue(encoder.encode(text)) });
  };
}
"""

_KEEP_TAPS = (_SCRIPTS / "taps.js").read_text(encoding="utf-8")


def kept_taps() -> rx.Component:
    """Keeps taps, and what is typed, from the first paint on until the page's scripts are there.

    `Awake` says when they are. A control that a script serves would do nothing until then, and its
    form would be sent as it stands.
    """
    return rx.el.script(_KEEP_TAPS)


def stream_shims() -> rx.Component:
    """Brings along the streams that React Router's pages need, where a browser lacks them."""
    return rx.el.script(_STREAMS)


def forgiving_storage() -> rx.Component:
    """Lets browsers whose storage is full or forbidden forget things, where Reflex would break.

    Who must know whether something was kept reads it back.
    """
    return rx.el.script(_KEEP_WHAT_CAN_BE_KEPT)


def bar_colour(colour: str, scheme: str) -> rx.Component:
    """Gives the browser's own bar the colour of the page, in one of its schemes."""
    return rx.el.meta(
        name="theme-color",
        content=colour,
        # As a prop of its own it would become a style.
        custom_attrs={"media": f"(prefers-color-scheme: {scheme})"},
    )


class Leave(rx.Component):
    """Goes to an address outside the app's pages as soon as there is one."""

    library = _LIBRARY
    tag = "Leave"
    url: rx.Var[str]


class KeepOrder(rx.Component):
    """Keeps an order in the browser, forgets what was typed for it, then says so.

    The framework's own way to remove something there hydrates the page anew, and lets it load
    again what it is about to leave.
    """

    library = _LIBRARY
    tag = "KeepOrder"
    number: rx.Var[str]
    content: rx.Var[str]
    forgets: rx.Var[str]
    """The name of the `KeptField` whose content was this order's."""
    on_kept: rx.EventHandler[passthrough_event_spec(str)]


class TakeOrder(rx.Component):
    """After a while reads and deletes the order that the browser keeps, and hands it over."""

    library = _LIBRARY
    tag = "TakeOrder"
    number: rx.Var[str]
    ms: rx.Var[int]
    on_taken: rx.EventHandler[passthrough_event_spec(str)]


class KeptField(rx.Component):
    """A text box that a value from the server never overwrites while somebody types.

    The tab keeps what is typed from the first key on, under `typed_` and the name: a reload shows
    it again, and tells it to the handler of `on_blur` where the server had not heard of it.
    """

    library = _LIBRARY
    tag = "KeptField"
    kind: rx.Var[str]
    name: rx.Var[str]
    value: rx.Var[str]
    auto_complete: rx.Var[str]
    max_length: rx.Var[int]
    on_change: rx.EventHandler[input_event]
    on_blur: rx.EventHandler[input_event]


class Modal(rx.Component):
    """A native dialog that is open or not."""

    library = _LIBRARY
    tag = "Modal"
    open: rx.Var[bool]
    on_dismiss: rx.EventHandler[no_args_event_spec]


class SkipLink(rx.Component):
    """A link to an element of this page that takes the focus along."""

    library = _LIBRARY
    tag = "SkipLink"
    target: rx.Var[str]


class TakeFocus(rx.Component):
    """Moves the focus to a panel, and keeps it in its overlay while that is there."""

    library = _LIBRARY
    tag = "TakeFocus"
    target: rx.Var[str]


class BusyButtons(rx.Component):
    """Lets buttons of the class `asks` be busy from the press until the server has answered."""

    library = _LIBRARY
    tag = "BusyButtons"


class InSight(rx.Component):
    """Scrolls as little as it takes to show an element, once, where it was outside the view."""

    library = _LIBRARY
    tag = "InSight"
    target: rx.Var[str]


class LeaveUnlessMounted(rx.Component):
    """Goes elsewhere if an element is not there after a while."""

    library = _LIBRARY
    tag = "LeaveUnlessMounted"
    target: rx.Var[str]
    ms: rx.Var[int]
    to: rx.Var[str]


class Awake(rx.Component):
    """Says once that what is on the page answers to taps."""

    library = _LIBRARY
    tag = "Awake"
    hydrated: rx.Var[bool]


class FocusOnNavigation(rx.Component):
    """Moves the focus to the heading of the screen that was navigated to."""

    library = _LIBRARY
    tag = "FocusOnNavigation"


class OnPaper(rx.Component):
    """What is on the page only while it is printed."""

    library = _LIBRARY
    tag = "OnPaper"


class RegisterWorker(rx.Component):
    """Registers a service worker once the page has loaded."""

    library = _LIBRARY
    tag = "RegisterWorker"
    path: rx.Var[str]


def choose_language(code: str) -> Any:
    """Choose a language, and get this page in it."""
    return action(f'chooseLanguage("{COOKIE}", "{code}")', of_module(_LIBRARY, "chooseLanguage"))


class LanguageWatch(rx.Component):
    """Gets a page anew that was kept, or left open, from before another language was chosen."""

    library = _LIBRARY
    tag = "LanguageWatch"
    cookie: rx.Var[str]
    usual: rx.Var[str]
    """The language of who has chosen none."""
