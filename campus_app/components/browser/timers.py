"""Time that passes in the browser."""

from typing import Any

import reflex as rx
from reflex.event import no_args_event_spec

_LIBRARY = rx.asset("js/timers.jsx").importable_path


class WaitingClock(rx.Component):
    """Minutes, seconds and a fuse; below zero it waits to be told how many."""

    library = _LIBRARY
    tag = "WaitingClock"
    seconds: rx.Var[int]
    left: rx.Var[str]
    """What is announced now and then, with `{seconds}` in its place."""
    on_finish: rx.EventHandler[no_args_event_spec]


class CountdownText(rx.Component):
    """A sentence whose `{seconds}` count down while it is running."""

    library = _LIBRARY
    tag = "CountdownText"
    seconds: rx.Var[int]
    words: rx.Var[str]
    running: rx.Var[bool]
    on_finish: rx.EventHandler[no_args_event_spec]


class After(rx.Component):
    """Something that happens once, a while after it appeared."""

    library = _LIBRARY
    tag = "After"
    ms: rx.Var[int]
    on_done: rx.EventHandler[no_args_event_spec]


class Ticker(rx.Component):
    """Something that happens again and again while it is on the page and the server in reach."""

    library = _LIBRARY
    tag = "Ticker"
    ms: rx.Var[int]
    on_tick: rx.EventHandler[no_args_event_spec]


class Asking(rx.Component):
    """A question asked every `ms`, 0 for not at all, and what is said meanwhile.

    While it `waits` and the server is out of reach, or gives no answer that changes `answers`,
    each try is counted in `retrying`. After the last it says `failed`, and leaves by itself for
    the path of `leave` after its `ms`.
    """

    library = _LIBRARY
    tag = "Asking"
    ms: rx.Var[int]
    retry_ms: rx.Var[int]
    tries: rx.Var[int]
    message: rx.Var[str]
    retrying: rx.Var[str]
    failed: rx.Var[str]
    waits: rx.Var[bool]
    answers: rx.Var[int]
    leave: rx.Var[dict[str, Any]]
    on_ask: rx.EventHandler[no_args_event_spec]
