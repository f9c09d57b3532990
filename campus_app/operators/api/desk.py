"""`/desk/{token}`: the link that enrols a device of the desk. Source: specification 11.1."""

from fastapi import APIRouter
from fastapi.responses import HTMLResponse, Response
from starlette.convertors import StringConvertor, register_url_convertor

from campus_app.operators import wiring
from campus_app.operators.rules.desk import DESK_COOKIE
from campus_app.shared.api.device_links import LinkWords, enrolled, link_page
from campus_app.shared.rules import routes
from kit.text import gettext_noop

router = APIRouter(include_in_schema=False)

_WORDS = LinkWords(
    title=gettext_noop("Desk"),
    label=gettext_noop("DESK"),
    consequence=gettext_noop(
        "This device will open the desk in your name. Use a device that only you can unlock."
    ),
    used_up=gettext_noop(
        "A link to the desk works once, and for an hour. Please ask the owner for a new one."
    ),
    way_on=gettext_noop("To the desk"),
    address=routes.DESK,
)


class _Token(StringConvertor):
    """The token of a link; other addresses below `/desk/` are pages."""

    regex = routes.DESK_LINK_END


register_url_convertor("desk_token", _Token())
_PATH = routes.desk_link("{token:desk_token}")


@router.get(_PATH)
async def page(token: str) -> HTMLResponse:
    """Return a page whose script sends the POST at once; without scripts a button does.

    A GET does not use up the link: services that preview links send one. If the link is unknown,
    used or expired, the page says so, with 410.
    """
    link = await wiring.services().desk_devices.link_of(token)
    return link_page(_WORDS, link.name if link else "")


@router.post(_PATH)
async def enrol(token: str) -> Response:
    """Enrol the device: set its cookie and redirect to the desk; 410 if the link is used."""
    services = wiring.services()
    enrolment = await services.desk_devices.enrol(token)
    if enrolment is None:
        return link_page(_WORDS, "")  # without a name: the page of a used link, 410
    return enrolled(_WORDS, DESK_COOKIE, enrolment.token, services.settings)
