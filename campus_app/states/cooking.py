"""How far the kitchens are with the orders that a customer's page shows."""

from collections.abc import Iterable

import reflex as rx

from campus_app import wiring
from campus_app.domain.order import Order, OrderState
from campus_app.services.kitchen_boards import FollowedOrders


class CookingProgressState(rx.State):
    """The states of cooking of the shown orders; pushes update them between events."""

    states: dict[str, str] = {}
    """By the order's response token; only confirmed orders have one."""


async def follow_cooking(state: rx.State, orders: Iterable[Order]) -> None:
    """Show how far the kitchens are with these orders, now and with every change.

    Source: specification 10.27.
    """
    tokens = {
        order.id: order.response_token for order in orders if order.state is OrderState.CONFIRMED
    }
    boards = wiring.services().kitchen_boards
    cooking = await boards.cooking_of(tokens)
    states = {tokens[id_]: each.state.value for id_, each in cooking.items()}
    progress = await state.get_state(CookingProgressState)
    if progress.states != states:
        progress.states = states
    boards.followers.open(state.router.session.session_id, FollowedOrders(tokens, states))
