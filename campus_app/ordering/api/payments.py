"""The payment page's address, the provider's webhooks, and the client's confirmation."""

import logging
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Annotated

from fastapi import APIRouter, BackgroundTasks, Depends, Header, Path, Query, Request
from fastapi.responses import JSONResponse

from campus_app.ordering import wiring
from campus_app.ordering.api.orders import known_progress
from campus_app.ordering.api.request_models import ConfirmationRequest
from campus_app.ordering.api.response_models import (
    PaymentConfirmation,
    PaymentForm,
    PaymentFormError,
    WebhookReceived,
)
from campus_app.ordering.api.webhook_models import PaymentEvent, PaymentSignature
from campus_app.ordering.rules.errors import BadSignature, PaymentError
from campus_app.ordering.services.order_lookup import PaymentProgress
from campus_app.ordering.services.payment_webhooks import MatchedEvent, PaymentWebhooks
from campus_app.ordering.services.payments import Payments
from campus_app.shared.api.dependencies import NO_STORE, no_store, requester_of
from campus_app.shared.api.errors import ordering_error_status
from campus_app.shared.api.webhooks import body_of
from campus_app.shared.rules.errors import Invalid, NotFound, OrderingError
from campus_app.shared.rules.messages import OrderMessage, PaymentMessage
from campus_app.shared.rules.money import Rupees, rupees
from kit.db.errors import DatabaseUnavailable
from kit.http.errors import ApiError, error_response, error_responses, retry_after
from kit.quota import Priority

logger = logging.getLogger(__name__)
router = APIRouter(tags=["payments"])


def _payments_of(
    provider: Annotated[
        str, Path(description="The configured `PAYMENT_PROVIDER`.", examples=["sandbox"])
    ],
) -> Payments:
    """Return the payments of the configured provider.

    Raises:
        NotFound: If another provider is named.
    """
    payments = wiring.services().payments
    if provider != payments.provider.name:
        raise NotFound("not_found", "There is no such payment provider.")
    return payments


ProviderPayments = Annotated[Payments, Depends(_payments_of)]


@router.get(
    "/api/payment-form/{amount}",
    summary="Address of an order's payment page",
    response_model=PaymentForm,
    responses=error_responses(
        422,
        codes={
            404: ("unknown_order", "unknown_restaurant"),
            409: (
                "amount_mismatch",
                "already_paid",
                "order_lapsed",
                "restaurant_closed",
                "slot_unavailable",
            ),
            503: ("provider_unavailable",),
        },
        model=PaymentFormError,
    ),
    dependencies=[Depends(no_store)],
)
async def payment_form(
    request: Request,
    amount: Annotated[str, Path(description="The order's online amount.", examples=["65"])],
    order_id: Annotated[str, Query(description="The order's number.", examples=["AS_482"])] = "",
) -> PaymentForm | JSONResponse:
    """Open the order at the payment provider."""
    checkouts, requester = wiring.services().checkouts, requester_of(request, Priority.KNOWN)
    try:
        checkout = await checkouts.open_by_number(order_id, _amount(amount), requester)
    except OrderingError as error:
        logger.info("payment form: %s", error.code)
        return _failed(ordering_error_status(error), error.code, error.message)
    except (PaymentError, DatabaseUnavailable) as error:
        logger.warning("payment form: %s", type(error).__name__)
        headers = retry_after(getattr(error, "retry_after_seconds", 0.0))
        return _failed(503, "provider_unavailable", PaymentMessage.FORM_FAILED, headers)
    return PaymentForm(payment_form_url=checkout.url)


@router.post(
    "/payment/{provider}-success",
    summary="Query the provider about an order",
    response_model=PaymentConfirmation,
    responses=error_responses(413, 422, 503, codes={404: ("not_found", "unknown_order")}),
    dependencies=[Depends(no_store)],
)
async def confirm_payment(
    request: Request, payments: ProviderPayments, confirmation: ConfirmationRequest
) -> PaymentProgress:
    """Only the order's number is used: the provider decides whether it is paid."""
    await payments.refresh_by_number(
        confirmation.order_id, requester_of(request, Priority.ANONYMOUS)
    )
    return await known_progress(confirmation.order_id)


@router.post(
    "/payment/{provider}/webhook",
    summary="Webhook of the payment provider",
    responses=error_responses(413, 422, 503, codes={401: ("bad_signature",), 404: ("not_found",)}),
    openapi_extra=body_of(PaymentEvent, "application/json"),
)
async def payment_webhook(
    request: Request,
    payments: ProviderPayments,
    background: BackgroundTasks,
    _signature: Annotated[PaymentSignature, Header()],
) -> WebhookReceived:
    """Store a signed event, respond, then query the provider about the payments it names."""
    webhooks = PaymentWebhooks(payments)
    try:
        events = await webhooks.receive(request.headers, await request.body())
    except BadSignature:
        raise ApiError(401, "bad_signature", "The signature is missing or wrong.") from None
    # The provider repeats an event whose response is slow, and the event is stored already.
    background.add_task(_process, webhooks, events)
    return WebhookReceived()


async def _process(webhooks: PaymentWebhooks, events: Sequence[MatchedEvent]) -> None:
    try:
        await webhooks.process(events)
    except DatabaseUnavailable:  # the reconciler processes the stored event later
        logger.warning("webhook: the database does not answer")


def _amount(text: str) -> Rupees:
    try:
        return rupees(text)
    except ValueError as error:
        raise Invalid(OrderMessage.AMOUNT, {"amount": OrderMessage.AMOUNT}) from error


def _failed(
    status: int, code: str, message: str, headers: Mapping[str, str] = MappingProxyType({})
) -> JSONResponse:
    more = {"success": False}
    return error_response(status, code, message, more=more, headers={**NO_STORE, **headers})
