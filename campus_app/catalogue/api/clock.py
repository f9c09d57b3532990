"""`GET /api/clock`: the time on the campus."""

from fastapi import APIRouter, Depends

from campus_app.catalogue import wiring
from campus_app.catalogue.api.response_models import CampusTime, Kitchen
from campus_app.shared.api.dependencies import no_store
from campus_app.shared.rules.constants import CAMPUS_TIME_ZONE

router = APIRouter(tags=["health"], dependencies=[Depends(no_store)])


@router.get("/api/clock", summary="Time on the campus")
async def campus_clock() -> CampusTime:
    """The clock that opening hours and slots are compared with."""
    services = wiring.services()
    now = services.clock.now().astimezone(CAMPUS_TIME_ZONE)
    kitchens: dict[str, Kitchen] = {}
    for restaurant in services.catalogue.restaurants():
        closes = restaurant.hours.closes_at(now)
        kitchens[str(restaurant.id)] = Kitchen(
            name=restaurant.name, closes=closes.isoformat() if closes else ""
        )
    return CampusTime(now=now.isoformat(), kitchens=kitchens)
