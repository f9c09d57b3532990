"""The push messages of the browser."""

import reflex as rx
from reflex.event import passthrough_event_spec


class ReadyPush(rx.Component):
    """A list item with the button that subscribes this browser to the message of a ready order.

    Nothing is rendered where the browser has no push messages, except on an iPhone, whose hint
    names the home screen, and nothing once the server has answered `on_check` with `is_offered`
    false. Until that answer the item has its height, but is hidden.

    `answers` must grow with each answer to an event: the button waits for it, for at most 15 s.
    `on_subscribe` sends the browser's subscription as JSON, the other events send its endpoint.
    """

    library = rx.asset("js/campus_app/kitchen/ready_push.jsx").importable_path
    tag = "ReadyPush"
    public_key: rx.Var[str]
    is_offered: rx.Var[bool]
    is_subscribed: rx.Var[bool]
    has_failed: rx.Var[bool]
    answers: rx.Var[int]
    words: rx.Var[dict[str, str]]
    on_check: rx.EventHandler[passthrough_event_spec(str)]
    on_subscribe: rx.EventHandler[passthrough_event_spec(str)]
    on_unsubscribe: rx.EventHandler[passthrough_event_spec(str)]
