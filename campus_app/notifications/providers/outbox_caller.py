"""Missed calls as lines of a file, for development."""

import json
from pathlib import Path

from campus_app.notifications.rules.callers import MissedCall
from kit.clock import Clock
from kit.outbox_folder import OutboxFolder


class OutboxFolderCaller:
    """Appends each call to `calls.jsonl`."""

    def __init__(self, folder: Path, clock: Clock) -> None:
        self._folder = OutboxFolder(folder)
        self._clock = clock

    async def place_call(self, call: MissedCall) -> None:
        if not await call.is_wanted():
            return
        line = {
            "to": call.to,
            "restaurantId": call.restaurant_id,
            "orderId": call.order_number,  # the interface's name of the number: specification C2.9
            "at": self._clock.now().isoformat(),
        }
        await self._folder.append("calls.jsonl", json.dumps(line))
