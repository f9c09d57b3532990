"""The component that loads the open menu again when the shown one is outdated."""

import reflex as rx
from reflex.event import no_args_event_spec


class RefreshMenu(rx.Component):
    """Loads the open menu again in two cases, and triggers `on_change` if it differs.

    Either the server has published another revision of it, or the server's `subtotal` is not the
    sum of the shown prices. A copy from the service worker is replaced too, without `on_change`.
    """

    library = rx.asset("js/campus_app/ordering/refresh_menu.jsx").importable_path
    tag = "RefreshMenu"
    hydrated: rx.Var[bool]
    subtotal: rx.Var[float]
    """In rupees; 0 for a cart of another restaurant. It is ignored until the page is hydrated."""
    on_change: rx.EventHandler[no_args_event_spec]
