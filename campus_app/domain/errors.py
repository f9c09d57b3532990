"""What can go wrong in the ordering product.

OrderingError                    a rule said no; `code` as in specification C3.6, text for people
├── NotFound                     restaurant, dish or order that does not exist
├── Conflict                     right in itself, but not now: closed, taken, changed
│   └── PriceMismatch            carries the bill that holds now
└── Invalid                      wrong in itself; `fields` says where
MenuUnavailable                  a menu that can't be shown; the text is the specification's
PaymentError                     the payment provider
├── ProviderRejected             it refused for good
├── ProviderUnavailable          it may work later
│   └── ProviderBusy             as soon as its quota allows; `retry_after_seconds` says when
├── BadSignature                 a notice that it did not sign
└── StaleNotice                  a notice far too old to be meant
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from campus_app.domain.bill import Bill


class OrderingError(Exception):
    """A rule said no."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


class NotFound(OrderingError):
    """A restaurant, dish or order that does not exist."""


class Conflict(OrderingError):
    """Right in itself, but not now."""


class PriceMismatch(Conflict):
    """What the customer saw is not what it costs now."""

    def __init__(self, message: str, bill: "Bill") -> None:
        super().__init__("price_mismatch", message)
        self.bill = bill


class Invalid(OrderingError):
    """Wrong in itself; `fields` maps the wrong field to what is wrong with it."""

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
    """A menu that can't be shown."""

    def __init__(self, message: str, status: int) -> None:
        super().__init__(message)
        self.message = message
        self.status = status


class PaymentError(Exception):
    """Something about the payment provider."""


class ProviderRejected(PaymentError):
    """The provider refused for good."""


class ProviderUnavailable(PaymentError):
    """The provider may answer later, where it said so after `retry_after_seconds` at the least."""

    def __init__(self, what: str, *, retry_after_seconds: float = 0.0) -> None:
        super().__init__(what)
        self.retry_after_seconds = retry_after_seconds


class ProviderBusy(ProviderUnavailable):
    """The provider's quota is used up at the moment; nothing was sent."""


class BadSignature(PaymentError):
    """A notice that the provider did not sign."""


class StaleNotice(PaymentError):
    """A notice far too old to be meant."""
