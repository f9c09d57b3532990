"""All sides of the books, laid beside each other: ours, the world's, the customers'."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.simulation.customer_log import Told
from tests.simulation.db_rows import Ours
from tests.simulation.hour import Happened
from tests.simulation.records import Call, Letter, Taken
from tests.simulation.stack import Death

UNCERTAIN_SECONDS = 15.0
"""Between something's having its effect and our writing that down, on a machine that is busy."""


@dataclass(frozen=True)
class Books:
    """What the audit reads, and nothing else."""

    ours: Ours
    taken: tuple[Taken, ...] = ()
    letters: tuple[Letter, ...] = ()
    calls: tuple[Call, ...] = ()
    told: tuple[Told, ...] = ()
    deaths: tuple[Death, ...] = ()
    outages: tuple[Happened, ...] = ()
    closures: tuple[Happened, ...] = ()
    vendors: Mapping[int, tuple[str, str]] = field(default_factory=dict)
    """Each restaurant's e-mail address and phone, by its id."""
    seats_per_slot: int = 24
    clock_ahead_seconds: float = 0.0
    """By how much the campus's clock was ahead of the machine's, in the hour."""
    skipped: tuple[tuple[float, float], ...] = ()
    """When it was put forward after the hour, and by how many seconds."""
    clocks_off_seconds: float = 0.0
    """How far a process's clock was off the campus's, at most."""

    @property
    def ends_of_processes(self) -> list[float]:
        """When processes were killed, or stopped so that they start again with a later clock."""
        return [death.at for death in self.deaths] + [at for at, _seconds in self.skipped]

    def letters_by_reader(self) -> dict[tuple[str, str], list[Letter]]:
        """Return the mails by order and reader, the first one first."""
        letters: dict[tuple[str, str], list[Letter]] = defaultdict(list)
        for letter in sorted(self.letters, key=lambda each: each.taken_at):
            letters[letter.number, letter.reader].append(letter)
        return letters

    def calls_by_order(self) -> dict[str, list[Call]]:
        """Return the calls by the order that the address of their notices was made for."""
        rings = {ring.token: ring.order_id for ring in self.ours.rings}
        calls: dict[str, list[Call]] = defaultdict(list)
        for call in self.calls:
            calls[rings.get(call.token, "")].append(call)
        return calls

    def campus_ms(self, moment: float) -> int:
        """Return what the campus's clock read at a moment in seconds since 1970."""
        skipped = sum(seconds for at, seconds in self.skipped if at <= moment)
        return round((moment + self.clock_ahead_seconds + skipped) * 1000)


def outside(content: Mapping[str, Any]) -> dict[str, Any]:
    """Return the world's side as it was handed out at its desk."""
    return {
        "taken": tuple(Taken(**each) for each in content["taken"]),
        "letters": tuple(Letter(**each) for each in content["letters"]),
        "calls": tuple(
            Call(**{**each, "statuses": tuple(each["statuses"])}) for each in content["calls"]
        ),
    }


def vendors(rows: Iterable[Mapping[str, str]]) -> dict[int, tuple[str, str]]:
    """Return the restaurants' addresses from the rows of their file."""
    return {int(row["id"]): (row["vendor_email"], row["vendor_phone"]) for row in rows}
