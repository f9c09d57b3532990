"""`/tara/request/{token}`: the page behind the link in a confirmation.

Source: specification V10.15 to V10.17.
"""

from pathlib import Path
from typing import Annotated

from fastapi import APIRouter, Form, Request, Response
from fastapi.responses import HTMLResponse

from kit.db.errors import DatabaseUnavailable
from kit.rate_limit import rate_limit_key
from kit.templates import page_templates
from kit.text import gettext_noop
from kit.translations import language, page_language
from voice_site.content.company import COMPANY
from voice_site.content.plans import VARIANTS
from voice_site.domain.lead import LONGEST_ADDITION
from voice_site.domain.stored_request import LINK_PATH, StoredRequest
from voice_site.translations import t
from voice_site.wiring import Site

_TEMPLATES = page_templates(Path(__file__).parents[1] / "templates", {"t": t})
_HEADERS = {
    "cache-control": "no-store",
    # With `no-referrer` browsers would send a POST without the origin that we check.
    "referrer-policy": "same-origin",
    "x-robots-tag": "noindex",
}
_ADD = "add"
_OK, _GONE, _UNPROCESSABLE, _BUSY, _UNAVAILABLE = 200, 410, 422, 429, 503
_YOURS = gettext_noop("Your request")
_ADDED = gettext_noop("We have added your sentence.")
_NOT_ADDED = gettext_noop("We could not add this. Please write to us.")
_WITHDRAWN = gettext_noop("Your request is deleted.")
_NOTHING_LEFT = gettext_noop(
    "An email that was already sent, and a backup of our database, can contain it for longer."
)
_UNKNOWN = gettext_noop("This link leads to no request")
_PERHAPS = gettext_noop("It was withdrawn or deleted, or the address is not complete.")
_LATER = gettext_noop("Please try again in a minute.")


def create_router(site: Site) -> APIRouter:
    """Return the router of the page. Only a POST changes anything: previews of links send a GET."""
    router = APIRouter(include_in_schema=False)

    @router.get(f"{LINK_PATH}{{token}}")
    async def show(token: str) -> Response:  # pyright: ignore[reportUnusedFunction]
        try:
            stored = await site.request_links.find(token)
        except DatabaseUnavailable:
            return _message(_UNAVAILABLE, _YOURS, _LATER)
        return _page(stored) if stored else _message(_GONE, _UNKNOWN, _PERHAPS)

    @router.post(f"{LINK_PATH}{{token}}")
    async def change(  # pyright: ignore[reportUnusedFunction]
        request: Request,
        token: str,
        action: Annotated[str, Form()] = "",
        sentence: Annotated[str, Form()] = "",
    ) -> Response:
        address = request.client.host if request.client else ""
        kept = _kept(action, sentence)
        if site.demo_limit.retry_after(rate_limit_key(address)):
            return _message(_BUSY, _YOURS, _LATER, kept)
        try:
            return await _change(site, token, action, sentence)
        except DatabaseUnavailable:
            return _message(_UNAVAILABLE, _YOURS, _LATER, kept)

    return router


async def _change(site: Site, token: str, action: str, sentence: str) -> Response:
    stored = await site.request_links.find(token)
    if stored is None:
        return _message(_GONE, _UNKNOWN, _PERHAPS)
    if action == "withdraw":
        await site.request_links.withdraw(stored)
        return _message(_OK, _WITHDRAWN, _NOTHING_LEFT)
    if action == _ADD and await site.request_links.add(stored, sentence):
        return _page(stored, _ADDED)
    return _page(stored, _NOT_ADDED, _UNPROCESSABLE, _kept(action, sentence))


def _kept(action: str, sentence: str) -> str:
    """Return a refused sentence as its field takes it, so that nobody has to type it again."""
    if action != _ADD:
        return ""
    return sentence.replace("\r\n", "\n")[:LONGEST_ADDITION]  # a form sends longer line ends


def _page(
    stored: StoredRequest, message: str = "", status: int = _OK, sentence: str = ""
) -> Response:
    values: dict[str, object] = {
        "title": t(_YOURS),
        "message": t(message) if message else "",
        "reference": stored.reference,
        "variant": t(VARIANTS[stored.request.selected_variant]),
        "sentence": sentence,
    }
    return _rendered(values, status)


def _message(status: int, title: str, words: str, sentence: str = "") -> Response:
    """Return a page without a request; with the form if a sentence can be sent again."""
    values: dict[str, object] = {"title": t(title), "message": t(words), "reference": ""}
    return _rendered(values | {"sentence": sentence}, status)


def _rendered(values: dict[str, object], status: int) -> Response:
    common = {
        "language": page_language(language()),
        "company": COMPANY,
        "longest": LONGEST_ADDITION,
    }
    html = _TEMPLATES.get_template("request_link.html").render(common | values)
    return HTMLResponse(html, status, _HEADERS)
