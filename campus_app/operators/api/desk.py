"""`/desk/{token}`: the link that enrols a device of the desk. Source: specification 11.1."""

from pathlib import Path

from fastapi import APIRouter
from fastapi.responses import HTMLResponse, Response
from starlette.convertors import StringConvertor, register_url_convertor

from campus_app.operators import wiring
from campus_app.operators.rules.desk import DESK_COOKIE
from campus_app.shared.api.device_links import GONE, PAGE_HEADERS, enrolled
from campus_app.shared.rules import routes
from campus_app.shared.translations import IN_TEMPLATES
from kit.templates import page_templates

router = APIRouter(include_in_schema=False)

_TEMPLATES = page_templates(Path(__file__).parents[1] / "templates" / "desk", IN_TEMPLATES)


class _Token(StringConvertor):
    """The token of a link; other addresses below `/desk/` are pages."""

    regex = routes.DESK_LINK_END


register_url_convertor("desk_token", _Token())
_PATH = routes.desk_link("{token:desk_token}")


@router.get(_PATH)
async def page(token: str) -> HTMLResponse:
    """Render the question whether to use this device, which a script answers; 410 if it is used.

    Only the POST uses up the link: services that preview links send a GET.
    """
    link = await wiring.services().desk_devices.link_of(token)
    return _page(link.name if link else "")


@router.post(_PATH)
async def enrol(token: str) -> Response:
    """Enrol the device: set its cookie and redirect to the desk; 410 if the link is used."""
    services = wiring.services()
    enrolment = await services.desk_devices.enrol(token)
    if enrolment is None:
        return _page("")
    return enrolled(routes.DESK, DESK_COOKIE, enrolment.token, services.settings)


def _page(name: str) -> HTMLResponse:
    content = _TEMPLATES.get_template("link.html").render(name=name)
    return HTMLResponse(content, 200 if name else GONE, PAGE_HEADERS)
