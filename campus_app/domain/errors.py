"""The exceptions of the ordering product.

OrderingError                    a business rule refused; `code` is the API's, the text is for users
├── NotFound                     restaurant, dish or order does not exist
├── Conflict                     valid in itself, but not now: closed, taken, changed
│   ├── CartPaid                 the order of the cart is paid
│   ├── PriceMismatch            carries the current bill
│   └── DishesSoldOut            names the dishes
└── Invalid                      invalid input; `fields` maps each field to its error
MenuUnavailable                  a menu that cannot be shown; the message is the specification's
PaymentError                     an error of the payment provider
├── ProviderRejected             permanent refusal
├── ProviderUnavailable          temporary failure
│   └── ProviderBusy             rate limited; `retry_after_seconds` says how long
├── BadSignature                 a webhook that the provider did not sign
└── StaleWebhook                 a webhook whose timestamp is too old
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from campus_app.domain.messages import OrderMessage
from kit.text import join_isolated

if TYPE_CHECKING:
    from campus_app.domain.bill import Bill


class OrderingError(Exception):
    """A business rule refused the request."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


class NotFound(OrderingError):
    """The restaurant, dish or order does not exist."""


class Conflict(OrderingError):
    """The request is valid in itself, but conflicts with the current state."""


class CartPaid(Conflict):
    """The order with the dishes of a cart is paid. Source: specification M17."""

    def __init__(self, number: str) -> None:
        super().__init__("already_paid", OrderMessage.CART_PAID.of(number=number))


class PriceMismatch(Conflict):
    """The customer was shown another price than the current one; `bill` is the current bill."""

    def __init__(self, message: str, bill: "Bill") -> None:
        super().__init__("price_mismatch", message)
        self.bill = bill


class DishesSoldOut(Conflict):
    """Dishes of the order are sold out; `fields` names them. Source: specification 10.20."""

    def __init__(self, dishes: Sequence[str]) -> None:
        names = join_isolated(dishes)
        super().__init__("item_unavailable", OrderMessage.SOLD_OUT.of(dishes=names))
        self.fields = {"items": names}


class Invalid(OrderingError):
    """The input is invalid; `fields` maps each invalid field to its error message."""

    def __init__(
        self,
        message: str,
        fields: Mapping[str, str] | None = None,
        *,
        code: str = "validation_error",
    ) -> None:
        super().__init__(code, message)
        self.fields = dict(fields or {})


class MenuUnavailable(Exception):
    """The menu cannot be shown; `status` is an HTTP status code."""

    def __init__(self, message: str, status: int) -> None:
        super().__init__(message)
        self.message = message
        self.status = status


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
