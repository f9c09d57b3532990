"""Simulate the progress of calls: ringing, a final status, and most of the webhooks."""

import asyncio
from random import Random

from tests.fakes.twilio import FakeCall, FakeTwilio
from tests.simulation.webhook_sender import WebhookSender

_POLL_SECONDS = 0.1
_RINGS_SECONDS = 1.0
_ENDINGS = {"no-answer": 90, "busy": 4, "completed": 4, "failed": 2}
_LOST_WEBHOOKS = 0.03


async def simulate_calls(twilio: FakeTwilio, webhooks: WebhookSender, rng: Random) -> None:
    """Move each new call to its final status, until cancelled."""
    ringing: set[asyncio.Task[None]] = set()
    answered = 0
    try:
        while True:
            calls = list(twilio.calls.values())
            for call in calls[answered:]:
                ringing.add(asyncio.create_task(_simulate(twilio, webhooks, call, rng)))
            answered = len(calls)
            await asyncio.sleep(_POLL_SECONDS)
    finally:
        for task in ringing:
            task.cancel()
        await asyncio.gather(*ringing, return_exceptions=True)


async def _simulate(
    twilio: FakeTwilio, webhooks: WebhookSender, call: FakeCall, rng: Random
) -> None:
    (ending,) = rng.choices(list(_ENDINGS), list(_ENDINGS.values()))
    statuses = ("failed",) if ending == "failed" else ("ringing", ending)
    for status in statuses:
        await asyncio.sleep(_RINGS_SECONDS / len(statuses))
        path, headers, body = twilio.move(call, status)
        is_lost = rng.random() < _LOST_WEBHOOKS
        if twilio.wants_webhook(call, status) and not is_lost:
            webhooks.send(path, headers, body, after=[rng.uniform(0.0, 0.5)])
