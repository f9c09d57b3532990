"""An order in the browser's storage, from its payment to its confirmation, and its number."""

import reflex as rx
from reflex.event import passthrough_event_spec

_STORAGE = rx.asset("js/campus_app/ordering/order_storage.jsx").importable_path


class StoreOrder(rx.Component):
    """Stores the text `content` of the order `number`; then `on_stored` sends the number."""

    library = _STORAGE
    tag = "StoreOrder"
    number: rx.Var[str]
    content: rx.Var[str]
    on_stored: rx.EventHandler[passthrough_event_spec(str)]


class TakeStoredOrder(rx.Component):
    """Removes the stored order `number`, or any other, after `ms`; `on_taken` sends its text."""

    library = _STORAGE
    tag = "TakeStoredOrder"
    number: rx.Var[str]
    ms: rx.Var[int]
    on_taken: rx.EventHandler[passthrough_event_spec(str)]


class OrderNumber(rx.Component):
    """The number of this tab's order, from its address or storage; `words` if neither has it."""

    library = rx.asset("js/campus_app/ordering/order_number.jsx").importable_path
    tag = "OrderNumber"
    words: rx.Var[str]
