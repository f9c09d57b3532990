"""The page behind a link that enrols a device, and the cookie that identifies the device then."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from fastapi.responses import HTMLResponse, RedirectResponse, Response

from campus_app.shared.settings import Settings
from campus_app.shared.translations import IN_TEMPLATES
from kit.templates import page_templates

_HEADERS: Final = {
    "cache-control": "no-store",
    # With `no-referrer` browsers would send a POST without the origin that we check.
    "referrer-policy": "same-origin",
    "x-robots-tag": "noindex",
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self';"
        " img-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
}
_SEE_OTHER, _GONE = 303, 410
_COOKIE_SECONDS = 400 * 24 * 3600
"""The longest life that browsers give a cookie; the server ends it earlier if it is not used."""


_TEMPLATES = page_templates(Path(__file__).parents[1] / "templates" / "device_link", IN_TEMPLATES)


@dataclass(frozen=True)
class LinkWords:
    """What the page of a link says, in English, and where its devices go."""

    title: str
    label: str
    consequence: str
    """What enrolling a device does."""
    used_up: str
    way_on: str
    address: str


def link_page(words: LinkWords, name: str) -> HTMLResponse:
    """Render the page of a link that enrols a device for `name`; its script submits it at once.

    Without a name the link is unknown, used or expired: 410.
    """
    content = _TEMPLATES.get_template("link.html").render(words=words, name=name)
    return HTMLResponse(content, 200 if name else _GONE, _HEADERS)


def enrolled(words: LinkWords, cookie: str, token: str, settings: Settings) -> Response:
    """Return the redirect of a device that was just enrolled, with its cookie."""
    response = RedirectResponse(words.address, _SEE_OTHER, _HEADERS)
    return with_cookie(response, cookie, token, settings)


def with_cookie(response: Response, cookie: str, token: str, settings: Settings) -> Response:
    """Set a device's cookie on a response."""
    response.set_cookie(
        cookie,
        token,
        max_age=_COOKIE_SECONDS,
        secure=settings.is_encrypted,
        httponly=True,
        samesite="strict",
    )
    return response
