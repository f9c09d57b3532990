"""`/kitchen/{token}`: the link that enrols a kitchen's device. Source: specification 10.24."""

from typing import Annotated

from fastapi import APIRouter, Cookie
from fastapi.responses import HTMLResponse, Response

from campus_app.kitchen import wiring
from campus_app.kitchen.rules.kitchen import DEVICE_COOKIE
from campus_app.shared.api.dependencies import NO_STORE
from campus_app.shared.api.device_links import LinkWords, enrolled, link_page, with_cookie
from campus_app.shared.rules import routes
from kit.text import gettext_noop

router = APIRouter(include_in_schema=False)

_WORDS = LinkWords(
    title=gettext_noop("Kitchen board"),
    label=gettext_noop("KITCHEN"),
    consequence=gettext_noop(
        "This device will show the orders of this kitchen. Use a device that stays in the kitchen."
    ),
    used_up=gettext_noop(
        "A kitchen link works once, and for a day. Please ask the operator for a new one."
    ),
    way_on=gettext_noop("To the kitchen board"),
    address=routes.KITCHEN,
)


@router.get("/kitchen/{token}")
async def page(token: str) -> HTMLResponse:
    """Render the question whether to use this device, which a script answers; 410 if it is used.

    Only the POST uses up the link: services that preview links send a GET.
    """
    restaurant = await wiring.services().kitchen_devices.restaurant_of_link(token)
    return link_page(_WORDS, restaurant.name if restaurant else "")


@router.post("/kitchen/{token}")
async def enrol(token: str) -> Response:
    """Enrol the device: set its cookie and redirect to the board; 410 if the link is used."""
    enrolment = await wiring.services().kitchen_devices.enrol(token)
    if enrolment is None:
        return link_page(_WORDS, "")
    settings = wiring.services().settings
    return enrolled(_WORDS, DEVICE_COOKIE, enrolment.token, settings)


@router.post("/api/kitchen/renewal", status_code=204)
async def renew(
    token: Annotated[str, Cookie(alias=DEVICE_COOKIE)] = "",
) -> Response:
    """Set the cookie of an enrolled device again, so that it does not expire while it is used."""
    response = Response(status_code=204, headers=NO_STORE)
    device = await wiring.services().kitchen_devices.device_of(token)
    if device is None:
        return response
    return with_cookie(response, DEVICE_COOKIE, token, wiring.services().settings)
