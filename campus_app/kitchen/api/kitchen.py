"""`/kitchen/{token}`: the link that enrols a kitchen's device. Source: specification 10.24."""

from pathlib import Path
from typing import Annotated

from fastapi import APIRouter, Cookie
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from campus_app.kitchen import wiring
from campus_app.kitchen.rules.kitchen import DEVICE_COOKIE
from campus_app.shared.api.dependencies import NO_STORE
from campus_app.shared.rules import routes
from campus_app.shared.translations import IN_TEMPLATES
from kit.templates import page_templates

router = APIRouter(include_in_schema=False)

_TEMPLATES = page_templates(Path(__file__).parents[1] / "templates" / "kitchen", IN_TEMPLATES)
_SEE_OTHER, _GONE = 303, 410
_COOKIE_SECONDS = 400 * 24 * 3600
"""The longest life that browsers give a cookie; the server ends it earlier if it is not used."""
_HEADERS = {
    "cache-control": "no-store",
    # With `no-referrer` browsers would send a POST without the origin that we check.
    "referrer-policy": "same-origin",
    "x-robots-tag": "noindex",
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self';"
        " img-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
}


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
    response = RedirectResponse(routes.KITCHEN, _SEE_OTHER, _HEADERS)
    return _with_cookie(response, enrolment.token)


@router.post("/api/kitchen/renewal", status_code=204)
async def renew(
    token: Annotated[str, Cookie(alias=DEVICE_COOKIE)] = "",
) -> Response:
    """Set the cookie of an enrolled device again, so that it does not expire while it is used."""
    response = Response(status_code=204, headers=NO_STORE)
    device = await wiring.services().kitchen_devices.device_of(token)
    return response if device is None else _with_cookie(response, token)


def _with_cookie(response: Response, token: str) -> Response:
    response.set_cookie(
        DEVICE_COOKIE,
        token,
        max_age=_COOKIE_SECONDS,
        secure=wiring.services().settings.is_encrypted,
        httponly=True,
        samesite="strict",
    )
    return response


def _page(restaurant: str) -> HTMLResponse:
    content = _TEMPLATES.get_template("link.html").render(restaurant=restaurant)
    return HTMLResponse(content, 200 if restaurant else _GONE, _HEADERS)
