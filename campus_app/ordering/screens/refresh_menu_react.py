"""What keeps the open menu current."""

import reflex as rx
from reflex.event import no_args_event_spec


class RefreshMenu(rx.Component):
    """Replaces the open menu when it has changed, and one of the service worker when `hydrated`."""

    library = rx.asset("js/campus_app/ordering/refresh_menu.jsx").importable_path
    tag = "RefreshMenu"
    hydrated: rx.Var[bool]
    subtotal: rx.Var[float]
    """What the dishes of the cart cost, as the server says."""
    on_change: rx.EventHandler[no_args_event_spec]
