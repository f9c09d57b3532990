"""The HTTP interface. Source: specification C3."""

from collections.abc import Awaitable, Callable, Sequence

from brotli_asgi import BrotliMiddleware
from fastapi import APIRouter, FastAPI, HTTPException, Request
from fastapi.responses import JSONResponse
from fastapi.routing import APIRoute
from starlette.routing import BaseRoute, Match

from campus_app.catalogue.api import app_manifest, catalogue, clock, restaurants
from campus_app.catalogue.api import errors as menu_errors
from campus_app.http_docs import add_docs
from campus_app.kitchen.api import kitchen
from campus_app.notifications.api import call_webhooks
from campus_app.operators.api import desk, desk_figures, health, metrics
from campus_app.ordering.api import errors as order_errors
from campus_app.ordering.api import orders, pay, payments, sandbox
from campus_app.shared.api import errors
from kit.http.compression import BROTLI_QUALITY
from kit.http.errors import error_response

_COMPRESSED_FROM_BYTES = 1024
_NOT_COMPRESSED = r"^/(?!api/|([a-z]+/)?index\.html$)|^/api/docs/"
"""Built files are stored compressed, as images, fonts and videos are; Swagger UI is 1.7 MB."""
_DESCRIPTION = """\
Restaurants, orders and payments of the campus food ordering product.

## Conventions

Errors are `{"error": {"code", "message", "fields"?}}`. Unknown members of a body are ignored. Money
is rupees, a number with at most two decimals. Besides the errors that an operation lists, a method
that it does not have is answered with 405 `http_error`, and a bug of the server with 500
`internal_error`.

## Socket

`/api/restaurants/live` sends the status of every restaurant on connect, then each change, as
`{"type": "STATUS_UPDATE", "changes": [{"restaurantId", "newStatus", "state"}], "timestamp"}`;
`newStatus` is `"0"` for a restaurant that the operator closed.

## Operations
"""


def create_api(*others: APIRouter) -> FastAPI:
    """Return the application for everything but the pages.

    `others` are the routers of the other product.
    """
    api = FastAPI(
        title="FOOD_points",
        version="1",
        description=_DESCRIPTION,
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
        redirect_slashes=False,
        exception_handlers={
            **errors.ERROR_HANDLERS,
            **menu_errors.ERROR_HANDLERS,
            **order_errors.ERROR_HANDLERS,
        },
        generate_unique_id_function=lambda route: route.name,
    )
    api.add_middleware(
        BrotliMiddleware,
        quality=BROTLI_QUALITY,
        minimum_size=_COMPRESSED_FROM_BYTES,
        excluded_handlers=[_NOT_COMPRESSED],
    )
    own = (
        *(orders, payments, restaurants, catalogue, app_manifest, clock, health, metrics),
        *(call_webhooks, sandbox, pay, kitchen, desk, desk_figures),
    )
    routers = (*(module.router for module in own), *others)
    for router in routers:
        api.include_router(router)
    add_docs(api)
    no_operation = _no_operation([route for router in routers for route in router.routes])
    for prefix in ("/api", "/payment", "/email-status"):
        api.add_api_route(
            prefix + "/{path:path}",
            no_operation,
            methods=["GET", "POST", "PUT", "PATCH", "DELETE"],
            include_in_schema=False,
        )
    return api


def _no_operation(routes: Sequence[BaseRoute]) -> Callable[[Request], Awaitable[JSONResponse]]:
    """Return the operation of all other requests: 405 at the path of one of `routes`, else 404."""

    async def answer(request: Request) -> JSONResponse:
        at_path = (route for route in routes if route.matches(request.scope)[0] is Match.PARTIAL)
        found = (route.methods or () for route in at_path if isinstance(route, APIRoute))
        methods = {name for names in found for name in names}
        if methods:
            raise HTTPException(405, headers={"allow": ", ".join(sorted(methods))})
        return error_response(404, "not_found", "There is nothing at this address.")

    return answer
