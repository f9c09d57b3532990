"""`/kitchen/{token}`: the link that enrols a kitchen's device. Source: specification 10.24."""

from pathlib import Path
from typing import Annotated

from fastapi import APIRouter, Cookie
from fastapi.responses import HTMLResponse, Response

from campus_app.kitchen import wiring
from campus_app.kitchen.rules.kitchen import DEVICE_COOKIE
from campus_app.shared.api.dependencies import NO_STORE
from campus_app.shared.api.device_links import GONE, PAGE_HEADERS, enrolled, with_cookie
from campus_app.shared.rules import routes
from campus_app.shared.translations import IN_TEMPLATES
from kit.templates import page_templates

router = APIRouter(include_in_schema=False)

_TEMPLATES = page_templates(Path(__file__).parents[1] / "templates" / "kitchen", IN_TEMPLATES)


@router.get("/kitchen/{token}")
async def page(token: str) -> HTMLResponse:
    """Render the question whether to use this device, which a script answers; 410 if it is used.

    Only the POST uses up the link: services that preview links send a GET.
    """
    restaurant = await wiring.services().kitchen_devices.restaurant_of_link(token)
    return _page(restaurant.name if restaurant else "")


@router.post("/kitchen/{token}")
async def enrol(token: str) -> Response:
    """Enrol the device: set its cookie and redirect to the board; 410 if the link is used."""
    enrolment = await wiring.services().kitchen_devices.enrol(token)
    if enrolment is None:
        return _page("")
    settings = wiring.services().settings
    return enrolled(routes.KITCHEN, DEVICE_COOKIE, enrolment.token, settings)


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


def _page(restaurant: str) -> HTMLResponse:
    content = _TEMPLATES.get_template("link.html").render(restaurant=restaurant)
    return HTMLResponse(content, 200 if restaurant else GONE, PAGE_HEADERS)
