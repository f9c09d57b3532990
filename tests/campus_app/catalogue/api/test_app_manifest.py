"""The manifest of the installable app. Source: specification 10.17."""

import json

import pytest

from tests.helpers.databases import sqlite_only
from tests.helpers.product import ROOT

pytestmark = [pytest.mark.anyio, sqlite_only]

STATIC = json.loads((ROOT / "assets" / "manifest.webmanifest").read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("kitchens", "urls"),
    [
        ("3,1", ["/menu/3", "/menu/1"]),
        ("3", ["/menu/3"]),
        ("5,4,3,2,1", ["/menu/5", "/menu/4", "/menu/3"]),
        ("3,3,3,1", ["/menu/3", "/menu/1"]),
        ("999,x,,-1,१,3", ["/menu/3"]),
        ("javascript:alert(1)", []),
        ("", []),
    ],
)
async def test_manifest_has_shortcut_to_each_known_kitchen(api, kitchens, urls):
    response = await api.get("/api/app-manifest", params={"kitchens": kitchens})
    assert response.status_code == 200
    assert response.headers["content-type"].startswith("application/manifest+json")
    manifest = response.json()
    assert [each["url"] for each in manifest["shortcuts"]] == urls
    assert all(each["name"] and each["icons"] for each in manifest["shortcuts"])


async def test_manifest_differs_from_the_static_one_only_in_the_shortcuts(api):
    # The same `id`: browsers take both for one app.
    manifest = (await api.get("/api/app-manifest?kitchens=3")).json()
    assert manifest.pop("shortcuts")
    assert manifest == STATIC


async def test_manifest_is_refused_when_the_query_is_too_long(api):
    response = await api.get("/api/app-manifest", params={"kitchens": "1," * 50})
    assert response.status_code == 422
