"""Links and devices of kitchens and of the desk, made on the database of a running installation."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import TypeVar

import httpx

from campus_app import wiring
from campus_app.catalogue.rules.menu_version import MenuSource
from campus_app.kitchen.rules.kitchen import DEVICE_COOKIE
from campus_app.operators.rules.desk import DeskRole
from campus_app.operators.wiring import Services
from campus_app.ordering.rules.offer_list import offer_json
from campus_app.ordering.rules.offers import OFFERS
from campus_app.shared.rules.audit import Actor
from kit.http.client import ssl_context
from tests.helpers.clock import ManualClock
from tests.helpers.product import Product
from tests.helpers.settings import settings_for

Result = TypeVar("Result")

OPERATOR = Actor("the operator of the tests")


def create_link(product: Product, restaurant_id: int) -> str:
    """Create a kitchen link; return its path."""
    link = _run(
        product,
        lambda services: services.kitchen_devices.create_link(restaurant_id, OPERATOR),
    )
    return f"/kitchen/{link.token}"


def create_desk_link(product: Product, role: DeskRole, name: str = "Asha") -> str:
    """Create a link to the desk; return its path."""
    link = _run(product, lambda services: services.desk_devices.create_link(role, name, OPERATOR))
    return f"/desk/{link.token}"


def desk_device_ids(product: Product) -> list[str]:
    """Return the ids of the desk's devices, in the order of their enrolment."""
    return [each.id for each in _run(product, lambda services: services.desk_devices.devices())]


def revoke_desk(product: Product, device_id: str) -> None:
    """Revoke a device of the desk, as the operator's command line does."""
    _run(product, lambda services: services.desk_devices.revoke(device_id, OPERATOR))


def sell_file(product: Product, restaurant_id: int) -> None:
    """Sell the menu of the file again, whatever was published at the desk."""

    async def switch(services: Services) -> None:
        await services.menu_versions.set_source(restaurant_id, MenuSource.FILE, OPERATOR)

    _run(product, switch)


def hold_own_offers(product: Product) -> None:
    """Let the product's own offers hold again, whatever was published at the desk."""

    async def publish(services: Services) -> None:
        await services.offers.load()
        own = [offer_json(each) for each in OFFERS]
        if services.offers.offers != OFFERS:
            await services.offers.publish(own, services.offers.number, note="", by=OPERATOR)

    _run(product, publish)


def set_usual_day(product: Product, restaurant_id: int) -> None:
    """Let a kitchen have its usual hours and seats today."""

    async def take_back(services: Services) -> None:
        await services.restaurant_days.set_usual_hours(restaurant_id, OPERATOR)
        await services.restaurant_days.set_seats(restaurant_id, None, OPERATOR)

    _run(product, take_back)


def enrol(product: Product, restaurant_id: int) -> str:
    """Enrol a device over HTTP; return the token of its cookie."""
    path = create_link(product, restaurant_id)
    answer = httpx.post(product.url + path, timeout=30, verify=ssl_context())
    assert answer.status_code == 303, answer.text
    return answer.cookies[DEVICE_COOKIE]


def device_ids(product: Product, restaurant_id: int) -> list[str]:
    """Return the ids of a kitchen's devices, in the order of their enrolment."""
    found = _run(product, lambda services: services.kitchen_devices.devices(restaurant_id))
    return [each.id for each in sorted(found, key=lambda each: each.enrolled_at)]


def revoke(product: Product, device_id: str) -> None:
    """Revoke a device, as the operator's command line does."""
    _run(product, lambda services: services.kitchen_devices.revoke(device_id, OPERATOR))


def _run(product: Product, work: Callable[[Services], Awaitable[Result]]) -> Result:
    """Run work with services on a product's database.

    In a thread: the browser tests have an event loop in the main thread.
    """

    async def run() -> Result:
        with _services(product) as services:
            try:
                return await work(services)
            finally:
                await services.pubsub.close()

    with ThreadPoolExecutor(1) as thread:
        return thread.submit(lambda: asyncio.run(run())).result()


@contextmanager
def _services(product: Product) -> Iterator[Services]:
    settings = settings_for(
        f"sqlite:///{product.database}", product.outbox.parent, redis_url=product.redis_url
    )
    services = wiring.build(settings, ManualClock(product.now))
    try:
        yield services
    finally:
        services.close()
