"""The payment page of the sandbox provider; 404 with any other provider."""

from pathlib import Path
from typing import Annotated

from fastapi import APIRouter, Form, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from campus_app import wiring
from campus_app.adapters.sandbox.payments import (
    SandboxButton,
    SandboxPayment,
    SandboxPayments,
    WebhookDelivery,
)
from campus_app.domain.money import format_rupees
from campus_app.domain.payment import PaymentState
from kit.http.errors import error_response
from kit.templates import page_templates

router = APIRouter(include_in_schema=False)

_TEMPLATES = page_templates(Path(__file__).parents[1] / "templates" / "sandbox")
_SEE_OTHER = 303
_NO_STORE = {"cache-control": "no-store"}


@router.get("/sandbox/pay")
async def page(request: Request, order_id: str = "") -> Response:
    sandbox = _sandbox()
    if sandbox is None:
        return error_response(404, "not_found", "There is nothing at this address.")
    payment = await sandbox.latest_of_order(order_id)
    return _show(payment, _webhook_delivery(request.query_params.get("webhook", "")))


@router.post("/sandbox/pay")
async def press(
    order_id: Annotated[str, Form(max_length=64)],
    button: Annotated[str, Form(max_length=16)],
    webhook: Annotated[str, Form(max_length=16)] = "",
) -> Response:
    sandbox = _sandbox()
    payment = await sandbox.latest_of_order(order_id) if sandbox else None
    if sandbox is None or payment is None or button not in set(SandboxButton):
        return _show(payment, _webhook_delivery(webhook))
    await sandbox.press(payment, SandboxButton(button), _webhook_delivery(webhook))
    wiring.services().outbox.notify()
    return RedirectResponse(payment.return_url, _SEE_OTHER, _NO_STORE)


def _sandbox() -> SandboxPayments | None:
    provider = wiring.services().payments.provider
    return provider if isinstance(provider, SandboxPayments) else None


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
    return HTMLResponse(content, 200 if payment else 404, _NO_STORE)
