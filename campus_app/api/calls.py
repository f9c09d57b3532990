"""What the telephone service says of the calls that it makes for us."""

import re

from fastapi import APIRouter, Request, Response

from campus_app import wiring
from campus_app.domain.errors import BadSignature
from kit.http.errors import error_answer, refusals

router = APIRouter(tags=["calls"])

_TOKEN = re.compile(r"[A-Za-z0-9_-]{32}", re.ASCII)
_NOT_FOUND = (404, "not_found", "There is nothing at this address.")


@router.post(
    "/api/calls/{service}/{token}",
    summary="A signed notice of the telephone service",
    status_code=204,
    response_class=Response,
    responses=refusals(403, 404, 413, 422, 503),
)
async def call_notice(service: str, token: str, request: Request) -> Response:
    calls = wiring.services().missed_calls
    if calls is None or service != calls.telephone.name or not _TOKEN.fullmatch(token):
        return error_answer(*_NOT_FOUND)
    try:
        is_ours = await calls.receive_webhook(token, request.headers, await request.body())
    except BadSignature:
        return error_answer(403, "forbidden", "This is not for you to say.")
    return Response(status_code=204) if is_ours else error_answer(*_NOT_FOUND)
