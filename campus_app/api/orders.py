"""Preparing an order, and how it stands."""

from fastapi import APIRouter, Header, Request
from fastapi.responses import JSONResponse

from campus_app import wiring
from campus_app.api.access import caller_of
from campus_app.api.answers import (
    ConflictAnswer,
    NoticesAnswer,
    PreparedAnswer,
    ProgressAnswer,
    notices_json,
    prepared_json,
    progress_json,
)
from campus_app.api.wire import OrderIn
from campus_app.domain.messages import OrderMessage
from campus_app.domain.payment import PublicStatus
from kit.http.errors import error_answer, refusals
from kit.quota import Priority

router = APIRouter(tags=["orders"])

_NO_STORE = {"cache-control": "no-store"}


@router.post(
    "/payment/prepare-order",
    status_code=201,
    summary="Store an order, to be paid",
    response_model=PreparedAnswer,
    responses=refusals(404, 413, 422, 429, 503) | refusals(409, shape=ConflictAnswer),
)
async def prepare_order(
    request: Request,
    order: OrderIn,
    idempotency_key: str = Header(default="", max_length=200),
) -> JSONResponse:
    services = wiring.services()
    wait = services.prepare_limit.retry_after(caller_of(request, Priority.KNOWN).client)
    if wait:
        return error_answer(429, "busy", OrderMessage.BUSY, headers={"retry-after": str(wait)})
    stored = await services.ordering.prepare(order.request(), idempotency_key)
    progress = await services.payments.progress_of(stored)
    return JSONResponse(prepared_json(stored, progress), 201, _NO_STORE)


@router.get(
    "/payment/order-status/{order_id}",
    summary="How an order's payment stands",
    response_model=ProgressAnswer,
    responses=refusals(422, 503),
)
async def order_status(order_id: str) -> JSONResponse:
    progress = await wiring.services().payments.progress(order_id)
    return JSONResponse(progress_json(progress), headers=_NO_STORE)


@router.get(
    "/email-status/{order_id}",
    summary="How far an order's notices have come",
    response_model=NoticesAnswer,
    responses=refusals(404, 422, 503),
)
async def email_status(order_id: str) -> JSONResponse:
    progress = await wiring.services().payments.progress(order_id)
    if progress.status is PublicStatus.NOT_FOUND:
        return error_answer(404, "unknown_order", OrderMessage.UNKNOWN_ORDER)
    return JSONResponse(notices_json(progress.notifications), headers=_NO_STORE)
