"""Restaurant status over HTTP and the socket, the operator's override, the selection log."""

import contextlib
import logging
from collections.abc import Iterable
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Path, Response, WebSocket

from campus_app.catalogue import wiring
from campus_app.catalogue.api.request_models import (
    DishAvailability,
    SelectionRequest,
    StatusOverride,
)
from campus_app.catalogue.api.response_models import (
    Availability,
    OverriddenStatus,
    RestaurantStatuses,
)
from campus_app.catalogue.rules.menu import MAXIMUM_ID_CHARACTERS
from campus_app.catalogue.services.availability import RestaurantStatus
from campus_app.catalogue.services.restaurants import find_restaurant
from campus_app.shared.api.dependencies import no_store, operator
from campus_app.shared.rules.audit import Actor
from campus_app.shared.rules.constants import CAMPUS_TIME_ZONE
from kit.background import running
from kit.http.errors import error_responses
from kit.text import normalize_text

logger = logging.getLogger(__name__)
LIVE = "/api/restaurants/live"
router = APIRouter(tags=["restaurants"])

_OPEN, _FORCED_CLOSED = "1", "0"


@router.get(
    "/api/restaurants/status",
    summary="Status of every restaurant",
    response_model=RestaurantStatuses,
    dependencies=[Depends(no_store)],
)
@router.get(
    "/api/restaurants/status/init",
    name="initial_statuses",
    summary="Status of every restaurant, for a page that opens",
    response_model=RestaurantStatuses,
    dependencies=[Depends(no_store)],
)
async def statuses() -> dict[str, object]:
    """Computed from the opening hours and the operator's overrides, without the database."""
    return wiring.services().statuses.snapshot()


@router.websocket(LIVE)
async def live(socket: WebSocket) -> None:
    """Send the full picture, then every change, as STATUS_UPDATE messages."""
    await socket.accept()
    async with running(_send_changes(socket)):
        # Only receiving detects that the browser disconnected; its messages are ignored.
        while (await socket.receive())["type"] != "websocket.disconnect":
            pass


async def _send_changes(socket: WebSocket) -> None:
    async with contextlib.aclosing(wiring.services().statuses.changes()) as changes:
        async for changed in changes:
            await socket.send_json(_status_update(changed))


def _status_update(changed: Iterable[RestaurantStatus]) -> dict[str, Any]:
    now = wiring.services().clock.now()
    return {
        "type": "STATUS_UPDATE",
        "changes": [
            {
                "restaurantId": str(status.restaurant_id),
                "newStatus": _OPEN if status.is_open else _FORCED_CLOSED,
                "state": status.state.value,
            }
            for status in changed
        ],
        "timestamp": now.astimezone(CAMPUS_TIME_ZONE).isoformat(timespec="milliseconds"),
    }


@router.post(
    "/api/log-restaurant-selection",
    status_code=202,
    summary="Log that a visitor chose a restaurant",
    response_class=Response,
    responses=error_responses(413, 422, codes={404: ("unknown_restaurant",)}),
)
async def log_selection(selection: SelectionRequest) -> Response:
    """Only the restaurant's id is logged."""
    restaurant = find_restaurant(wiring.services().catalogue, selection.restaurant_id)
    logger.info("restaurant %s was chosen", restaurant.id)
    return Response(status_code=202)


@router.put(
    "/api/ops/restaurants/{restaurant_id}/status",
    summary="Open or close a restaurant",
    response_model=OverriddenStatus,
    responses=error_responses(401, 413, 422, 503, codes={404: ("unknown_restaurant",)}),
)
async def override_status(
    restaurant_id: Annotated[int, Path(examples=[3])],
    override: StatusOverride,
    by: Annotated[Actor, Depends(operator)],
) -> RestaurantStatus:
    """Overrides the opening hours until the restaurant is opened again; written to the audit."""
    return await wiring.services().statuses.set_override(
        restaurant_id,
        is_open=override.is_open,
        message=normalize_text(override.message),
        until=override.until,
        by=by,
    )


@router.get(
    "/api/menu/{restaurant_id}/availability",
    summary="Dishes that are sold out",
    response_model=Availability,
    responses=error_responses(422, codes={404: ("unknown_restaurant",)}),
    dependencies=[Depends(no_store)],
)
async def availability(
    restaurant_id: Annotated[int, Path(examples=[3])],
) -> dict[str, object]:
    """Sold out until the kitchen's next opening; the open pages get every change pushed."""
    services = wiring.services()
    restaurant = find_restaurant(services.catalogue, restaurant_id)
    return {"soldOut": services.statuses.sold_out(restaurant.id)}


@router.put(
    "/api/ops/restaurants/{restaurant_id}/dishes/{dish_id}/availability",
    summary="Mark a dish as sold out or available",
    response_model=Availability,
    responses=error_responses(
        401, 413, 422, 503, codes={404: ("unknown_restaurant", "unknown_item", "menu_unavailable")}
    )
    | error_responses(codes={500: ("menu_unavailable",)}),
)
async def set_availability(
    restaurant_id: Annotated[int, Path(examples=[3])],
    dish_id: Annotated[str, Path(max_length=MAXIMUM_ID_CHARACTERS, examples=["301"])],
    dish: DishAvailability,
    by: Annotated[Actor, Depends(operator)],
) -> dict[str, object]:
    """Sold out until the kitchen's next opening; written to the audit."""
    status = await wiring.services().statuses.set_sold_out(
        restaurant_id, dish_id, is_sold_out=not dish.is_available, by=by
    )
    return {"soldOut": status.sold_out}
