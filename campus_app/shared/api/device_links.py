"""The page behind a link that enrols a device, and the cookie that identifies the device then."""

from typing import Final

from fastapi.responses import RedirectResponse, Response

from campus_app.shared.settings import Settings

PAGE_HEADERS: Final = {
    "cache-control": "no-store",
    # With `no-referrer` browsers would send a POST without the origin that we check.
    "referrer-policy": "same-origin",
    "x-robots-tag": "noindex",
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self';"
        " img-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
}
GONE: Final = 410
"""The status of a link that is unknown, used or expired."""

_SEE_OTHER = 303
_COOKIE_SECONDS = 400 * 24 * 3600
"""The longest life that browsers give a cookie; the server ends it earlier if it is not used."""


def enrolled(address: str, cookie: str, token: str, settings: Settings) -> Response:
    """Return the redirect of a device that was just enrolled, with its cookie."""
    response = RedirectResponse(address, _SEE_OTHER, PAGE_HEADERS)
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
