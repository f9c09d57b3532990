"""Preparing an order, and the status of its payment and notifications."""

from typing import Annotated

from fastapi import APIRouter, Depends, Header, Path, Request

from campus_app.ordering import wiring
from campus_app.ordering.api.request_models import PrepareOrderRequest
from campus_app.ordering.api.response_models import (
    NotificationStatus,
    OrderDetails,
    OrderStatus,
    PaymentBreakdown,
    PrepareConflict,
    PreparedOrder,
)
from campus_app.ordering.rules.payment import PublicStatus
from campus_app.ordering.services.order_lookup import PaymentProgress
from campus_app.shared.api.dependencies import no_store, requester_of
from campus_app.shared.rules.errors import NotFound
from campus_app.shared.rules.messages import OrderMessage
from kit.http.errors import ApiError, error_responses, retry_after
from kit.quota import Priority
from kit.rate_limit import RateLimited

router = APIRouter(tags=["orders"], dependencies=[Depends(no_store)])

OrderId = Annotated[str, Path(description="The order's number.", examples=["AS_482"])]
_CONFLICTS = (
    "restaurant_closed",
    "not_served",
    "price_mismatch",
    "item_unavailable",
    "slot_unavailable",
    "order_id_taken",
    "idempotency_conflict",
    "busy",
)


@router.post(
    "/payment/prepare-order",
    status_code=201,
    summary="Store an order to be paid",
    response_model=PreparedOrder,
    responses=error_responses(
        413,
        429,
        503,
        codes={
            404: ("unknown_restaurant", "unknown_item"),
            422: ("validation_error", "below_minimum"),
        },
    )
    | error_responses(codes={409: _CONFLICTS}, model=PrepareConflict),
)
async def prepare_order(
    request: Request,
    order: PrepareOrderRequest,
    idempotency_key: Annotated[
        str,
        Header(max_length=200, description="A repeated key returns the first response again."),
    ] = "",
) -> PreparedOrder:
    """Compute every figure from the menu and the rules, and store the order.

    Prices and totals in the body are optional; one that differs is answered with
    `price_mismatch` and the current bill. An `orderId` is used if it is free.
    """
    services = wiring.services()
    requester = requester_of(request, Priority.KNOWN)
    try:
        services.prepare_limit.reserve(requester.client, max_wait_seconds=0.0)
        await services.open_orders.require_room(requester.client)
    except RateLimited as limited:
        headers = retry_after(limited.seconds)
        raise ApiError(429, "busy", OrderMessage.BUSY, headers) from limited
    stored = await services.ordering.prepare(order.request(), idempotency_key, requester)
    services.open_orders.record(requester.client, stored)
    progress = await services.lookup.progress_of(stored)
    order_, bill = stored.order, stored.order.bill
    return PreparedOrder(
        order_id=order_.number,
        response_token=order_.response_token,
        payment_status=progress.status,
        amount=bill.remaining,
        total_order_value=bill.grand_total,
        payment_breakdown=PaymentBreakdown.model_validate(bill),
        order_details=OrderDetails.model_validate(order_),
    )


@router.get(
    "/payment/order-status/{order_id}",
    summary="Payment status of an order",
    response_model=OrderStatus,
    responses=error_responses(422, 503),
)
async def order_status(order_id: OrderId) -> PaymentProgress:
    """Contains no personal data. The status of an unknown order is `NOT_FOUND`."""
    return await wiring.services().lookup.progress(order_id)


@router.get(
    "/email-status/{order_id}",
    summary="Notifications of an order",
    response_model=NotificationStatus,
    responses=error_responses(422, 503, codes={404: ("unknown_order",)}),
)
async def email_status(order_id: OrderId) -> PaymentProgress:
    """`emailsSent` counts the customer's e-mail first."""
    return await known_progress(order_id)


async def known_progress(order_id: str) -> PaymentProgress:
    """Return the progress of an order's payment.

    Raises:
        NotFound: `unknown_order`.
    """
    progress = await wiring.services().lookup.progress(order_id)
    if progress.status is PublicStatus.NOT_FOUND:
        raise NotFound("unknown_order", OrderMessage.UNKNOWN_ORDER)
    return progress
