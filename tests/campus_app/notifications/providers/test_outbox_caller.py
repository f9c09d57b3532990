"""The sandbox caller: it appends each missed call to a file as a line of JSON."""

import asyncio
import json

import pytest

from campus_app.notifications.providers.outbox_caller import OutboxFolderCaller
from campus_app.notifications.rules.callers import MissedCall
from tests.helpers.clock import WEDNESDAY, ManualClock

pytestmark = pytest.mark.anyio


def call_for(order_number):
    return MissedCall("+910000000001", 1, order_number, "5f0c", WEDNESDAY)


CALL = call_for("AS_482")


def records(folder):
    return [json.loads(line) for line in (folder / "calls.jsonl").read_text().splitlines()]


async def test_place_call_appends_json_line(tmp_path):
    # Source: specification C2.9.
    await OutboxFolderCaller(tmp_path / "outbox", ManualClock()).place_call(CALL)
    (record,) = records(tmp_path / "outbox")
    at = record.pop("at")
    assert record == {"to": "+910000000001", "restaurantId": 1, "orderId": "AS_482"}
    assert WEDNESDAY.fromisoformat(at) == WEDNESDAY


async def test_concurrent_calls_append_one_line_each(tmp_path):
    caller = OutboxFolderCaller(tmp_path, ManualClock())
    calls = [call_for(f"AS_{number}") for number in range(100, 200)]
    await asyncio.gather(*(caller.place_call(call) for call in calls))
    assert sorted(record["orderId"] for record in records(tmp_path)) == [
        call.order_number for call in calls
    ]
