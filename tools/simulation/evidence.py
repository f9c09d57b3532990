"""The records that the audit compares: database, external services and customers."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from tools.simulation.customer_log import CustomerLog
from tools.simulation.db_rows import DatabaseRows
from tools.simulation.kitchen_log import DeviceLog
from tools.simulation.lunch_hour import Interval
from tools.simulation.records import Call, ProviderOrder, ReceivedMail
from tools.simulation.stack import Kill

UNCERTAIN_SECONDS = 15.0
"""Longest time between an effect and its record in our database, on a busy machine."""


@dataclass(frozen=True)
class Evidence:
    """All inputs of the audit."""

    database: DatabaseRows
    provider_orders: tuple[ProviderOrder, ...] = ()
    mails: tuple[ReceivedMail, ...] = ()
    calls: tuple[Call, ...] = ()
    customer_logs: tuple[CustomerLog, ...] = ()
    device_logs: tuple[DeviceLog, ...] = ()
    """The kitchens' devices."""
    kills: tuple[Kill, ...] = ()
    outages: tuple[Interval, ...] = ()
    closures: tuple[Interval, ...] = ()
    vendors: Mapping[int, tuple[str, str]] = field(default_factory=dict)
    """Each restaurant's e-mail address and phone, by its id."""
    seats_per_slot: int = 24
    clock_ahead_seconds: float = 0.0
    """How far the campus clock was ahead of the machine's clock during the hour."""
    clock_jumps: tuple[tuple[float, float], ...] = ()
    """When the campus clock was advanced after the hour, and by how many seconds."""
    clock_skew_seconds: float = 0.0
    """The largest difference between a process's clock and the campus clock."""

    @property
    def process_ends(self) -> list[float]:
        """When processes were killed, or stopped for a clock jump."""
        return [kill.at for kill in self.kills] + [at for at, _seconds in self.clock_jumps]

    def mails_by_recipient(self) -> dict[tuple[str, str], list[ReceivedMail]]:
        """Return the mails by order and recipient, oldest first."""
        mails: dict[tuple[str, str], list[ReceivedMail]] = defaultdict(list)
        for mail in sorted(self.mails, key=lambda each: each.received_at):
            mails[mail.number, mail.recipient].append(mail)
        return mails

    def calls_by_order(self) -> dict[str, list[Call]]:
        """Return the calls by order id, which is found through the token of the webhook address.

        Calls with an unknown token are under an empty id.
        """
        call_attempts = {attempt.token: attempt.order_id for attempt in self.database.call_attempts}
        calls: dict[str, list[Call]] = defaultdict(list)
        for call in self.calls:
            calls[call_attempts.get(call.token, "")].append(call)
        return calls

    def campus_ms(self, moment: float) -> int:
        """Return the campus time in milliseconds at a time in seconds since 1970."""
        jumped = sum(seconds for at, seconds in self.clock_jumps if at <= moment)
        return round((moment + self.clock_ahead_seconds + jumped) * 1000)


def external_records(content: Mapping[str, Any]) -> dict[str, Any]:
    """Return the records of the external services from their control API."""
    return {
        "provider_orders": tuple(ProviderOrder(**each) for each in content["provider_orders"]),
        "mails": tuple(ReceivedMail(**each) for each in content["mails"]),
        "calls": tuple(
            Call(**{**each, "statuses": tuple(each["statuses"])}) for each in content["calls"]
        ),
    }


def vendors(rows: Iterable[Mapping[str, str]]) -> dict[int, tuple[str, str]]:
    """Return each restaurant's e-mail address and phone, from the rows of `restaurants.csv`."""
    return {int(row["id"]): (row["vendor_email"], row["vendor_phone"]) for row in rows}
