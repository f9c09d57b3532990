"""The polling of a payment."""

from typing import Any

import reflex as rx
from reflex.event import no_args_event_spec


class PaymentPolling(rx.Component):
    """Triggers `on_poll` every `ms` milliseconds, 0 for never, and shows the text `message`.

    While it `waits` for the result, and is disconnected or `answers` has not changed for 15 s, it
    counts an attempt every `retry_ms`, and shows its number in `retrying`. After `tries` attempts
    it shows `failed`, and opens `leave["path"]` after `leave["ms"]`.
    """

    library = rx.asset("js/campus_app/ordering/polling.jsx").importable_path
    tag = "PaymentPolling"
    ms: rx.Var[int]
    retry_ms: rx.Var[int]
    tries: rx.Var[int]
    message: rx.Var[str]
    retrying: rx.Var[str]
    failed: rx.Var[str]
    waits: rx.Var[bool]
    answers: rx.Var[int]
    leave: rx.Var[dict[str, Any]]
    on_poll: rx.EventHandler[no_args_event_spec]
