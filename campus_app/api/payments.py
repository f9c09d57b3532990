"""Paying: the form's address, the provider's notices, the confirmation's call."""

import logging
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse
from starlette.background import BackgroundTask

from campus_app import wiring
from campus_app.api.access import caller_of
from campus_app.api.answers import (
    FormAnswer,
    NoFormAnswer,
    ReceivedAnswer,
    SuccessAnswer,
    notices_json,
    order_error_answer,
)
from campus_app.api.wire import SuccessIn
from campus_app.domain.errors import BadSignature, Invalid, OrderingError, PaymentError
from campus_app.domain.messages import OrderMessage, PaymentMessage
from campus_app.domain.money import Rupees, rupees
from campus_app.domain.payment import PublicStatus
from campus_app.services.payments import MatchedEvent
from kit.db.errors import DatabaseUnavailable
from kit.http.errors import come_back_in, error_answer, refusals
from kit.quota import Priority

logger = logging.getLogger(__name__)
router = APIRouter(tags=["payments"])

_NO_STORE = {"cache-control": "no-store"}


@router.get(
    "/api/payment-form/{amount}",
    summary="Where an order is paid",
    response_model=FormAnswer,
    responses=refusals(404, 409, 422, 503, shape=NoFormAnswer),
)
async def payment_form(request: Request, amount: str, order_id: str = "") -> JSONResponse:
    payments, caller = wiring.services().payments, caller_of(request, Priority.KNOWN)
    try:
        checkout = await payments.payment_form(order_id, _amount(amount), caller)
    except OrderingError as error:
        logger.info("payment form refused: %s", error.code)
        return _refused(order_error_answer(error).status_code, error.code, error.message)
    except (PaymentError, DatabaseUnavailable) as error:
        logger.warning("payment form: %s", type(error).__name__)
        headers = come_back_in(getattr(error, "retry_after_seconds", 0.0))
        return _refused(503, "provider_unavailable", PaymentMessage.FORM_FAILED, headers)
    return JSONResponse({"success": True, "paymentFormUrl": checkout.url}, headers=_NO_STORE)


@router.post(
    "/payment/{provider}-success",
    summary="Please ask the provider about this order",
    response_model=SuccessAnswer,
    responses=refusals(404, 413, 422, 503),
)
async def success(request: Request, provider: str, call: SuccessIn) -> JSONResponse:
    payments = wiring.services().payments
    if provider != payments.provider.name:
        return error_answer(404, "not_found", "There is no such payment provider.")
    await payments.refresh_by_number(call.order_id, caller_of(request, Priority.ANONYMOUS))
    progress = await payments.progress(call.order_id)
    if progress.status is PublicStatus.NOT_FOUND:
        return error_answer(404, "unknown_order", OrderMessage.UNKNOWN_ORDER)
    answer: SuccessAnswer = {
        "success": progress.status is PublicStatus.SUCCESS,
        "dataSource": "provider",
        **notices_json(progress.notifications),
    }
    return JSONResponse(answer, headers=_NO_STORE)


@router.post(
    "/payment/{provider}/webhook",
    summary="A signed notice of the provider",
    response_model=ReceivedAnswer,
    responses=refusals(401, 404, 413, 422, 503),
)
async def webhook(provider: str, request: Request) -> Response:
    payments = wiring.services().payments
    if provider != payments.provider.name:
        return error_answer(404, "not_found", "There is no such payment provider.")
    try:
        told = await payments.receive_webhook(request.headers, await request.body())
    except BadSignature:
        return error_answer(401, "bad_signature", "The signature is missing or wrong.")
    # It is noted durably: the provider need not wait until it was asked, and then told once more.
    return JSONResponse({"received": True}, background=BackgroundTask(_follow_up, told))


async def _follow_up(told: Sequence[MatchedEvent]) -> None:
    try:
        await wiring.services().payments.process_webhook(told)
    except DatabaseUnavailable:  # it is noted, and the reconciler comes to it
        logger.warning("webhook: the database does not answer")


def _amount(text: str) -> Rupees:
    try:
        return rupees(text)
    except ValueError as error:
        raise Invalid(OrderMessage.AMOUNT, {"amount": OrderMessage.AMOUNT}) from error


def _refused(
    status: int, code: str, message: str, headers: Mapping[str, str] = MappingProxyType({})
) -> JSONResponse:
    said = {**_NO_STORE, **headers}
    return error_answer(status, code, message, more={"success": False}, headers=said)
