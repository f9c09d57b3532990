"""Live status: the two calls, the socket, the operator's switch, the selection log."""

import contextlib
import logging
from collections.abc import Iterable
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Response, WebSocket
from fastapi.responses import JSONResponse

from campus_app import wiring
from campus_app.api.access import operator
from campus_app.api.answers import StatusesAnswer, SwitchedAnswer
from campus_app.api.wire import SelectionIn, SwitchIn
from campus_app.domain.audit import Actor
from campus_app.domain.constants import CAMPUS_TIME_ZONE
from campus_app.domain.customer import normalize_text
from campus_app.services.availability import RestaurantStatus
from kit.background import running
from kit.http.errors import error_answer, refusals

logger = logging.getLogger(__name__)
LIVE = "/api/restaurants/live"
router = APIRouter(tags=["restaurants"])

_OPEN, _FORCED_CLOSED = "1", "0"


def _checked_at() -> str:
    now = wiring.services().clock.now()
    return now.astimezone(CAMPUS_TIME_ZONE).isoformat(timespec="milliseconds")


@router.get(
    "/api/restaurants/status",
    summary="The status of every restaurant",
    response_model=StatusesAnswer,
)
@router.get(
    "/api/restaurants/status/init",
    summary="The same, for a page that opens",
    response_model=StatusesAnswer,
)
async def statuses() -> JSONResponse:
    picture = wiring.services().board.snapshot()
    return JSONResponse(picture, headers={"cache-control": "no-store"})


@router.websocket(LIVE)
async def live(socket: WebSocket) -> None:
    """Send the full picture, then every change, as STATUS_UPDATE messages."""
    await socket.accept()
    async with running(_tell(socket)):
        # Only who listens hears that the browser has left; what it says is not of interest.
        while (await socket.receive())["type"] != "websocket.disconnect":
            pass


async def _tell(socket: WebSocket) -> None:
    async with contextlib.aclosing(wiring.services().board.changes()) as changes:
        async for changed in changes:
            await socket.send_json(_status_update(changed))


def _status_update(changed: Iterable[RestaurantStatus]) -> dict[str, Any]:
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
        "timestamp": _checked_at(),
    }


@router.post(
    "/api/log-restaurant-selection",
    status_code=202,
    summary="Somebody chose a restaurant",
    response_class=Response,
    responses=refusals(404, 413, 422),
)
async def log_selection(selection: SelectionIn) -> Response:
    restaurant = wiring.services().catalogue.restaurant(selection.restaurant_id)
    if restaurant is None:
        return error_answer(404, "unknown_restaurant", "There is no such restaurant.")
    logger.info("restaurant %s was chosen", restaurant.id)
    return Response(status_code=202)


@router.put(
    "/api/ops/restaurants/{restaurant_id}/status",
    summary="The operator's switch",
    response_model=SwitchedAnswer,
    responses=refusals(401, 404, 413, 422, 503),
)
async def turn(
    restaurant_id: int, switch: SwitchIn, by: Annotated[Actor, Depends(operator)]
) -> JSONResponse:
    status = await wiring.services().board.set_override(
        restaurant_id, is_open=switch.is_open, message=normalize_text(switch.message), by=by
    )
    return JSONResponse({"restaurantId": restaurant_id, **status.fields()})
