"""`GET /health`."""

from collections import Counter
from collections.abc import Mapping

from fastapi import APIRouter, Depends, Response

from campus_app.operators import wiring
from campus_app.operators.api.response_models import Health
from campus_app.shared.api.dependencies import no_store
from kit.db.errors import DatabaseUnavailable, InvalidQuery
from kit.mail.message import MAIL_CHANNEL
from kit.outbox.errors import NEEDS_OPERATOR
from kit.redis.pubsub import PubSubState

router = APIRouter(tags=["health"], dependencies=[Depends(no_store)])


async def waiting_mails() -> Mapping[str, int]:
    """Return the number of e-mails that wait for another attempt, by the reason of the last.

    Empty while the database is unavailable.
    """
    services = wiring.services()
    reasons: Counter[str] = Counter()
    try:
        failed = await services.outbox.failed(services.worker.topics_of(MAIL_CHANNEL))
    except (DatabaseUnavailable, InvalidQuery):
        return reasons
    for jobs in failed:
        if jobs.is_waiting:
            reasons[jobs.reason] += jobs.count
    return reasons


async def dependencies(waiting: Mapping[str, int]) -> dict[str, PubSubState]:
    """Return the last known state of each dependency of an order.

    Args:
        waiting: The e-mails that wait; mail is down if only an operator can help one of them.
    """
    services = wiring.services()
    needs_operator = any(reason.startswith(NEEDS_OPERATOR) for reason in waiting)
    calls = services.missed_calls
    return {
        "database": _state(is_up=await services.database.is_up()),
        "redis": await services.pubsub.state(),
        "payments": _state(is_up=services.payments.provider.is_up()),
        "mail": _state(is_up=services.mailer.is_up() and not needs_operator),
        "calls": _state(is_up=calls is None or calls.telephone.is_up()),
    }


def _state(*, is_up: bool) -> PubSubState:
    return "ok" if is_up else "down"


@router.get(
    "/health",
    summary="Whether orders can be taken",
    responses={503: {"model": Health, "description": "No order can be taken."}},
)
async def health(response: Response) -> Health:
    """`degraded` while any dependency is down; 503 while the database is."""
    waiting = await waiting_mails()
    states = await dependencies(waiting)
    if states["database"] == "down":
        response.status_code = 503
    return Health(
        status="degraded" if "down" in states.values() else "ok",
        services=states,
        waiting_mails=dict(waiting),
    )
