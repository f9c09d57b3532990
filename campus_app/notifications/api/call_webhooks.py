"""Webhooks of the telephone service about the calls that it makes for us."""

import re
from typing import Annotated

from fastapi import APIRouter, Header, Path, Request, Response

from campus_app.notifications import wiring
from campus_app.notifications.api.webhook_models import CallEvent, CallSignature
from campus_app.ordering.rules.errors import BadSignature
from campus_app.shared.api.webhooks import body_of
from campus_app.shared.rules.errors import NotFound
from kit.http.errors import ApiError, error_responses

router = APIRouter(tags=["calls"])

_TOKEN = re.compile(r"[A-Za-z0-9_-]{32}", re.ASCII)
_NOT_FOUND = ("not_found", "There is nothing at this address.")


@router.post(
    "/api/calls/{service}/{token}",
    summary="Webhook of the telephone service",
    status_code=204,
    response_class=Response,
    responses=error_responses(413, 422, 503, codes={403: ("forbidden",), 404: ("not_found",)}),
    openapi_extra=body_of(CallEvent, "application/x-www-form-urlencoded"),
)
async def call_webhook(
    request: Request,
    service: Annotated[str, Path(description="The `CALL_TRANSPORT`.", examples=["twilio"])],
    token: Annotated[str, Path(description="Random token of the call.", examples=["x" * 32])],
    _signature: Annotated[CallSignature, Header()],
) -> None:
    """Store the status of a call, signed by the service for this address."""
    calls = wiring.services().missed_calls
    if calls is None or service != calls.telephone.name or not _TOKEN.fullmatch(token):
        raise NotFound(*_NOT_FOUND)
    try:
        is_known = await calls.receive_webhook(token, request.headers, await request.body())
    except BadSignature:
        raise ApiError(403, "forbidden", "This is not for you to say.") from None
    if not is_known:
        raise NotFound(*_NOT_FOUND)
