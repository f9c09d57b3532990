"""The exceptions of ordering and payment.

Conflict                         of `shared.rules.errors`
├── CartPaid                     the order of the cart is paid
└── PriceMismatch                carries the current bill
PaymentError                     an error of the payment provider
├── ProviderRejected             permanent refusal
├── ProviderUnavailable          temporary failure
│   └── ProviderBusy             rate limited; `retry_after_seconds` says how long
├── BadSignature                 a webhook that the provider did not sign
└── StaleWebhook                 a webhook whose timestamp is too old
"""

from campus_app.ordering.rules.bill import Bill
from campus_app.shared.rules.errors import Conflict
from campus_app.shared.rules.messages import OrderMessage


class CartPaid(Conflict):
    """The order with the dishes of a cart is paid. Source: specification M17."""

    def __init__(self, number: str) -> None:
        super().__init__("already_paid", OrderMessage.CART_PAID.of(number=number))


class PriceMismatch(Conflict):
    """The customer was shown another price than the current one; `bill` is the current bill."""

    def __init__(self, message: str, bill: Bill) -> None:
        super().__init__("price_mismatch", message)
        self.bill = bill


class PaymentError(Exception):
    """The payment provider failed, refused, or sent something invalid."""


class ProviderRejected(PaymentError):
    """The provider refused permanently."""


class ProviderUnavailable(PaymentError):
    """The provider failed temporarily; `retry_after_seconds` is a lower bound, 0 if unknown."""

    def __init__(self, reason: str, *, retry_after_seconds: float = 0.0) -> None:
        super().__init__(reason)
        self.retry_after_seconds = retry_after_seconds


class ProviderBusy(ProviderUnavailable):
    """The rate limit is reached; no request was sent."""


class BadSignature(PaymentError):
    """The provider did not sign the webhook."""


class StaleWebhook(PaymentError):
    """The webhook's timestamp is too old."""
