"""Missed calls as lines of a file."""

import asyncio
import json

import pytest

from campus_app.adapters.sandbox.calls import OutboxFolderCaller
from campus_app.ports.calls import MissedCall
from tests.helpers.clock import WEDNESDAY, ManualClock

pytestmark = pytest.mark.anyio


def call_about(order_number, to="+910000000001"):
    return MissedCall(to, 1, order_number, "5f0c", WEDNESDAY)


CALL = call_about("AS_482")


def lines(folder):
    return [json.loads(line) for line in (folder / "calls.jsonl").read_text().splitlines()]


async def test_a_call_is_one_line_that_says_whom_for_what_and_when(tmp_path):
    # Source: specification C2.9.
    await OutboxFolderCaller(tmp_path / "outbox", ManualClock()).place_call(CALL)
    (line,) = lines(tmp_path / "outbox")
    at = line.pop("at")
    assert line == {"to": "+910000000001", "restaurantId": 1, "orderId": "AS_482"}
    assert WEDNESDAY.fromisoformat(at) == WEDNESDAY


async def test_calls_are_added_behind_those_of_an_earlier_run(tmp_path):
    for _ in range(2):
        await OutboxFolderCaller(tmp_path, ManualClock()).place_call(CALL)
    assert len(lines(tmp_path)) == 2


async def test_many_calls_at_once_are_a_line_each(tmp_path):
    caller = OutboxFolderCaller(tmp_path, ManualClock())
    calls = [call_about(f"AS_{number}") for number in range(100, 200)]
    await asyncio.gather(*(caller.place_call(call) for call in calls))
    assert sorted(line["orderId"] for line in lines(tmp_path)) == [
        call.order_number for call in calls
    ]


async def test_an_order_number_with_a_newline_is_still_one_line(tmp_path):
    await OutboxFolderCaller(tmp_path, ManualClock()).place_call(call_about("AS_\n482"))
    assert [line["orderId"] for line in lines(tmp_path)] == ["AS_\n482"]
