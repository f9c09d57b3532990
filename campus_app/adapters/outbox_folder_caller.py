"""Missed calls as lines of a file: what takes the place of a telephone service."""

import asyncio
import json
from pathlib import Path

from campus_app.ports import Clock, MissedCall


class OutboxFolderCaller:
    """Appends each call to `calls.jsonl`."""

    def __init__(self, folder: Path, clock: Clock) -> None:
        self._file = folder / "calls.jsonl"
        self._clock = clock

    async def ring(self, call: MissedCall) -> None:
        line = {
            "to": call.to,
            "restaurantId": call.restaurant_id,
            "orderId": call.order_number,
            "at": self._clock.now().isoformat(),
        }
        await asyncio.to_thread(self._append, json.dumps(line) + "\n")

    def _append(self, line: str) -> None:
        self._file.parent.mkdir(parents=True, exist_ok=True)
        with self._file.open("a", encoding="utf-8") as file:
            file.write(line)
