"""`POST /api/demo-requests`: JSON, or the form of a browser without JavaScript."""

import hashlib
import json
import logging
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Header, Request, Response
from fastapi.responses import HTMLResponse
from pydantic import BaseModel, Field, create_model

from kit.db.errors import DatabaseUnavailable, InvalidQuery
from kit.http.errors import ResponseModel, error_response, error_responses
from kit.rate_limit import rate_limit_key
from kit.templates import page_templates
from voice_site.content.company import COMPANY
from voice_site.domain.demo_request import (
    FIELDS,
    VARIANT,
    DemoRequest,
    FieldRule,
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
_NOT_STORED = "We could not keep your request. Please write to us."
_RECEIVED = "We have your request. We will contact you within 24 hours."
_OPTIONAL: dict[str, Any] = {"default": ""}
_EXAMPLE = {
    "fullName": "Priya Raman",
    "jobTitle": "Head of Admissions",
    "email": "priya@company.example",
    "phone": "+91 98765 43210",
    "company": "Southern College",
    "companySize": "51-200 employees",
    "industry": "Education",
    "location": "Chennai",
    "selectedVariant": "02",
}


def _field(rule: FieldRule) -> tuple[Any, Any]:
    """Return a field of the form as a field of the body's model."""
    type_: Any = Literal[rule.options] if rule.options else str
    optional = {} if rule.is_required else _OPTIONAL
    return type_, Field(max_length=rule.longest, title=rule.label, **optional)


_fields: dict[str, Any] = {rule.name: _field(rule) for rule in FIELDS}
_fields[VARIANT] = (Literal[tuple(VARIANTS)], Field(title="Variant"))
DemoRequestBody: type[BaseModel] = create_model("DemoRequestBody", **_fields)
"""Describes the body. `read_request` validates it, with the messages of the form's fields."""
_KINDS = ("application/json", *_FORMS)
_CONTENT = {"schema": DemoRequestBody.model_json_schema() | {"examples": [_EXAMPLE]}}


class StoredDemoRequest(ResponseModel):
    """A stored demo request."""

    id: str


def _or_page(responses: dict[int | str, dict[str, Any]]) -> dict[int | str, dict[str, Any]]:
    """Return the responses with an HTML page, the answer to a form, beside JSON."""
    page = {"content": {"text/html": {"schema": {"type": "string"}}}}
    return {status: response | page for status, response in responses.items()}


def create_router(site: Site) -> APIRouter:
    """Return the router with this one operation."""
    router = APIRouter(tags=["demo requests"])

    @router.post(
        "/api/demo-requests",
        status_code=201,
        summary="Request a demo",
        response_model=StoredDemoRequest,
        responses=_or_page({201: {}} | error_responses(422, 429, 503)) | error_responses(413),
        openapi_extra={
            "requestBody": {"required": True, "content": dict.fromkeys(_KINDS, _CONTENT)}
        },
    )
    async def request_demo(  # pyright: ignore[reportUnusedFunction]
        request: Request,
        idempotency_key: Annotated[
            str, Header(max_length=200, description="A repeated key stores nothing more.")
        ] = "",
    ) -> StoredDemoRequest | Response:
        """The answer to JSON is JSON, to a form a page."""
        is_form = request.headers.get("content-type", "").lower().startswith(_FORMS)
        failed = _page if is_form else error_response
        address = request.client.host if request.client else ""
        if wait := site.demo_limit.retry_after(rate_limit_key(address)):
            return failed(429, "busy", _BUSY, headers={"retry-after": str(wait)})
        sent = await (_form(request) if is_form else _body(request))
        try:
            demo = read_request(sent, VARIANTS)
            key = idempotency_key or (_key_of_form(demo) if is_form else "")
            id_ = await site.demo_requests.take(demo, key, is_suspected=is_suspected(sent))
        except InvalidRequest as error:
            return failed(422, "validation_error", _INCOMPLETE, fields=error.fields)
        except (DatabaseUnavailable, InvalidQuery) as error:
            logger.error("a demo request could not be stored: %s", type(error.__cause__).__name__)  # noqa: TRY400
            return failed(503, "unavailable", _NOT_STORED, headers={"retry-after": "30"})
        return _thanks(id_) if is_form else StoredDemoRequest(id=id_)

    return router


async def _form(request: Request) -> Mapping[str, Any]:
    return dict(await request.form(max_fields=_MOST_FIELDS, max_files=0))


async def _body(request: Request) -> Mapping[str, Any]:
    """Return the JSON object; anything else counts as an object without members."""
    try:
        sent = json.loads(await request.body())
    except (ValueError, RecursionError):
        return {}
    return sent if isinstance(sent, dict) else {}


def _key_of_form(demo: DemoRequest) -> str:
    """Return an idempotency key: a form sent twice on one day is one request."""
    content = repr((demo, datetime.now(UTC).date()))
    return hashlib.sha256(content.encode()).hexdigest()


def _page(
    status: int,
    _code: str,
    message: str,
    *,
    fields: Mapping[str, str] | None = None,
    headers: Mapping[str, str] | None = None,
) -> Response:
    labels = {rule.name: rule.label for rule in FIELDS} | {VARIANT: "Variant"}
    problems = [(labels.get(name, name), problem) for name, problem in (fields or {}).items()]
    html = _render("Not sent yet", message, problems=problems)
    return HTMLResponse(html, status, headers)


def _thanks(id_: str) -> Response:
    return HTMLResponse(_render("Thank you.", _RECEIVED, reference=id_[:8]), 201)


def _render(title: str, message: str, **more: object) -> str:
    values = {"title": title, "words": message, "company": COMPANY, "problems": [], "reference": ""}
    return _TEMPLATES.get_template("answer.html").render(values | more)
