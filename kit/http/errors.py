"""Error responses `{"error": {"code", "message", "fields"?}}` and their place in OpenAPI.

Source: specification C3.
"""

import math
from collections.abc import Mapping
from functools import cache
from typing import Any, Literal

from fastapi.responses import JSONResponse
from pydantic import BaseModel, ConfigDict, Field, create_model
from pydantic.alias_generators import to_camel, to_pascal


class ResponseModel(BaseModel):
    """A JSON response with exactly these members, in camelCase.

    `model_validate` reads the attributes of a domain object.
    """

    model_config = ConfigDict(
        alias_generator=to_camel, extra="forbid", from_attributes=True, populate_by_name=True
    )


def is_none(value: object) -> bool:
    """For `Field(exclude_if=is_none)`: leave the member out of the response."""
    return value is None


class ErrorDetail(ResponseModel):
    """What is wrong with the request."""

    code: str = Field(description="For programs.")
    message: str = Field(description="For people.", examples=["Some of this can't be right."])
    fields: dict[str, str] | None = Field(
        default=None,
        exclude_if=is_none,
        description="Message by the path of a request's member.",
        examples=[{"member": "Field required"}],
    )


class ErrorResponse(ResponseModel):
    """The request failed."""

    error: ErrorDetail


class ApiError(Exception):
    """Raised by an operation to send an error response."""

    def __init__(
        self, status: int, code: str, message: str, headers: Mapping[str, str] | None = None
    ) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.message = message
        self.headers = headers


_DESCRIPTIONS = {
    401: "The token or the signature is missing or wrong.",
    403: "The signature is missing or wrong.",
    404: "Not found.",
    409: "Not possible in the current state.",
    413: "The body is too large.",
    422: "A parameter or a member of the body is missing or invalid.",
    429: "Too many requests from this network.",
    500: "The data cannot be read.",
    503: "Temporarily unavailable; nothing was changed.",
}
_CODES = {
    401: ("unauthorized",),
    413: ("too_large",),
    422: ("validation_error",),
    429: ("busy",),
    503: ("unavailable",),
}
"""The codes of an operation that names no others for a status."""
_RETRY_AFTER = {"retry-after": {"description": "Seconds to wait.", "schema": {"type": "string"}}}
_HEADERS = {429: _RETRY_AFTER, 503: _RETRY_AFTER}
_RETRY_SECONDS = 5
RETRY_SOON = {"retry-after": str(_RETRY_SECONDS)}
"""The header of an error that may be over in seconds."""


def retry_after(seconds: float) -> dict[str, str]:
    """Return the header `retry-after`, rounded up; 0 stands for an unknown time."""
    return {"retry-after": str(math.ceil(seconds) or _RETRY_SECONDS)}


def error_responses(
    *statuses: int,
    codes: Mapping[int, tuple[str, ...]] | None = None,
    model: type[ErrorResponse] = ErrorResponse,
) -> dict[int | str, dict[str, Any]]:
    """Return the `responses` of an operation that fails with these statuses.

    `codes` are the error codes by status, where they differ from the usual ones.
    """
    by_status = {status: _CODES[status] for status in statuses} | dict(codes or {})
    return {
        status: {
            "model": _with_codes(model, status, names),
            "description": f"{_DESCRIPTIONS[status]} Codes: `{'`, `'.join(names)}`.",
            "headers": _HEADERS.get(status, {}),
        }
        for status, names in by_status.items()
    }


@cache
def _with_codes(model: type[ErrorResponse], status: int, codes: tuple[str, ...]) -> type[BaseModel]:
    """Return a model whose `error.code` is one of these, named after them or the status."""
    literal: Any = Literal
    is_plain = model is ErrorResponse
    name = to_pascal("_or_".join(codes)) if is_plain else f"{model.__name__}{status}"
    detail = create_model(
        f"{name}Detail", __base__=ErrorDetail, __doc__=ErrorDetail.__doc__, code=literal[codes]
    )
    return create_model(name, __base__=model, __doc__=model.__doc__, error=detail)


def error_response(  # noqa: PLR0913 - the parts of one response
    status: int,
    code: str,
    message: str,
    *,
    fields: Mapping[str, str] | None = None,
    more: Mapping[str, Any] | None = None,
    headers: Mapping[str, str] | None = None,
) -> JSONResponse:
    """Return an error response; `more` are members beside `error`."""
    detail = {"code": code, "message": message, **({"fields": dict(fields)} if fields else {})}
    return JSONResponse({"error": detail, **(more or {})}, status, headers)
