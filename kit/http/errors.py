"""What the HTTP interface says when it refuses, and how each call's description names it.

Source: specification C3.16.
"""

import math
from collections.abc import Mapping
from typing import Any, NotRequired

from fastapi.responses import JSONResponse
from pydantic import ConfigDict, with_config
from typing_extensions import TypedDict

exactly = with_config(ConfigDict(extra="forbid"))
"""Describes an answer that has these members and no others."""


@exactly
class ErrorDetail(TypedDict):
    """What is wrong: for programs, for people, and in which members of what was sent."""

    code: str
    message: str
    fields: NotRequired[dict[str, str]]


@exactly
class ErrorAnswer(TypedDict):
    """A refusal."""

    error: ErrorDetail


_REASONS = {
    401: "The token or the signature is missing or wrong.",
    403: "The signature is missing or wrong.",
    404: "There is no such thing.",
    409: "It can't be done as things are now.",
    413: "It is more than the server takes.",
    422: "Some of it can't be right.",
    429: "Too many requests come from this network.",
    500: "What it is read from is broken.",
    503: "It can't be done at the moment; nothing happened.",
}
_COME_BACK = {"retry-after": {"description": "In how many seconds.", "schema": {"type": "string"}}}
_SOON_SECONDS = 5
COME_BACK_SOON = {"retry-after": str(_SOON_SECONDS)}
"""The header of a refusal that may be over in a moment."""
_WHEN_TO_COME_BACK = {429: _COME_BACK, 503: _COME_BACK}


def come_back_in(seconds: float) -> dict[str, str]:
    """Return the header of a refusal that is over after so many seconds; soon, where that is 0."""
    return {"retry-after": str(math.ceil(seconds) or _SOON_SECONDS)}


def refusals(*statuses: int, shape: object = ErrorAnswer) -> dict[int | str, dict[str, Any]]:
    """Return how a call's description names these refusals, for `responses`."""
    return {
        status: {
            "model": shape,
            "description": _REASONS[status],
            "headers": _WHEN_TO_COME_BACK.get(status, {}),
        }
        for status in statuses
    }


def error_answer(  # noqa: PLR0913 - the parts of one answer
    status: int,
    code: str,
    message: str,
    *,
    fields: Mapping[str, str] | None = None,
    more: Mapping[str, Any] | None = None,
    headers: Mapping[str, str] | None = None,
) -> JSONResponse:
    """Return an error in the shape of specification C3.16."""
    error: ErrorDetail = {"code": code, "message": message}
    if fields:
        error["fields"] = dict(fields)
    return JSONResponse({"error": error, **(more or {})}, status, headers)
