"""Lets open pages follow the offers that were published."""

import reflex as rx

from campus_app.ordering.screens.cart_state import CartState
from campus_app.ordering.screens.checkout_state import CheckoutState
from campus_app.ordering.screens.offers_state import OffersState
from kit.reflex.broadcast import broadcast

_TIMERS = (
    (CartState, "offer_ms"),
    (CheckoutState, "offer_ms"),
    (OffersState, "refresh_ms"),
    (OffersState, "titles_ms"),
)
"""The timers of menus, summaries, the offers and the lists of restaurants."""
_SOON_MS = 100


async def follow_offers(app: rx.App, version: int) -> None:
    """Let every open page that shows a price or an offer ask for it again, as when one begins."""
    for state, variable in _TIMERS:
        # A timer runs again only if its time is another one than before.
        await broadcast(app, state, variable, version % _SOON_MS + 1)
