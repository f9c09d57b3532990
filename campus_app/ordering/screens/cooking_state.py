"""How far the kitchens are with the orders that a customer's page shows."""

from collections.abc import Iterable

import reflex as rx

from campus_app.ordering import wiring
from campus_app.ordering.rules.cooking import LONGEST_ON_BOARD
from campus_app.ordering.rules.order import Order, OrderState
from campus_app.ordering.services.order_progress import FollowedOrders


class CookingProgressState(rx.State):
    """The states of cooking of the shown orders; pushes update them between events."""

    states: dict[str, str] = {}
    """By the response token: of confirmed orders of the last day, and of those with a press.

    A state of cooking, or `CHOOSE` or `CANCELLED` if the kitchen can't cook it.
    """


async def follow_cooking(state: rx.State, orders: Iterable[Order]) -> None:
    """Show how far the kitchens are with these orders, now and with every change.

    Source: specification 10.27.
    """
    services = wiring.services()
    confirmed = {order.id: order for order in orders if order.state is OrderState.CONFIRMED}
    cooking = await services.order_progress.cooking_of(confirmed)
    now = services.clock.now()
    oldest = now - LONGEST_ON_BOARD
    tokens = {
        id_: order.response_token
        for id_, order in confirmed.items()
        # Nothing will ever be pressed on an older one.
        if cooking[id_].changed_at is not None or order.created_at > oldest
    }
    shown = await services.order_progress.states_of(tokens, now, cooking)
    states = {token: shown[id_] for id_, token in tokens.items()}
    progress = await state.get_state(CookingProgressState)
    if progress.states != states:
        progress.states = states
    services.order_progress.followers.open(
        state.router.session.session_id, FollowedOrders(tokens, states)
    )
