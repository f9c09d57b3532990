"""Devices of the desk, for tests."""

from campus_app.operators.rules.desk import DESK_COOKIE, DeskDevice, DeskRole
from campus_app.operators.wiring import Services
from campus_app.shared.rules.audit import Actor
from campus_app.shared.services.devices import Enrolment

OWNER = Actor("the owner of the tests")


async def enrol_desk(
    services: Services, role: DeskRole = DeskRole.OWNER, name: str = "Asha"
) -> Enrolment[DeskDevice]:
    """Create a link to the desk and enrol a device with it."""
    link = await services.desk_devices.create_link(role, name, OWNER)
    enrolment = await services.desk_devices.enrol(link.token)
    assert enrolment is not None
    return enrolment


def cookie_of(enrolment: Enrolment[DeskDevice]) -> str:
    """Return the header with the cookie of a device."""
    return f"{DESK_COOKIE}={enrolment.token}"
