"""`GET /health` and the campus clock."""

from typing import Any

from fastapi import APIRouter
from fastapi.responses import JSONResponse

from campus_app import wiring
from campus_app.domain.constants import CAMPUS_TIME_ZONE

router = APIRouter(tags=["health"])


@router.get("/health", summary="Whether orders can be taken")
async def health() -> JSONResponse:
    services = wiring.services()
    database_is_up = await services.database.is_up()
    relay = await services.relay.state()
    calls = services.missed_calls
    calls_are_up = calls is None or calls.telephone.is_up()
    all_is_well = database_is_up and relay != "down" and calls_are_up
    answer: dict[str, Any] = {
        "status": "ok" if all_is_well else "degraded",
        "services": {
            "database": "ok" if database_is_up else "down",
            "redis": relay,
            "payments": "ok",
            "mail": "ok",
            "calls": "ok" if calls_are_up else "down",
        },
    }
    return JSONResponse(answer, 200 if database_is_up else 503, {"cache-control": "no-store"})


@router.get("/api/clock", summary="What time it is on the campus")
async def campus_clock() -> JSONResponse:
    now = wiring.services().clock.now().astimezone(CAMPUS_TIME_ZONE)
    return JSONResponse({"now": now.isoformat()}, headers={"cache-control": "no-store"})
