"""`/pay/{token}`: the page that starts the provider's checkout in the browser.

It queries no provider. If no checkout session is open, the page shows why.
"""

import re
from pathlib import Path

from fastapi import APIRouter
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from campus_app.ordering import wiring
from campus_app.ordering.rules.order import OrderState
from campus_app.ordering.rules.payment import PaymentState
from campus_app.ordering.rules.payment_provider import CheckoutSession
from campus_app.ordering.rules.stored_order import StoredOrder
from campus_app.shared.rules import routes
from campus_app.shared.rules.money import format_rupees
from campus_app.shared.translations import IN_TEMPLATES
from kit.templates import page_templates

router = APIRouter(include_in_schema=False)

_TEMPLATES = page_templates(Path(__file__).parents[1] / "templates" / "pay", IN_TEMPLATES)
_TOKEN = re.compile(r"[A-Za-z0-9_-]{20,64}", re.ASCII)
_SITE = re.compile(r"https?://[A-Za-z0-9*.:\[\]-]+", re.ASCII)
_SEE_OTHER, _NOT_FOUND, _GONE = 303, 404, 410
_HEADERS = {
    "cache-control": "no-store",
    # The provider checks the origin of our site, which a stricter policy would omit.
    "referrer-policy": "strict-origin-when-cross-origin",
    "x-robots-tag": "noindex",
}


@router.get("/pay/{token}")
async def page(token: str) -> Response:
    """Render the checkout of a token; redirect if it is paid, 410 if expired, 404 if unknown."""
    checkouts = wiring.services().checkouts
    checkout = await checkouts.find_session(token) if _TOKEN.fullmatch(token) else None
    if checkout is None:
        return _page("unknown", _NOT_FOUND)
    stored, session = checkout
    if stored.payment.state is PaymentState.PAID:
        # The link is given to anyone with the order's number and amount: no receipt.
        return RedirectResponse(routes.payment_success(stored.order.number), _SEE_OTHER, _HEADERS)
    if _is_over(stored):
        return _page("over", _GONE, stored)
    return _page("open", 200, stored, session)


def _is_over(stored: StoredOrder) -> bool:
    is_late = wiring.services().clock.now() >= stored.payment.expires_at
    return is_late or stored.order.state is not OrderState.PENDING


def _page(
    state: str,
    status: int,
    stored: StoredOrder | None = None,
    session: CheckoutSession | None = None,
) -> HTMLResponse:
    content = _TEMPLATES.get_template("pay.html").render(
        state=state,
        number=stored.order.number if stored else "",
        amount=format_rupees(stored.payment.amount) if stored else "",
        session=session,
    )
    policy = {"content-security-policy": content_policy(session)}
    return HTMLResponse(content, status, _HEADERS | policy)


def content_policy(session: CheckoutSession | None) -> str:
    """Return the content security policy of the page for a checkout session."""
    sites = " ".join(site for site in (session.sites if session else ()) if _SITE.fullmatch(site))
    script = session.script if session else ""
    parts = {
        "default-src": "'none'",
        "script-src": f"'self' {script}",
        "style-src": "'self'",
        "font-src": "'self'",
        "img-src": "'self' data:",
        "connect-src": f"'self' {sites}" if script else "'none'",
        "frame-src": sites if script and sites else "'none'",
        "form-action": f"'self' {sites}",
        "base-uri": "'none'",
        "frame-ancestors": "'none'",
    }
    return "; ".join(f"{name} {value}".strip() for name, value in parts.items())
