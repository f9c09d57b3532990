"""The Cashfree account and its published rate limits.

Source: Cashfree API reference, authentication and rate limits.
"""

from dataclasses import dataclass, field
from enum import StrEnum

import httpx
from pydantic import SecretStr

PRODUCTION_HOST = "api.cashfree.com"


class Endpoint(StrEnum):
    """The API calls that Cashfree rate limits separately."""

    CREATE = "create"
    ORDER = "order"
    PAYMENTS = "payments"
    REFUND = "refund"
    GET_REFUND = "get refund"


_PRODUCTION_LIMITS = {
    Endpoint.CREATE: 200,
    Endpoint.ORDER: 400,
    Endpoint.PAYMENTS: 100,
    Endpoint.REFUND: 100,
    Endpoint.GET_REFUND: 30,
}
_SANDBOX_LIMITS = {
    Endpoint.CREATE: 30,
    Endpoint.ORDER: 60,
    Endpoint.PAYMENTS: 30,
    Endpoint.REFUND: 30,
    Endpoint.GET_REFUND: 30,
}
"""Calls per minute that Cashfree grants to an account."""


@dataclass(frozen=True)
class CashfreeAccount:
    """Credentials, endpoint and limits of a Cashfree account."""

    client_id: str
    client_secret: SecretStr = field(repr=False)
    base_url: str
    api_version: str
    previous_client_secret: SecretStr = field(default=SecretStr(""), repr=False)
    uses_script: bool = True
    limit_percent: int = 80
    """The part of the published limits that we use; above 100 if the account is granted more."""
    processes: int = 1
    """The number of processes that share the account's limits."""
    timeout_seconds: float = 10.0

    @property
    def is_production(self) -> bool:
        """Whether the account is a production account, with real money."""
        return httpx.URL(self.base_url).host == PRODUCTION_HOST

    @property
    def secrets(self) -> tuple[str, ...]:
        """The secrets that may sign webhooks; two during a rotation."""
        both = (self.client_secret, self.previous_client_secret)
        return tuple(text for each in both if (text := each.get_secret_value()))

    def calls_per_minute(self, call: Endpoint) -> int:
        """Return how many calls per minute a process may make to an endpoint: at least one."""
        granted = (_PRODUCTION_LIMITS if self.is_production else _SANDBOX_LIMITS)[call]
        return max(1, granted * self.limit_percent // (100 * self.processes))
