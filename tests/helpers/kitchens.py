"""Kitchen devices, and presses on kitchen boards, for tests."""

import uuid

from campus_app.kitchen.rules.kitchen import KitchenDevice
from campus_app.operators.wiring import Services
from campus_app.ordering.rules.cooking import CookingState
from campus_app.ordering.rules.stored_order import StoredOrder
from campus_app.shared.rules.audit import Actor
from campus_app.shared.rules.constants import KITCHEN_DEVICE_DAYS
from campus_app.shared.services.devices import Enrolment
from tests.helpers.builders import order_request
from tests.helpers.clock import ManualClock
from tests.helpers.flows import pay

OPERATOR = Actor("asha")


async def enrol(services: Services, restaurant_id: int = 1) -> Enrolment:
    """Create a kitchen link and enrol a device with it."""
    link = await services.kitchen_devices.create_link(restaurant_id, OPERATOR)
    enrolment = await services.kitchen_devices.enrol(link.token)
    assert enrolment is not None
    return enrolment


WITHOUT_BOARD = ("no device", "enrolled later", "another kitchen", "revoked", "unused for 90 days")
"""Why a kitchen uses no board for an order."""


async def pay_without_board(services: Services, clock: ManualClock, reason: str) -> StoredOrder:
    """Pay an order of restaurant 1, for which its kitchen uses no board for this reason."""
    if reason == "another kitchen":
        await enrol(services, 2)
    if reason == "revoked":
        await services.kitchen_devices.revoke((await enrol(services)).device.id, OPERATOR)
    if reason == "unused for 90 days":
        await enrol(services)
        clock.advance(days=KITCHEN_DEVICE_DAYS)
    stored = await pay(services, await services.ordering.prepare(order_request()))
    clock.advance(seconds=1)
    if reason == "enrolled later":
        await enrol(services)
    return stored


async def press_on_board(
    services: Services,
    device: KitchenDevice,
    order_id: str,
    target: CookingState,
    saw: CookingState = CookingState.SENT,
    press_id: str = "",
) -> bool:
    """Press a button on the board of a device; each press has an id of its own by default."""
    press_id = press_id or uuid.uuid4().hex
    return await services.kitchen_boards.press(device, press_id, order_id, saw=saw, target=target)
