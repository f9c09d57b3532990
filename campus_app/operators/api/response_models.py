"""The Pydantic model of the health check."""

from typing import Literal

from pydantic import Field

from kit.http.errors import ResponseModel
from kit.redis.pubsub import PubSubState


class Health(ResponseModel):
    """Whether orders can be taken, and the state of each dependency."""

    status: Literal["ok", "degraded"]
    services: dict[str, PubSubState]
    waiting_mails: dict[str, int] = Field(
        description="Number of e-mails that wait for another attempt, by the reason of the last.",
        examples=[{"the mail server answered 450 4.2.0 to RCPT": 2}],
    )
