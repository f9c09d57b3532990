"""The sandbox caller: it appends each missed call to a file as a line of JSON."""

import json

import pytest

from campus_app.notifications.providers.outbox_caller import OutboxFolderCaller
from campus_app.notifications.rules.callers import MissedCall
from tests.helpers.clock import WEDNESDAY, ManualClock

pytestmark = pytest.mark.anyio


CALL = MissedCall("+910000000001", 1, "AS_482", "5f0c", WEDNESDAY)


async def test_place_call_appends_json_line(tmp_path):
    # Source: specification C2.9.
    await OutboxFolderCaller(tmp_path / "outbox", ManualClock()).place_call(CALL)
    (line,) = (tmp_path / "outbox" / "calls.jsonl").read_text().splitlines()
    record = json.loads(line)
    at = record.pop("at")
    assert record == {"to": "+910000000001", "restaurantId": 1, "orderId": "AS_482"}
    assert WEDNESDAY.fromisoformat(at) == WEDNESDAY
