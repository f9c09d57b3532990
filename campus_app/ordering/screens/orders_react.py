"""An order in the browser's storage, from its payment to its confirmation."""

import reflex as rx
from reflex.event import passthrough_event_spec

_STORAGE = rx.asset("js/campus_app/ordering/order_storage.jsx").importable_path


class StoreOrder(rx.Component):
    """Stores an order in the browser."""

    library = _STORAGE
    tag = "StoreOrder"
    number: rx.Var[str]
    content: rx.Var[str]
    on_stored: rx.EventHandler[passthrough_event_spec(str)]


class TakeStoredOrder(rx.Component):
    """Removes the stored order after `ms` milliseconds, and passes it to `on_taken`."""

    library = _STORAGE
    tag = "TakeStoredOrder"
    number: rx.Var[str]
    ms: rx.Var[int]
    on_taken: rx.EventHandler[passthrough_event_spec(str)]


class OrderNumber(rx.Component):
    """The number of this tab's order, from the browser's data; `words` if it is unknown."""

    library = rx.asset("js/campus_app/ordering/order_number.jsx").importable_path
    tag = "OrderNumber"
    words: rx.Var[str]
