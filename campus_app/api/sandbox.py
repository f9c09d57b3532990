"""The payment page of the sandbox provider; 404 with any other provider."""

from pathlib import Path
from typing import Annotated

from fastapi import APIRouter, Depends, Form
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from campus_app import wiring
from campus_app.adapters.sandbox.payments import (
    SandboxButton,
    SandboxPayment,
    SandboxPayments,
    WebhookDelivery,
)
from campus_app.api.dependencies import NO_STORE
from campus_app.domain.errors import NotFound
from campus_app.domain.money import format_rupees
from campus_app.domain.payment import PaymentState
from kit.templates import page_templates

router = APIRouter(include_in_schema=False)

_TEMPLATES = page_templates(Path(__file__).parents[1] / "templates" / "sandbox")
_SEE_OTHER = 303


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


@router.get("/sandbox/pay")
async def page(sandbox: Sandbox, order_id: str = "", webhook: str = "") -> Response:
    """Render the latest payment of an order, with a button for each outcome; 404 if unknown."""
    return _show(await sandbox.latest_of_order(order_id), _webhook_delivery(webhook))


@router.post("/sandbox/pay")
async def press(
    sandbox: Sandbox,
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
    return RedirectResponse(payment.return_url, _SEE_OTHER, NO_STORE)


def _webhook_delivery(text: str) -> WebhookDelivery:
    return WebhookDelivery(text) if text in set(WebhookDelivery) else WebhookDelivery.NONE


def _show(payment: SandboxPayment | None, webhook_delivery: WebhookDelivery) -> HTMLResponse:
    content = _TEMPLATES.get_template("pay.html").render(
        payment=payment,
        amount=format_rupees(payment.amount) if payment else "",
        webhook_delivery=webhook_delivery.value,
        is_paid=payment is not None and payment.state is PaymentState.PAID,
        is_over=payment is not None and payment.state is PaymentState.EXPIRED,
    )
    return HTMLResponse(content, 200 if payment else 404, NO_STORE)
