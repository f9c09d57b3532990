"""All kitchens of the hour: two enrolled devices each, their cooks, and dishes that sell out."""

import asyncio
from collections import Counter
from collections.abc import Sequence
from random import Random
from urllib.parse import urlsplit

import httpx

from campus_app.catalogue.csv.catalogue import CsvCatalogue
from campus_app.kitchen.rules.kitchen import DEVICE_COOKIE
from campus_app.kitchen.services.kitchen_devices import KitchenDevices
from campus_app.kitchen.sql.kitchen_devices import SqlKitchenDevices
from campus_app.shared.rules.audit import Actor
from kit.db.database import Database
from tests.helpers.settings import ORIGIN
from tools.simulation.cooks import Cooks, unconfirmed
from tools.simulation.demand import OPEN_AT_NOON, PlannedCustomer
from tools.simulation.kitchen_device import KitchenDevice
from tools.simulation.kitchen_log import DeviceLog
from tools.simulation.lunch_hour import LunchHour
from tools.simulation.plan import SOLD_OUT, Plan, Span
from tools.simulation.site_client import SiteClient
from tools.simulation.stack import Stack

DEVICES_PER_KITCHEN = 2
_CONFIRMATION_SECONDS = 45.0
"""Longer than the lock of a session that an ended process has left."""


class Kitchens:
    """The kitchens of the restaurants that are open at noon."""

    def __init__(self, cooks: dict[int, Cooks]) -> None:
        self._cooks = cooks
        self._devices = [device for each in cooks.values() for device in each.devices]
        self._connections = [asyncio.create_task(device.run()) for device in self._devices]
        self._cuts = [asyncio.create_task(each.cut_lines()) for each in cooks.values()]

    @property
    def logs(self) -> list[DeviceLog]:
        """The logs of all devices."""
        return [device.log for device in self._devices]

    async def sell_out(self, hour: LunchHour, customers: Sequence[PlannedCustomer]) -> None:
        """Mark dishes as sold out, and as available again."""
        async with asyncio.TaskGroup() as tasks:
            for span in SOLD_OUT:
                dish = most_ordered_dish(customers, span)
                if dish is not None:
                    tasks.create_task(self._sell_out(hour, span, dish))

    async def _sell_out(self, hour: LunchHour, span: Span, dish: str) -> None:
        device = self._cooks[int(span.target)].devices[0]
        await hour.until(span.begins)
        await device.set_dish(dish, is_available=False)
        await hour.until(span.ends)
        await device.set_dish(dish, is_available=True)

    async def close(self) -> list[str]:
        """Stop the cooks, and disconnect; return which devices had unconfirmed presses."""
        await _cancel(self._cuts)
        await asyncio.gather(*(each.stop() for each in self._cooks.values()))
        missing = await unconfirmed(self._devices, _CONFIRMATION_SECONDS)
        await _cancel(self._connections)
        for device in self._devices:
            device.abort()
        return missing


async def open_kitchens(stack: Stack, site: SiteClient, plan: Plan) -> Kitchens:
    """Enrol and connect the devices of all kitchens."""
    database = Database(stack.deployment.parts.database_url)
    services = KitchenDevices(
        SqlKitchenDevices(database), stack.clock, _publish_nothing, CsvCatalogue(stack.data)
    )
    try:
        cooks = {id_: await _cooks_of(id_, services, stack, site, plan) for id_ in OPEN_AT_NOON}
    finally:
        database.close()
    return Kitchens(cooks)


def most_ordered_dish(customers: Sequence[PlannedCustomer], span: Span) -> str | None:
    """Return the dish that the most customers of a restaurant plan to order during a time span."""
    orders = Counter(
        dish
        for each in customers
        if str(each.restaurant_id) == span.target and span.begins <= each.minute < span.ends
        for dish in each.dishes
    )
    return max(orders, key=lambda dish: (orders[dish], dish)) if orders else None


async def _cooks_of(
    restaurant_id: int, services: KitchenDevices, stack: Stack, site: SiteClient, plan: Plan
) -> Cooks:
    devices = []
    for number in range(DEVICES_PER_KITCHEN):
        link = await services.create_link(restaurant_id, Actor("simulation"))
        response = await site.request(
            "POST", f"/kitchen/{link.token}", headers={"origin": ORIGIN}, follow_redirects=False
        )
        assert response.status_code == httpx.codes.SEE_OTHER, response.text
        assert urlsplit(response.headers["location"]).path == "/kitchen"
        cookie = response.cookies[DEVICE_COOKIE]
        rng = Random(f"{plan.seed} kitchen {restaurant_id} device {number}")
        log = DeviceLog(restaurant_id)
        devices.append(KitchenDevice(stack.deployment.url, cookie, log, rng))
    return Cooks(devices, Random(f"{plan.seed} kitchen {restaurant_id}"))


async def _cancel(tasks: list[asyncio.Task[None]]) -> None:
    for task in tasks:
        task.cancel()
    for result in await asyncio.gather(*tasks, return_exceptions=True):
        if isinstance(result, Exception):
            raise result


async def _publish_nothing() -> None:
    """The devices connect after their enrolment."""
