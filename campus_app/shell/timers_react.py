"""Timers and countdowns in the browser."""

from typing import Any

import reflex as rx
from reflex.event import no_args_event_spec

_LIBRARY = rx.asset("js/campus_app/shell/timers.jsx").importable_path


class WaitingCountdown(rx.Component):
    """The waiting room's countdown, with a bar for each 5 s; `seconds` is None until known."""

    library = _LIBRARY
    tag = "WaitingCountdown"
    seconds: rx.Var[int | None]
    left: rx.Var[str]
    """The sentence for screen readers, with a placeholder `{seconds}`."""
    on_finish: rx.EventHandler[no_args_event_spec]


class CountdownText(rx.Component):
    """A sentence `words` whose placeholder `{seconds}` counts down."""

    library = _LIBRARY
    tag = "CountdownText"
    seconds: rx.Var[int]
    words: rx.Var[str]
    on_finish: rx.EventHandler[no_args_event_spec]


class Timeout(rx.Component):
    """Triggers `on_done` once, `ms` milliseconds after it was mounted."""

    library = _LIBRARY
    tag = "Timeout"
    ms: rx.Var[int]
    on_done: rx.EventHandler[no_args_event_spec]


class Interval(rx.Component):
    """Triggers `on_tick` every `ms` milliseconds while the server is reachable."""

    library = _LIBRARY
    tag = "Interval"
    ms: rx.Var[int]
    on_tick: rx.EventHandler[no_args_event_spec]


def after(ms: Any, on_done: Any) -> rx.Component:
    """Render a timer that triggers an event `ms` milliseconds after `ms` was set; none if 0."""
    return rx.cond(ms > 0, Timeout.create(ms=ms, on_done=on_done))
