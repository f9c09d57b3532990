"""`GET /api/scene`: what plays in the hero of this deployment.

The pages are built once for every deployment (docs/decisions/0004), so the browser asks.
"""

from fastapi import APIRouter, Response
from fastapi.responses import JSONResponse
from typing_extensions import TypedDict

from kit.http.errors import exactly
from voice_site.domain.scene import SceneDriver, SceneOptions


@exactly
class SceneAnswer(TypedDict):
    """The options, by the names that the loader knows them by."""

    driver: SceneDriver
    projectId: str
    jsonFilePath: str
    scriptUrl: str
    width: str
    height: str
    scale: float
    dpi: float
    fps: int
    lazyLoad: bool
    production: bool


def create_router(options: SceneOptions) -> APIRouter:
    """Return the one route."""
    router = APIRouter(tags=["voice site"])
    answer = scene_json(options)

    @router.get(
        "/api/scene",
        summary="What plays in the hero of the assistant's page",
        response_model=SceneAnswer,
    )
    async def scene() -> Response:  # pyright: ignore[reportUnusedFunction]
        return JSONResponse(answer, headers={"cache-control": "no-cache"})

    return router


def scene_json(options: SceneOptions) -> SceneAnswer:
    """Return the options as the loader reads them."""
    return {
        "driver": options.driver,
        "projectId": options.project_id,
        "jsonFilePath": options.json_file_path,
        "scriptUrl": options.script_url,
        "width": options.width,
        "height": options.height,
        "scale": options.scale,
        "dpi": options.dpi,
        "fps": options.fps,
        "lazyLoad": options.lazy_load,
        "production": options.production,
    }
