"""Kitchen devices, and presses on kitchen boards, for tests."""

import uuid

from campus_app.kitchen.rules.kitchen import KitchenDevice
from campus_app.kitchen.services.kitchen_devices import Enrolment
from campus_app.operators.wiring import Services
from campus_app.ordering.rules.cooking import CookingState
from campus_app.shared.rules.audit import Actor

OPERATOR = Actor("asha")


async def enrol(services: Services, restaurant_id: int = 1) -> Enrolment:
    """Create a kitchen link and enrol a device with it."""
    link = await services.kitchen_devices.create_link(restaurant_id, OPERATOR)
    enrolment = await services.kitchen_devices.enrol(link.token)
    assert enrolment is not None
    return enrolment


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
