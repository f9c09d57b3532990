"""The push messages of the browser."""

import reflex as rx
from reflex.event import passthrough_event_spec


class ReadyPush(rx.Component):
    """A list item with the button that subscribes this browser to the message of a ready order.

    It is not shown where the browser has no push messages, or before `public_key` is known.
    """

    library = rx.asset("js/campus_app/ready_push.jsx").importable_path
    tag = "ReadyPush"
    public_key: rx.Var[str]
    is_subscribed: rx.Var[bool]
    has_failed: rx.Var[bool]
    words: rx.Var[dict[str, str]]
    on_check: rx.EventHandler[passthrough_event_spec(str)]
    on_subscribe: rx.EventHandler[passthrough_event_spec(str)]
    on_unsubscribe: rx.EventHandler[passthrough_event_spec(str)]
