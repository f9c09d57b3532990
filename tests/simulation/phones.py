"""The kitchens' phones: each call rings for a moment, and how it ended is told, mostly."""

import asyncio
from random import Random

from tests.fakes.twilio import FakeCall, FakeTwilio
from tests.simulation.webhook_sender import Post

_LOOK_SECONDS = 0.1
_RINGS_SECONDS = 1.0
_ENDINGS = {"no-answer": 90, "busy": 4, "completed": 4, "failed": 2}
_LOST_NOTICES = 0.03


async def ring(twilio: FakeTwilio, post: Post, rng: Random) -> None:
    """Let every call that is made ring and come to its end, until this is cancelled."""
    ringing: set[asyncio.Task[None]] = set()
    answered = 0
    try:
        while True:
            calls = list(twilio.calls.values())
            for call in calls[answered:]:
                ringing.add(asyncio.create_task(_goes(twilio, post, call, rng)))
            answered = len(calls)
            await asyncio.sleep(_LOOK_SECONDS)
    finally:
        for task in ringing:
            task.cancel()
        await asyncio.gather(*ringing, return_exceptions=True)


async def _goes(twilio: FakeTwilio, post: Post, call: FakeCall, rng: Random) -> None:
    (ending,) = rng.choices(list(_ENDINGS), list(_ENDINGS.values()))
    statuses = ("failed",) if ending == "failed" else ("ringing", ending)
    for status in statuses:
        await asyncio.sleep(_RINGS_SECONDS / len(statuses))
        path, headers, body = twilio.move(call, status)
        is_lost = rng.random() < _LOST_NOTICES
        if twilio.wants_notice_of(call, status) and not is_lost:
            post.send(path, headers, body, after=[rng.uniform(0.0, 0.5)])
