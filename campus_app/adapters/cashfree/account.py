"""The account at Cashfree, and how many calls it is granted.

Source: Cashfree API reference, authentication and rate limits.
"""

from dataclasses import dataclass, field
from enum import StrEnum

import httpx
from pydantic import SecretStr

PRODUCTION_HOST = "api.cashfree.com"


class Call(StrEnum):
    """The calls that Cashfree counts apart."""

    CREATE = "create"
    ORDER = "order"
    PAYMENTS = "payments"
    REFUND = "refund"
    GET_REFUND = "get refund"


_PRODUCTION_LIMITS = {
    Call.CREATE: 200,
    Call.ORDER: 400,
    Call.PAYMENTS: 100,
    Call.REFUND: 100,
    Call.GET_REFUND: 30,
}
_SANDBOX_LIMITS = {
    Call.CREATE: 30,
    Call.ORDER: 60,
    Call.PAYMENTS: 30,
    Call.REFUND: 30,
    Call.GET_REFUND: 30,
}
"""Calls a minute that Cashfree grants to an account."""


@dataclass(frozen=True)
class CashfreeAccount:
    """Which account pays into our pocket, and how its service is used."""

    client_id: str
    client_secret: SecretStr = field(repr=False)
    base_url: str
    api_version: str
    previous_client_secret: SecretStr = field(default=SecretStr(""), repr=False)
    uses_script: bool = True
    limit_percent: int = 80
    """How much of the published limits this process may use; an account may be granted more."""
    time_out_seconds: float = 10.0

    @property
    def is_production(self) -> bool:
        """Whether real money moves."""
        return httpx.URL(self.base_url).host == PRODUCTION_HOST

    @property
    def secrets(self) -> tuple[str, ...]:
        """What notices may be signed with: the secret, and while it is changed the last one."""
        both = (self.client_secret, self.previous_client_secret)
        return tuple(text for each in both if (text := each.get_secret_value()))

    def most_per_minute(self, call: Call) -> int:
        """Return how many calls of a kind this process may make in a minute."""
        granted = (_PRODUCTION_LIMITS if self.is_production else _SANDBOX_LIMITS)[call]
        return max(1, granted * self.limit_percent // 100)
