"""The cooks of one kitchen, who use its two devices."""

import asyncio
import time
from random import Random

from campus_app.ordering.rules.cooking import CookingState
from tools.simulation.kitchen_device import KitchenDevice

_SECONDS_BEFORE = {
    CookingState.SEEN: (0.5, 4.0),
    CookingState.READY: (2.0, 9.0),
    CookingState.HANDED_OVER: (1.0, 6.0),
}
"""The shortest and longest wait before each button of a ticket is pressed, in that order."""
_BOTH_SHARE = 0.12
"""The share of presses that both devices make at the same time."""
_CUT_SHARE = 0.06
"""The share of presses whose line is cut directly after sending."""
_UNDO_SHARE = 0.08
"""The share of presses that are undone and made again."""
_UNDO_SECONDS = (0.3, 4.0)
"""The shortest and longest wait before a press is undone, and before it is made again."""
_SECONDS_BETWEEN_CUTS = 15.0
"""The mean time between two cuts of a device's line."""
_POLL_SECONDS = 0.2


class Cooks:
    """Press the buttons of every ticket that a device of their kitchen shows."""

    def __init__(self, devices: list[KitchenDevice], rng: Random) -> None:
        self.devices = devices
        self._rng = rng
        self._preparations: set[asyncio.Task[None]] = set()
        self._started: set[str] = set()
        for device in devices:
            device.on_board = self._start_new_orders

    async def stop(self) -> None:
        """Press no more buttons; raise the first error of a press."""
        for device in self.devices:
            device.on_board = lambda: None
        for task in self._preparations:
            task.cancel()
        for result in await asyncio.gather(*self._preparations, return_exceptions=True):
            if isinstance(result, Exception):  # CancelledError is none
                raise result

    def _start_new_orders(self) -> None:
        """Let the cooks prepare each order that a device shows for the first time."""
        shown = {order_id for device in self.devices for order_id in device.log.arrivals}
        for order_id in shown - self._started:
            self._started.add(order_id)
            self._preparations.add(asyncio.create_task(self._prepare(order_id)))

    async def _prepare(self, order_id: str) -> None:
        """Press the buttons of a ticket one after the other, with pauses and mistakes."""
        for target, seconds in _SECONDS_BEFORE.items():
            await asyncio.sleep(self._rng.uniform(*seconds))
            self._press(order_id, target)
            if self._rng.random() < _UNDO_SHARE:
                await asyncio.sleep(self._rng.uniform(*_UNDO_SECONDS))
                self._undo(order_id)
                await asyncio.sleep(self._rng.uniform(*_UNDO_SECONDS))
                self._press(order_id, target)

    def _press(self, order_id: str, target: CookingState) -> None:
        """Press a button on one device or on both, whether or not they are connected."""
        devices = [each for each in self.devices if order_id in each.board]
        if devices and self._rng.random() > _BOTH_SHARE:
            devices = [self._rng.choice(devices)]
        for device in devices:
            if device.board.ticket(order_id).state.rank < target.rank:
                device.press(order_id, target, is_cut=self._rng.random() < _CUT_SHARE)

    def _undo(self, order_id: str) -> None:
        """Undo the last press on one of the devices that offer it."""
        devices = [each for each in self.devices if order_id in each.board]
        devices = [each for each in devices if each.board.can_undo(order_id)]
        if devices:
            device = self._rng.choice(devices)
            device.press(order_id, device.board.ticket(order_id).previous)

    async def cut_lines(self) -> None:
        """Cut the lines of the devices at random, until cancelled."""
        async with asyncio.TaskGroup() as tasks:
            for device in self.devices:
                tasks.create_task(self._cut_lines_of(device))

    async def _cut_lines_of(self, device: KitchenDevice) -> None:
        while True:
            await asyncio.sleep(self._rng.expovariate(1 / _SECONDS_BETWEEN_CUTS))
            device.cut()


async def unconfirmed(devices: list[KitchenDevice], seconds: float) -> list[str]:
    """Wait until all devices are connected and all of their presses confirmed, at most `seconds`.

    Returns:
        A sentence for each device that is not; none if all are.
    """
    deadline = time.monotonic() + seconds
    while missing := [each for each in devices if each.board.waiting or not each.is_connected]:
        if time.monotonic() > deadline:
            break
        await asyncio.sleep(_POLL_SECONDS)
    return [
        f"device {each.log.device_id} is {'' if each.is_connected else 'not '}connected,"
        f" {len(each.board.waiting)} presses are not confirmed"
        for each in missing
    ]
