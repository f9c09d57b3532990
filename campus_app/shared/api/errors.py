"""The error responses of the exceptions that every room raises."""

import logging
from typing import Any, Final

from fastapi import Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from campus_app.shared.rules.errors import Conflict, NotFound, OrderingError
from campus_app.shared.rules.messages import OrderMessage
from kit.db.errors import DatabaseUnavailable, InvalidQuery
from kit.http.errors import RETRY_SOON, ApiError, error_response

logger = logging.getLogger(__name__)

_INVALID = "Some of this can't be right."
_BAD_REQUEST = 400


async def _api_error(_request: Request, error: ApiError) -> JSONResponse:
    return error_response(error.status, error.code, error.message, headers=error.headers)


async def _ordering_error(_request: Request, error: OrderingError) -> JSONResponse:
    fields = getattr(error, "fields", None)
    status = ordering_error_status(error)
    return error_response(status, error.code, error.message, fields=fields)


async def _validation_error(_request: Request, error: RequestValidationError) -> JSONResponse:
    """Return the paths of the invalid members and the reasons, without their values."""
    fields: dict[str, str] = {}
    for problem in error.errors():
        path = [str(part) for part in problem["loc"] if part not in {"body", "path", "query"}]
        fields.setdefault(".".join(path) or "body", str(problem["msg"]))
    is_quantity = any(name.startswith("orderDetails.items") for name in fields)
    message = OrderMessage.QUANTITY if is_quantity else _INVALID
    return error_response(422, "validation_error", message, fields=fields)


async def _database_error(_request: Request, error: DatabaseUnavailable) -> JSONResponse:
    logger.error("database: %s", type(error.__cause__ or error).__name__)
    return error_response(503, "unavailable", OrderMessage.UNAVAILABLE, headers=RETRY_SOON)


async def _query_error(_request: Request, _error: InvalidQuery) -> JSONResponse:
    return error_response(500, "internal_error", OrderMessage.FAILED)  # logged by kit.db


async def _unexpected_error(_request: Request, _error: Exception) -> JSONResponse:
    return error_response(500, "internal_error", OrderMessage.FAILED)  # raised again, and logged


async def _http_error(_request: Request, error: HTTPException) -> JSONResponse:
    if error.status_code == _BAD_REQUEST:  # a body that is not UTF-8, or not a form
        return error_response(422, "validation_error", _INVALID, fields={"body": "can't be read"})
    return error_response(error.status_code, "http_error", str(error.detail), headers=error.headers)


def ordering_error_status(error: OrderingError) -> int:
    """Return 404 for NotFound, 409 for Conflict, 422 for Invalid."""
    return 404 if isinstance(error, NotFound) else 409 if isinstance(error, Conflict) else 422


ERROR_HANDLERS: Final[dict[int | type[Exception], Any]] = {
    ApiError: _api_error,
    OrderingError: _ordering_error,
    RequestValidationError: _validation_error,
    DatabaseUnavailable: _database_error,
    InvalidQuery: _query_error,
    HTTPException: _http_error,
    Exception: _unexpected_error,
}
"""The handler of each exception that an operation may raise."""
