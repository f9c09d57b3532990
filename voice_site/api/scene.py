"""`GET /api/scene`: the options of the hero's scene in this deployment.

One build serves every deployment (docs/decisions/0004), so the pages cannot contain these options.
"""

from fastapi import APIRouter, Response

from kit.http.errors import ResponseModel
from voice_site.domain.scene import SceneDriver, SceneOptions


class Scene(ResponseModel):
    """The options of the scene's loader."""

    driver: SceneDriver
    project_id: str
    json_file_path: str
    script_url: str
    width: str
    height: str
    scale: float
    dpi: float
    fps: int
    lazy_load: bool
    production: bool


def create_router(options: SceneOptions) -> APIRouter:
    """Return the router of this operation."""
    router = APIRouter(tags=["voice site"])

    @router.get("/api/scene", summary="Scene in the hero of the TARA page", response_model=Scene)
    async def scene(response: Response) -> SceneOptions:  # pyright: ignore[reportUnusedFunction]
        """`driver` is `unicorn` if a scene of Unicorn Studio is configured, else `ribbons`."""
        response.headers["cache-control"] = "no-cache"
        return options

    return router
