"""What each side has written down, as the audit reads it; money is whole paise.

Everything here comes from where it lies: tables, the provider's memory, mails as they arrived.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from tests.fakes.cashfree import FakeOrder
from tests.fakes.mail_server import MailServer
from tests.fakes.twilio import FakeCall

_ORDER_NUMBER = re.compile(r"\bAS_\d+")


@dataclass(frozen=True)
class Taken:
    """What the provider says of an order; it calls ours by their reference."""

    reference: str
    number: str
    paise: int
    """What it was asked to take."""
    status: str
    payments: Mapping[str, int]
    """What it took, by its own name of each attempt that succeeded."""
    refunds: Mapping[str, int]
    """What it gave back, by our name of the refund."""

    @property
    def taken_paise(self) -> int:
        """What came in, whatever went back since."""
        return sum(self.payments.values())


@dataclass(frozen=True)
class Letter:
    """A mail as the mail server has it."""

    message_id: str
    reader: str
    number: str
    """The order that its subject names."""
    taken_at: float
    """Seconds since 1970, by the machine's clock."""


@dataclass(frozen=True)
class Call:
    """A call as the telephone service has it; `token` is ours, in the address of its notices."""

    sid: str
    to: str
    token: str
    statuses: tuple[str, ...]

    @property
    def has_rung(self) -> bool:
        """Whether the phone showed it."""
        return "ringing" in self.statuses


def taken(reference: str, order: FakeOrder) -> Taken:
    """Return the provider's page of an order."""
    succeeded = [each for each in order.attempts if each["payment_status"] == "SUCCESS"]
    refunds = {
        name: _paise(refund["refund_amount"])
        for name, refund in order.refunds.items()
        if refund["refund_status"] == "SUCCESS"
    }
    return Taken(
        reference,
        order.body["order_tags"]["order_number"],
        _paise(order.body["order_amount"]),
        order.status,
        {each["cf_payment_id"]: _paise(each["payment_amount"]) for each in succeeded},
        refunds,
    )


def mailed(server: MailServer) -> list[Letter]:
    """Return the mails of a server."""
    arrived = zip(server.mails, server.readers, server.taken_at, strict=True)
    return [
        Letter(str(mail["Message-ID"]), readers[0], _number_in(str(mail["Subject"])), round(at, 3))
        for mail, readers, at in arrived
    ]


def called(call: FakeCall) -> Call:
    """Return a call."""
    token = call.fields["StatusCallback"][0].rpartition("/")[2]
    return Call(call.sid, call.to, token, tuple(call.history))


def _number_in(subject: str) -> str:
    found = _ORDER_NUMBER.search(subject)
    return found[0] if found else ""


def _paise(rupees: Any) -> int:
    return int(Decimal(str(rupees)) * 100)
