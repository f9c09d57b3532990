"""The manifest of the installable app, with shortcuts to kitchens."""

import json
from pathlib import Path
from typing import Annotated

from fastapi import APIRouter, Query
from fastapi.responses import Response

from campus_app.catalogue import wiring
from campus_app.shared.rules import routes
from campus_app.shared.rules.constants import MAXIMUM_SHORTCUTS
from kit.http.errors import error_responses

router = APIRouter(tags=["app"])

_MEDIA_TYPE = "application/manifest+json"
_STATIC = Path(__file__).parents[3] / "assets" / "manifest.webmanifest"
"""The manifest of a browser that has opened no menu yet."""
_SHORTCUT_ICON = {"src": "/images/app-192.png", "sizes": "192x192", "type": "image/png"}
_SCHEMA = {
    "type": "object",
    "properties": {
        "name": {"type": "string"},
        "shortcuts": {"type": "array", "items": {"type": "object"}},
    },
    "required": ["name", "shortcuts"],
}


@router.get(
    "/api/app-manifest",
    summary="Manifest of the installable app",
    response_class=Response,
    responses={200: {"content": {_MEDIA_TYPE: {"schema": _SCHEMA}}}} | error_responses(422),
)
async def app_manifest(
    kitchens: Annotated[
        str, Query(max_length=64, description="Ids of restaurants: `3,1`.", examples=["3,1"])
    ] = "",
) -> Response:
    """The static manifest with a shortcut to each known restaurant, in the order of the ids."""
    manifest = json.loads(_STATIC.read_text(encoding="utf-8"))
    ids = (routes.parse_restaurant_id(text) for text in kitchens.split(","))
    catalogue = wiring.services().catalogue
    known = [found for id_ in dict.fromkeys(ids) if id_ and (found := catalogue.restaurant(id_))]
    manifest["shortcuts"] = [
        {"name": each.name, "url": routes.menu(each.id), "icons": [_SHORTCUT_ICON]}
        for each in known[:MAXIMUM_SHORTCUTS]
    ]
    return Response(
        json.dumps(manifest, ensure_ascii=False),
        media_type=_MEDIA_TYPE,
        headers={"cache-control": "no-cache"},
    )
