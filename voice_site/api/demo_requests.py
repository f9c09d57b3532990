"""`POST /api/demo-requests`, with a JSON body or the form of a browser without JavaScript."""

import hashlib
import json
import logging
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Header, Request, Response
from fastapi.responses import HTMLResponse
from pydantic import BaseModel, Field, create_model

from kit.db.errors import DatabaseUnavailable, InvalidQuery
from kit.http.errors import ResponseModel, error_response, error_responses
from kit.rate_limit import rate_limit_key
from kit.templates import page_templates
from kit.text import gettext_noop
from kit.translations import language, page_language
from voice_site.content.company import COMPANY
from voice_site.content.legal import CONSENTS
from voice_site.content.plans import VARIANTS
from voice_site.content.samples import CALLS
from voice_site.domain.demo_request import (
    FIELDS,
    NOTES,
    VARIANT,
    DemoRequest,
    FieldRule,
    InvalidRequest,
    is_filled_by_bot,
    is_suspected,
    read_request,
)
from voice_site.domain.journey import read_journey
from voice_site.services.demo_requests import KeyReused
from voice_site.translations import t
from voice_site.wiring import Site

logger = logging.getLogger(__name__)

_TEMPLATES = page_templates(Path(__file__).parents[1] / "templates", {"t": t})
_FORM_TYPES = ("application/x-www-form-urlencoded", "multipart/form-data")
_MAX_FORM_FIELDS = 60
_BUSY = gettext_noop("Too many requests come from your network. Please try again in a minute.")
_INCOMPLETE = gettext_noop("Some of this can't be right.")
_KEY_REUSED = gettext_noop("This request was sent before, with other contents. Send it again.")
_NOT_STORED = gettext_noop("We could not keep your request. Please write to us.")
_RECEIVED = gettext_noop("We have your request. We will contact you within 24 hours.")
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
    "useCase": "Admissions: courses, fees, dates",
}


def _field(rule: FieldRule) -> tuple[Any, Any]:
    """Return the type and the options of a pydantic field for a field of the form."""
    type_: Any = Literal[rule.options] if rule.options else str
    optional = {} if rule.is_required else _OPTIONAL
    return type_, Field(max_length=rule.max_length, title=rule.label, **optional)


_fields: dict[str, Any] = {rule.name: _field(rule) for rule in FIELDS}
_fields[VARIANT] = (Literal[tuple(VARIANTS)], Field(title="Variant"))
_fields |= {rule.name: _field(rule) for rule in NOTES}
DemoRequestBody: type[BaseModel] = create_model("DemoRequestBody", **_fields)
"""Only describes the body: `read_request` validates it, with the messages of the form's fields."""
_CONTENT_TYPES = ("application/json", *_FORM_TYPES)
_CONTENT = {"schema": DemoRequestBody.model_json_schema() | {"examples": [_EXAMPLE]}}


class StoredDemoRequest(ResponseModel):
    """A stored demo request."""

    id: str


def _with_page(responses: dict[int | str, dict[str, Any]]) -> dict[int | str, dict[str, Any]]:
    """Add an HTML page, the response to a form, to the content types of each response."""
    page = {"content": {"text/html": {"schema": {"type": "string"}}}}
    return {status: response | page for status, response in responses.items()}


def create_router(site: Site) -> APIRouter:
    """Return the router of this operation."""
    router = APIRouter(tags=["demo requests"])

    @router.post(
        "/api/demo-requests",
        status_code=201,
        summary="Request a demo",
        response_model=StoredDemoRequest,
        responses=_with_page(
            {201: {}} | error_responses(422, 429, 503, codes={409: ("idempotency_conflict",)})
        )
        | error_responses(413),
        openapi_extra={
            "requestBody": {"required": True, "content": dict.fromkeys(_CONTENT_TYPES, _CONTENT)}
        },
    )
    async def request_demo(  # pyright: ignore[reportUnusedFunction]
        request: Request,
        idempotency_key: Annotated[
            str,
            Header(
                max_length=200,
                description="A repeated key stores nothing; with other contents it is 409.",
            ),
        ] = "",
    ) -> StoredDemoRequest | Response:
        """The response to JSON is JSON, the response to a form an HTML page."""
        is_form = request.headers.get("content-type", "").lower().startswith(_FORM_TYPES)
        failure_response = _error_page if is_form else error_response
        address = request.client.host if request.client else ""
        if wait := site.demo_limit.retry_after(rate_limit_key(address)):
            return failure_response(429, "busy", t(_BUSY), headers={"retry-after": str(wait)})
        sent = await (_form(request) if is_form else _body(request))
        try:
            demo = read_request(sent, VARIANTS)
            key = idempotency_key or (_form_key(demo, site) if is_form else "")
            id_ = await site.demo_requests.submit(
                demo,
                key,
                is_suspected=_is_suspected(request, sent, is_form=is_form),
                journey=read_journey(sent, language(), CONSENTS, CALLS),
            )
        except InvalidRequest as error:
            fields = {name: t(message) for name, message in error.fields.items()}
            return failure_response(422, "validation_error", t(_INCOMPLETE), fields=fields)
        except KeyReused:
            return failure_response(409, "idempotency_conflict", t(_KEY_REUSED))
        except (DatabaseUnavailable, InvalidQuery) as error:
            reason = type(error.__cause__ or error).__name__
            logger.error("a demo request could not be stored: %s", reason)  # noqa: TRY400
            return failure_response(
                503, "unavailable", t(_NOT_STORED), headers={"retry-after": "30"}
            )
        return _thanks(id_) if is_form else StoredDemoRequest(id=id_)

    return router


def _is_suspected(request: Request, sent: Mapping[str, Any], *, is_form: bool) -> bool:
    """Whether a bot probably sent it; a form without scripts has no time, but a browser's headers.

    Browsers older than Sec-Fetch-Site state the origin of a form.
    """
    if not is_form:
        return is_suspected(sent)
    site, origin = (request.headers.get(name, "") for name in ("sec-fetch-site", "origin"))
    is_own_origin = origin.partition("//")[2] == request.url.netloc
    is_from_our_page = site == "same-origin" if site else is_own_origin
    return not is_from_our_page or is_filled_by_bot(sent)


async def _form(request: Request) -> Mapping[str, Any]:
    return dict(await request.form(max_fields=_MAX_FORM_FIELDS, max_files=0))


async def _body(request: Request) -> Mapping[str, Any]:
    """Return the JSON object of the body; an empty one if the body is anything else."""
    try:
        sent = json.loads(await request.body())
    except (ValueError, RecursionError):
        return {}
    return sent if isinstance(sent, dict) else {}


def _form_key(demo: DemoRequest, site: Site) -> str:
    """Return an idempotency key that is the same for the same form on the same day (UTC)."""
    content = repr((demo, site.demo_requests.clock.now().date()))
    return hashlib.sha256(content.encode()).hexdigest()


def _error_page(
    status: int,
    _code: str,
    message: str,
    *,
    fields: Mapping[str, str] | None = None,
    headers: Mapping[str, str] | None = None,
) -> Response:
    labels = {rule.name: rule.label for rule in (*FIELDS, *NOTES)} | {
        VARIANT: gettext_noop("Variant")
    }
    problems = [(t(labels.get(name, name)), problem) for name, problem in (fields or {}).items()]
    html = _render(t("Not sent yet"), message, problems=problems)
    return HTMLResponse(html, status, headers)


def _thanks(id_: str) -> Response:
    return HTMLResponse(_render(t("Thank you."), t(_RECEIVED), reference=id_[:8]), 201)


def _render(title: str, message: str, **more: object) -> str:
    values = {
        "language": page_language(language()),
        "title": title,
        "words": message,
        "company": COMPANY,
        "problems": [],
        "reference": "",
    }
    return _TEMPLATES.get_template("answer.html").render(values | more)
