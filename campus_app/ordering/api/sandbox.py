"""The payment page of the sandbox provider; 404 with any other provider."""

from pathlib import Path
from typing import Annotated

from fastapi import APIRouter, Depends, Form, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from campus_app.ordering import wiring
from campus_app.ordering.providers.sandbox.payments import (
    SandboxButton,
    SandboxPayment,
    SandboxPayments,
    WebhookDelivery,
)
from campus_app.ordering.rules.payment import PaymentState
from campus_app.shared.api.dependencies import NO_STORE
from campus_app.shared.rules.errors import NotFound
from campus_app.shared.rules.money import format_rupees
from kit.templates import page_templates

router = APIRouter(include_in_schema=False)

_TEMPLATES = page_templates(Path(__file__).parents[1] / "templates" / "sandbox")
_SEE_OTHER = 303
_PATH = "/sandbox/pay"


def _sandbox() -> SandboxPayments:
    """Return the provider, a dependency of this page.

    Raises:
        NotFound: If it is not the sandbox.
    """
    provider = wiring.services().payments.provider
    if not isinstance(provider, SandboxPayments):
        raise NotFound("not_found", "There is nothing at this address.")
    return provider


Sandbox = Annotated[SandboxPayments, Depends(_sandbox)]


@router.get(_PATH)
async def page(
    sandbox: Sandbox, request: Request, order_id: str = "", webhook: str = "", key: str = ""
) -> Response:
    """Render the latest payment of an order, with a button for each outcome; 404 if unknown.

    `key` allows the link back to the receipt; the browser keeps it, so that it can open the payment
    by the order's number again.
    """
    payment = await sandbox.latest_of_order(order_id)
    if payment is None:
        return _show(None, _webhook_delivery(webhook))
    key = key or _kept_key(request, payment)
    address = sandbox.return_address(payment, key)
    response = _show(payment, _webhook_delivery(webhook), address)
    if sandbox.is_return_key(payment, key):
        _keep_key(response, payment, key)
    return response


@router.post(_PATH)
async def press(
    sandbox: Sandbox,
    request: Request,
    order_id: Annotated[str, Form(max_length=64)],
    button: Annotated[SandboxButton, Form()],
    webhook: Annotated[str, Form(max_length=16)] = "",
) -> Response:
    """Apply the button's outcome, send the webhook, and redirect to the shop; 404 if unknown."""
    payment = await sandbox.latest_of_order(order_id)
    if payment is None:
        return _show(None, _webhook_delivery(webhook))
    await sandbox.press(payment, button, _webhook_delivery(webhook))
    wiring.services().outbox.notify()
    address = sandbox.return_address(payment, _kept_key(request, payment))
    return RedirectResponse(address, _SEE_OTHER, NO_STORE)


def _kept_key(request: Request, payment: SandboxPayment) -> str:
    return request.cookies.get(_cookie_of(payment), "")


def _keep_key(response: Response, payment: SandboxPayment, key: str) -> None:
    """Let the browser keep the key of one payment until it is closed, for this page only."""
    response.set_cookie(
        _cookie_of(payment),
        key,
        path=_PATH,
        secure=wiring.services().settings.is_encrypted,
        httponly=True,
        samesite="lax",
    )


def _cookie_of(payment: SandboxPayment) -> str:
    return f"sandbox_{payment.order_number}"


def _webhook_delivery(text: str) -> WebhookDelivery:
    return WebhookDelivery(text) if text in set(WebhookDelivery) else WebhookDelivery.NONE


def _show(
    payment: SandboxPayment | None, webhook_delivery: WebhookDelivery, return_address: str = ""
) -> HTMLResponse:
    content = _TEMPLATES.get_template("pay.html").render(
        payment=payment,
        return_address=return_address,
        amount=format_rupees(payment.amount) if payment else "",
        webhook_delivery=webhook_delivery.value,
        is_paid=payment is not None and payment.state is PaymentState.PAID,
        is_over=payment is not None and payment.state is PaymentState.EXPIRED,
    )
    return HTMLResponse(content, 200 if payment else 404, NO_STORE)
