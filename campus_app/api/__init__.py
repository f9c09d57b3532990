"""The HTTP interface, specification C3: routes, and what every answer has in common."""

import logging

from brotli_asgi import BrotliMiddleware
from fastapi import APIRouter, FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from campus_app.api import (
    calls,
    catalogue,
    health,
    metrics,
    orders,
    pay,
    payments,
    restaurants,
    sandbox,
)
from campus_app.api.answers import order_error_answer, unreadable_answer, validation_answer
from campus_app.api.docs import add_docs
from campus_app.domain.errors import OrderingError
from campus_app.domain.messages import OrderMessage
from kit.db.errors import DatabaseUnavailable, InvalidQuery
from kit.http.errors import COME_BACK_SOON, error_answer
from kit.http.middleware import BROTLI_QUALITY

logger = logging.getLogger(__name__)

_COMPRESSED_FROM_BYTES = 1024
_COMPRESSED_OR_SMALL = r"^/(?!api/|$)"
"""Files come compressed from the build, or are pictures, fonts and films, which stay so."""
_CODES = {401: "unauthorized"}
_UNREADABLE = 400
"""What the framework says of a body; by specification C3.20 it is one of the wrong type."""
_UNKNOWN = "There is nothing at this address."


def create_api(*others: APIRouter) -> FastAPI:
    """Return the application that answers everything which is not a page.

    `others` are the routes of the other product.
    """
    api = FastAPI(
        title="FOOD_points",
        version="1",
        summary="Restaurants, orders and payments of the campus food ordering product.",
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
        redirect_slashes=False,
    )
    api.add_middleware(
        BrotliMiddleware,
        quality=BROTLI_QUALITY,
        minimum_size=_COMPRESSED_FROM_BYTES,
        excluded_handlers=[_COMPRESSED_OR_SMALL],
    )
    # One route is asked after the other: those of an order's way come first. They are added as they
    # are; a router that is included looks for each of its calls twice.
    for module in (orders, payments, sandbox, pay, health, restaurants, catalogue, metrics, calls):
        api.router.routes.extend(module.router.routes)
    for router in others:
        api.router.routes.extend(router.routes)
    add_docs(api)
    api.add_exception_handler(OrderingError, _order_error)
    api.add_exception_handler(RequestValidationError, _validation_error)
    api.add_exception_handler(HTTPException, _http_error)
    api.add_exception_handler(DatabaseUnavailable, _database_error)
    api.add_exception_handler(InvalidQuery, _query_error)
    for prefix in ("/api", "/payment", "/email-status"):
        api.add_api_route(
            prefix + "/{path:path}",
            _unknown,
            methods=["GET", "POST", "PUT", "PATCH", "DELETE"],
            include_in_schema=False,
        )
    return api


async def _unknown() -> JSONResponse:
    return error_answer(404, "not_found", _UNKNOWN)


async def _order_error(_request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, OrderingError)  # noqa: S101 - how Starlette types handlers
    return order_error_answer(error)


async def _validation_error(_request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)  # noqa: S101 - how Starlette types handlers
    return validation_answer(error)


async def _database_error(_request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, DatabaseUnavailable)  # noqa: S101 - how Starlette types handlers
    logger.error("database: %s", type(error.__cause__ or error).__name__)
    return error_answer(503, "unavailable", OrderMessage.UNAVAILABLE, headers=COME_BACK_SOON)


async def _query_error(_request: Request, _error: Exception) -> JSONResponse:
    return error_answer(500, "internal_error", OrderMessage.FAILED)  # database.py has logged it


async def _http_error(_request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)  # noqa: S101 - how Starlette types handlers
    if error.status_code == _UNREADABLE:
        return unreadable_answer()
    code = _CODES.get(error.status_code, "http_error")
    return error_answer(error.status_code, code, str(error.detail), headers=error.headers)
