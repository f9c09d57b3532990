"""Scripts and properties of every page's head, which act before Reflex's scripts are loaded."""

from pathlib import Path

import reflex as rx

_JS = Path(__file__).parents[3] / "assets" / "js" / "kit"

# Firefox has pipeThrough and TransformStream since 102, TextEncoderStream since 113.
_STREAM_POLYFILLS = """
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

_EVENT_REPLAY = (_JS / "event_replay.js").read_text(encoding="utf-8")


def event_replay() -> rx.Component:
    """Record clicks and input from the first paint on, and replay them once `PageReady` says so.

    Without it a button would do nothing until React handles events, and a form would be submitted
    by the browser itself.
    """
    return rx.el.script(_EVENT_REPLAY)


def stream_polyfills() -> rx.Component:
    """Define the streams that React Router's pages need, in browsers that lack them."""
    return rx.el.script(_STREAM_POLYFILLS)


def theme_color(colour: str, scheme: str) -> rx.Component:
    """Give the browser's own bar a colour, in the colour scheme `light` or `dark`."""
    return rx.el.meta(
        name="theme-color",
        content=colour,
        # As a prop of its own it would become a style.
        custom_attrs={"media": f"(prefers-color-scheme: {scheme})"},
    )
