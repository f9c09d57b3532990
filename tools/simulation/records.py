"""The external services' records in the form that the audit reads; money in paise.

They are made of the fakes' own data: the provider's orders, the received mails and the calls.
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
class ProviderOrder:
    """The provider's record of an order, identified by our reference."""

    reference: str
    number: str
    paise: int
    """The requested amount."""
    status: str
    payments: Mapping[str, int]
    """The captured amounts, by the provider's payment id."""
    refunds: Mapping[str, int]
    """The refunded amounts, by our refund id."""

    @property
    def captured_paise(self) -> int:
        """The captured money, regardless of refunds."""
        return sum(self.payments.values())


@dataclass(frozen=True)
class ReceivedMail:
    """A mail as received by the mail server."""

    message_id: str
    recipient: str
    number: str
    """The order number in the subject."""
    received_at: float
    """Seconds since 1970, by the machine's clock."""


@dataclass(frozen=True)
class Call:
    """A call as the telephone service recorded it; `token` is from our webhook address."""

    sid: str
    to: str
    token: str
    statuses: tuple[str, ...]

    @property
    def has_rung(self) -> bool:
        """Whether the phone rang."""
        return "ringing" in self.statuses


def provider_order(reference: str, order: FakeOrder) -> ProviderOrder:
    """Return the provider's record of an order."""
    succeeded = [each for each in order.attempts if each["payment_status"] == "SUCCESS"]
    refunds = {
        name: _paise(refund["refund_amount"])
        for name, refund in order.refunds.items()
        if refund["refund_status"] == "SUCCESS"
    }
    return ProviderOrder(
        reference,
        order.body["order_tags"]["order_number"],
        _paise(order.body["order_amount"]),
        order.status,
        {each["cf_payment_id"]: _paise(each["payment_amount"]) for each in succeeded},
        refunds,
    )


def received_mails(server: MailServer) -> list[ReceivedMail]:
    """Return the mails that a server received."""
    received = zip(server.mails, server.recipients, server.received_at, strict=True)
    return [
        ReceivedMail(
            str(mail["Message-ID"]), recipients[0], _number_in(str(mail["Subject"])), round(at, 3)
        )
        for mail, recipients, at in received
    ]


def call_record(call: FakeCall) -> Call:
    """Return the record of a call."""
    token = call.fields.get("StatusCallback", [""])[0].rpartition("/")[2]
    return Call(call.sid, call.to, token, tuple(call.history))


def _number_in(subject: str) -> str:
    found = _ORDER_NUMBER.search(subject)
    return found[0] if found else ""


def _paise(rupees: Any) -> int:
    return int(Decimal(str(rupees)) * 100)
