"""`GET /api/scene`: the options of the hero's scene."""

import httpx
import pytest

from campus_app.http_api import create_api
from tests.helpers.demo import voice_settings_for
from tests.helpers.settings import ORIGIN
from voice_site.api.scene import create_router

pytestmark = pytest.mark.anyio


async def scene_of(**changes):
    app = create_api(create_router(voice_settings_for(**changes).scene))
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app=app), base_url=ORIGIN) as client:
        response = await client.get("/api/scene")
    assert (response.status_code, response.headers["cache-control"]) == (200, "no-cache")
    return response.json()


async def test_scene_is_ribbons_by_default():
    options = await scene_of()
    assert options["driver"] == "ribbons"
    assert (options["projectId"], options["jsonFilePath"]) == ("", "")
    assert (options["scale"], options["dpi"], options["fps"]) == (1, 1.5, 60)
    assert (options["width"], options["height"]) == ("100%", "100%")
    assert {"lazyLoad", "production", "scriptUrl"} < set(options)


@pytest.mark.parametrize(
    ("setting", "name", "value"),
    [
        ("scene_project_id", "projectId", "Ab-3_x"),
        ("scene_json_path", "jsonFilePath", "/scenes/hero.json"),
    ],
)
async def test_scene_is_the_studio_s_when_configured(setting, name, value):
    options = await scene_of(**{setting: value}, scene_script_url="https://studio.test/sdk.js")
    assert options["driver"] == "unicorn"
    assert (options[name], options["scriptUrl"]) == (value, "https://studio.test/sdk.js")


async def test_scene_resolution_is_configurable():
    options = await scene_of(scene_scale=0.5, scene_dpi=1, scene_fps=30)
    assert (options["scale"], options["dpi"], options["fps"]) == (0.5, 1, 30)
