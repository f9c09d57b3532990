"""An account at the fake Cashfree, with an example checkout request and refund."""

from datetime import timedelta

from pydantic import SecretStr

from campus_app.ordering.providers.cashfree.account import CashfreeAccount
from campus_app.ordering.rules.payment_provider import CheckoutRequest, Refund
from campus_app.shared.rules.money import rupees
from tests.fakes.cashfree import CLIENT_ID, CLIENT_SECRET
from tests.helpers.clock import WEDNESDAY
from tests.helpers.settings import ORIGIN

REFERENCE = "AS-0123456789abcdef0123456789abcdef"
REQUEST = CheckoutRequest(
    reference=REFERENCE,
    order_number="AS_482",
    amount=rupees("65.50"),
    customer_phone="+919800000001",
    return_url=f"{ORIGIN}/forms/response/token",
    expires_at=WEDNESDAY + timedelta(minutes=20),
    webhook_url=f"{ORIGIN}/payment/cashfree/webhook",
)
REFUND = Refund("rf01231", REFERENCE, rupees("65.50"), "It was paid twice.")
API_VERSION = "2025-01-01"


def account_at(address: str) -> CashfreeAccount:
    """Return the account at the Cashfree of this address, with its whole rate limit."""
    return CashfreeAccount(
        client_id=CLIENT_ID,
        client_secret=SecretStr(CLIENT_SECRET),
        base_url=f"{address}/pg",
        api_version=API_VERSION,
        limit_percent=100,
    )
