"""`GET /api/scene`: what plays in the hero of this deployment.

The pages are built once for every deployment (docs/decisions/0004), so the browser asks.
"""

from dataclasses import asdict
from typing import Any

from fastapi import APIRouter, Response
from fastapi.responses import JSONResponse

from voice_site.domain.scene import SceneOptions


def create_router(options: SceneOptions) -> APIRouter:
    """Return the one route."""
    router = APIRouter(tags=["voice site"])
    answer = wire(options)

    @router.get("/api/scene", summary="What plays in the hero of the assistant's page")
    async def scene() -> Response:  # pyright: ignore[reportUnusedFunction]
        return JSONResponse(answer, headers={"cache-control": "no-cache"})

    return router


def wire(options: SceneOptions) -> dict[str, Any]:
    """Return the options by the names that the loader knows them by."""
    named = {"driver": options.driver.value, **asdict(options)}
    return {_camel_case(name): value for name, value in named.items()}


def _camel_case(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(part.capitalize() for part in rest)
