"""`/api/docs`: the generated description as one page that needs nothing from another site."""

from pathlib import Path

from fastapi import FastAPI
from fastapi.responses import HTMLResponse

from kit.templates import page_templates

_TEMPLATES = page_templates(Path(__file__).parents[1] / "templates")


def add_docs(api: FastAPI) -> None:
    """Serve the description of every call at `/api/docs`."""

    @api.get("/api/docs", include_in_schema=False)
    async def docs() -> HTMLResponse:  # pyright: ignore[reportUnusedFunction]
        page = _TEMPLATES.get_template("docs.html").render(description=api.openapi())
        return HTMLResponse(page)
