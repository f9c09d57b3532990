"""Counts how far page sessions come, out of the events that they send anyway."""

from collections.abc import Collection
from typing import Any, Final

import reflex as rx

from campus_app.operators import wiring
from campus_app.operators.rules.figures import VisitStep
from campus_app.ordering.screens.cart_state import CartState
from campus_app.shared.rules import routes
from kit.reflex.events import token_of
from kit.reflex.page_load import opens_page

_STEPS: Final = {
    routes.MENU: [VisitStep.VISIT, VisitStep.MENU],
    routes.CHECKOUT: [VisitStep.VISIT, VisitStep.CART, VisitStep.SUMMARY],
    routes.ORDER_CONFIRMATION: [VisitStep.PAID],
}
"""The steps that a screen stands for."""
_ADD_DISH: Final = f"{CartState.get_full_name()}.add_dish"


class VisitEvents(rx.Middleware):
    """Notes the steps that an event stands for; it changes and refuses none."""

    def __init__(self, ordering_routes: Collection[str]) -> None:
        """`ordering_routes` are the routes of the screens that are a visit."""
        self._steps = {
            route.strip("/"): _STEPS.get(route, [VisitStep.VISIT]) for route in ordering_routes
        }

    # Reflex calls plain functions as well as coroutines; the base class declares a coroutine.
    def preprocess(  # pyright: ignore[reportIncompatibleMethodOverride]
        self, app: rx.App, state: Any, event: Any
    ) -> None:
        """Note how far the page session has come."""
        if event.name == _ADD_DISH:
            steps = [VisitStep.CART]
        elif opens_page(event.name):
            steps = self._steps.get((app.router(state.router.url.path) or "").strip("/"), [])
        else:
            return
        for step in steps:
            wiring.services().visits.note(token_of(state), step)
