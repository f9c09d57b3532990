"""The error response of a menu that cannot be shown."""

from typing import Any, Final

from fastapi import Request
from fastapi.responses import JSONResponse

from campus_app.catalogue.rules.errors import MenuUnavailable
from kit.http.errors import error_response


async def _menu_error(_request: Request, error: MenuUnavailable) -> JSONResponse:
    return error_response(error.status, "menu_unavailable", error.message)


ERROR_HANDLERS: Final[dict[int | type[Exception], Any]] = {MenuUnavailable: _menu_error}
