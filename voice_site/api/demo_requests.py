"""`POST /api/demo-requests`: JSON, or the plain form of a browser without scripts."""

import hashlib
import json
import logging
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from fastapi import APIRouter, Header, Request, Response
from fastapi.responses import HTMLResponse, JSONResponse
from typing_extensions import TypedDict

from kit.db.errors import DatabaseUnavailable, InvalidQuery
from kit.http.errors import error_answer, exactly, refusals
from kit.rate_limit import rate_limit_key
from kit.templates import page_templates
from voice_site.content.company import COMPANY
from voice_site.domain.demo_request import (
    FIELDS,
    VARIANT,
    DemoRequest,
    InvalidRequest,
    is_suspected,
    read_request,
)
from voice_site.wiring import VARIANTS, Site

logger = logging.getLogger(__name__)

_TEMPLATES = page_templates(Path(__file__).parents[1] / "templates")
_FORMS = ("application/x-www-form-urlencoded", "multipart/form-data")
_MOST_FIELDS = 60
_BUSY = "Too many requests come from your network. Please try again in a minute."
_INCOMPLETE = "Some of this can't be right."
_NOT_KEPT = "We could not keep your request. Please write to us."
_RECEIVED = "We have your request. We will contact you within 24 hours."
_SCHEMA = {
    "type": "object",
    "properties": {
        **{rule.name: {"type": "string", "maxLength": rule.longest} for rule in FIELDS},
        VARIANT: {"type": "string", "enum": list(VARIANTS)},
    },
    "required": [rule.name for rule in FIELDS if rule.is_required] + [VARIANT],
}
_KINDS = ("application/json", *_FORMS)
_DESCRIPTION = {
    "requestBody": {"required": True, "content": {kind: {"schema": _SCHEMA} for kind in _KINDS}}
}


@exactly
class RequestedAnswer(TypedDict):
    """A demo request that is stored."""

    id: str


def _or_page(answers: dict[int | str, dict[str, Any]]) -> dict[int | str, dict[str, Any]]:
    """Let each answer be a page where a form was sent."""
    page = {"content": {"text/html": {"schema": {"type": "string"}}}}
    return {status: answer | page for status, answer in answers.items()}


def create_router(site: Site) -> APIRouter:
    """Return the routes of demo requests."""
    router = APIRouter(tags=["demo requests"])

    @router.post(
        "/api/demo-requests",
        status_code=201,
        summary="Ask for a demo",
        response_model=RequestedAnswer,
        responses=_or_page({201: {}} | refusals(422, 429, 503)) | refusals(413),
        openapi_extra=_DESCRIPTION,
    )
    async def request_demo(  # pyright: ignore[reportUnusedFunction]
        request: Request, idempotency_key: str = Header(default="", max_length=200)
    ) -> Response:
        is_form = request.headers.get("content-type", "").lower().startswith(_FORMS)
        answer = _page if is_form else error_answer
        address = request.client.host if request.client else ""
        wait = site.demo_limit.retry_after(rate_limit_key(address))
        if wait:
            return answer(429, "busy", _BUSY, headers={"retry-after": str(wait)})
        sent = await (_form(request) if is_form else _body(request))
        try:
            wanted = read_request(sent, VARIANTS)
            key = idempotency_key or (_key_of_form(wanted) if is_form else "")
            id_ = await site.demo_requests.take(wanted, key, is_suspected=is_suspected(sent))
        except InvalidRequest as error:
            return answer(422, "validation_error", _INCOMPLETE, fields=error.fields)
        except (DatabaseUnavailable, InvalidQuery) as error:
            logger.error("a demo request could not be stored: %s", type(error.__cause__).__name__)  # noqa: TRY400
            return answer(503, "unavailable", _NOT_KEPT, headers={"retry-after": "30"})
        stored: RequestedAnswer = {"id": id_}
        return _thanks(id_) if is_form else JSONResponse(stored, 201)

    return router


async def _form(request: Request) -> Mapping[str, Any]:
    return dict(await request.form(max_fields=_MOST_FIELDS, max_files=0))


async def _body(request: Request) -> Mapping[str, Any]:
    """Return the object that was sent; whatever else it is lacks every field."""
    try:
        sent = json.loads(await request.body())
    except (ValueError, RecursionError):
        return {}
    return sent if isinstance(sent, dict) else {}


def _key_of_form(wanted: DemoRequest) -> str:
    """A form without scripts has no key: the same words on the same day are the same request."""
    words = repr((wanted, datetime.now(UTC).date()))
    return hashlib.sha256(words.encode()).hexdigest()


def _page(
    status: int,
    _code: str,
    message: str,
    *,
    fields: Mapping[str, str] | None = None,
    headers: Mapping[str, str] | None = None,
) -> Response:
    labels = {rule.name: rule.label for rule in FIELDS} | {VARIANT: "Variant"}
    problems = [(labels.get(name, name), said) for name, said in (fields or {}).items()]
    html = _render("Not sent yet", message, problems=problems)
    return HTMLResponse(html, status, headers)


def _thanks(id_: str) -> Response:
    return HTMLResponse(_render("Thank you.", _RECEIVED, reference=id_[:8]), 201)


def _render(title: str, words: str, **more: object) -> str:
    values = {"title": title, "words": words, "company": COMPANY, "problems": [], "reference": ""}
    return _TEMPLATES.get_template("answer.html").render(values | more)
