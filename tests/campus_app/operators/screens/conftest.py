"""Visitors whose events run through Reflex's event processor."""

import asyncio

import pytest

from tests.helpers.screen_fixtures import *  # noqa: F403


@pytest.fixture
async def sent_at_once(services):
    """Answers events that wait until their page was sent its content: here nothing is sent."""

    async def answer():
        while True:
            await services.desk.changed.wait()
            services.desk.changed.clear()
            for each in services.desk.take_waiting():
                each.set()

    async with asyncio.TaskGroup() as tasks:
        answering = tasks.create_task(answer())
        yield
        answering.cancel()
