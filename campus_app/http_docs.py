"""`/api/docs`: Swagger UI, served from our own origin under a content security policy."""

from importlib.resources import files
from pathlib import Path
from typing import Final

from fastapi import FastAPI
from fastapi.responses import HTMLResponse
from fastapi.staticfiles import StaticFiles

from kit.http.csp import HEADER, PagePolicy

_PAGE: Final = Path(__file__).parent / "templates" / "alone" / "docs.html"
_SWAGGER_UI: Final = Path(str(files("fastapi_swagger") / "resources"))


def add_docs(api: FastAPI) -> None:
    """Serve the page, and the files of Swagger UI below it."""
    page = _PAGE.read_text(encoding="utf-8")
    headers = {HEADER: PagePolicy().for_page(page)}
    api.mount("/api/docs/swagger-ui", StaticFiles(directory=_SWAGGER_UI))

    @api.get("/api/docs", include_in_schema=False)
    async def docs() -> HTMLResponse:  # pyright: ignore[reportUnusedFunction]
        return HTMLResponse(page, headers=headers)
