"""Builds the services from the settings, room by room, each on those left of it."""

from functools import cache

from campus_app.catalogue import wiring as catalogue
from campus_app.extensions import ORDER_EVENTS
from campus_app.kitchen import wiring as kitchen
from campus_app.notifications import wiring as notifications
from campus_app.notifications.services.order_events import OrderEvents
from campus_app.operators import wiring as operators
from campus_app.operators.wiring import Services
from campus_app.ordering import wiring as ordering
from campus_app.shared import current
from campus_app.shared import wiring as shared
from campus_app.shared.rules.constants import MENU_STILL_SECONDS
from campus_app.shared.settings import Settings, settings
from kit.clock import Clock

_MENU_CHECK_SECONDS = 0.02


def build(
    config: Settings,
    clock: Clock | None = None,
    *,
    menu_check_seconds: float = 0.0,
    menu_still_seconds: float = 0.0,
    order_events: OrderEvents = ORDER_EVENTS,
) -> Services:
    """Build the services for these settings, with the registered reactions to orders' events."""
    topics = order_events.topics()
    base = shared.build(config, clock)
    menus = catalogue.build(
        base, menu_check_seconds=menu_check_seconds, menu_still_seconds=menu_still_seconds
    )
    orders = ordering.build(menus, topics)
    messages = notifications.build(orders, order_events)
    kitchens = kitchen.build(messages, topics)
    return operators.build(kitchens)


@cache
def services() -> Services:
    """Return this process's services, built on first use."""
    return build(
        settings(),
        menu_check_seconds=_MENU_CHECK_SECONDS,
        menu_still_seconds=MENU_STILL_SECONDS,
    )


current.provide(services)
