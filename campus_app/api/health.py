"""`GET /health` and the campus clock."""

from fastapi import APIRouter
from fastapi.responses import JSONResponse

from campus_app import wiring
from campus_app.api.answers import ClockAnswer, HealthAnswer
from campus_app.domain.constants import CAMPUS_TIME_ZONE
from kit.redis.pubsub import RelayState

router = APIRouter(tags=["health"])

_NO_STORE = {"cache-control": "no-store"}
_UP: RelayState = "ok"
_DOWN: RelayState = "down"


async def dependencies() -> dict[str, RelayState]:
    """Return how everything stands that orders need, as far as is known: ok, down or disabled."""
    services = wiring.services()
    calls = services.missed_calls
    return {
        "database": _said(is_up=await services.database.is_up()),
        "redis": await services.relay.state(),
        "payments": _said(is_up=services.payments.provider.is_up()),
        "mail": _said(is_up=services.mailer.is_up()),
        "calls": _said(is_up=calls is None or calls.telephone.is_up()),
    }


def _said(*, is_up: bool) -> RelayState:
    return _UP if is_up else _DOWN


@router.get(
    "/health",
    summary="Whether orders can be taken",
    response_model=HealthAnswer,
    responses={503: {"model": HealthAnswer, "description": "No order can be taken."}},
)
async def health() -> JSONResponse:
    states = await dependencies()
    answer: HealthAnswer = {
        "status": "degraded" if _DOWN in states.values() else "ok",
        "services": states,
    }
    return JSONResponse(answer, 503 if states["database"] == _DOWN else 200, _NO_STORE)


@router.get("/api/clock", summary="What time it is on the campus", response_model=ClockAnswer)
async def campus_clock() -> JSONResponse:
    now = wiring.services().clock.now().astimezone(CAMPUS_TIME_ZONE)
    answer: ClockAnswer = {"now": now.isoformat()}
    return JSONResponse(answer, headers=_NO_STORE)
