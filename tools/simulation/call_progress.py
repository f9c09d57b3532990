"""Simulate the progress of calls: ringing, a final status, and webhooks, some of them lost."""

import asyncio
from random import Random

from tests.fakes.twilio import FakeCall, FakeTwilio
from tools.simulation.webhook_sender import WebhookSender

_POLL_SECONDS = 0.1
_CALL_SECONDS = 1.0
_FINAL_STATUS_WEIGHTS = {"no-answer": 90, "busy": 4, "completed": 4, "failed": 2}
_LOST_WEBHOOK_SHARE = 0.03


async def simulate_calls(twilio: FakeTwilio, webhooks: WebhookSender, rng: Random) -> None:
    """Move each new call to its final status, until cancelled."""
    tasks: set[asyncio.Task[None]] = set()
    started = 0
    try:
        while True:
            calls = list(twilio.calls.values())
            for call in calls[started:]:
                tasks.add(asyncio.create_task(_simulate(twilio, webhooks, call, rng)))
            started = len(calls)
            await asyncio.sleep(_POLL_SECONDS)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _simulate(
    twilio: FakeTwilio, webhooks: WebhookSender, call: FakeCall, rng: Random
) -> None:
    (final,) = rng.choices(list(_FINAL_STATUS_WEIGHTS), list(_FINAL_STATUS_WEIGHTS.values()))
    statuses = ("failed",) if final == "failed" else ("ringing", final)
    for status in statuses:
        await asyncio.sleep(_CALL_SECONDS / len(statuses))
        path, headers, body = twilio.move(call, status)
        is_lost = rng.random() < _LOST_WEBHOOK_SHARE
        if twilio.wants_webhook(call, status) and not is_lost:
            webhooks.send(path, headers, body, after=[rng.uniform(0.0, 0.5)])
