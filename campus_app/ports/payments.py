"""The payment provider, and stores of checkout sessions and refunds."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from campus_app.domain.audit import AuditEntry
from campus_app.domain.money import Rupees
from campus_app.domain.payment import Snapshot
from campus_app.domain.refund import RefundRecord, RefundState, ReportedRefund


@dataclass(frozen=True)
class CheckoutRequest:
    """What a provider needs to take a payment; of the customer it gets no more than it must."""

    reference: str
    order_number: str
    amount: Rupees
    customer_phone: str
    return_url: str
    expires_at: datetime
    notice_url: str = ""
    """Where the provider's notices go."""


@dataclass(frozen=True)
class Checkout:
    """Where the browser is sent to pay."""

    url: str


@dataclass(frozen=True)
class Handover:
    """What our own page `/pay/{token}` hands the browser over to the provider with.

    The form always works. Where a script is named, our `starter` starts the checkout with it, and
    the form is there for when the script does not come.
    """

    action: str
    fields: Mapping[str, str]
    starter: str
    """Our own script, by its address on our site."""
    script: str = ""
    """The provider's script, by its address on its site."""
    mode: str = ""
    """What the starter tells the provider's script."""
    sites: tuple[str, ...] = ()
    """The provider's sites: what the page may send to and load from."""


@dataclass(frozen=True)
class OpenHandover:
    """A handover that waits on our own page, and the payment that it is of."""

    payment_id: str
    handover: Handover


@dataclass(frozen=True)
class Nudge:
    """A provider's notice that something happened to a payment: never a verdict."""

    reference: str
    provider_payment_id: str = ""
    """The attempt that it is about, where it says so."""
    is_refund: bool = False


@dataclass(frozen=True)
class Refund:
    """Money to give back; the same `id` twice is one refund."""

    id: str
    reference: str
    amount: Rupees
    note: str


class PaymentProvider(Protocol):
    """Takes money; the only source of truth about it.

    Every method may raise ProviderUnavailable (later, perhaps) or ProviderRejected (never).
    How it is added: docs/adding-a-provider.md.
    """

    name: str

    async def create(self, request: CheckoutRequest) -> Checkout | Handover:
        """Open a payment, or open it again; the same reference twice is one payment."""
        ...

    async def fetch(self, reference: str) -> Snapshot:
        """Return how a payment stands."""
        ...

    def parse_webhook(
        self, headers: Mapping[str, str], body: bytes, at: datetime
    ) -> Sequence[Nudge]:
        """Return what a signed notice is about; no input or output.

        Whatever is signed and not understood is about nothing.

        Raises:
            BadSignature: If the provider did not sign exactly these bytes.
            StaleNotice: If the notice is far too old.
        """
        ...

    async def refund(self, refund: Refund) -> ReportedRefund:
        """Give money back, once per id; return the refund as the provider reports it.

        Asked again it is how to find out what became of it. Its figures are the provider's, never
        those of the request: the domain compares them.
        """
        ...

    async def cancel(self, reference: str) -> Snapshot:
        """Close a payment that nobody should pay any more, if the provider still can."""
        ...

    def is_up(self) -> bool:
        """Whether the provider can be asked now, as far as is known."""
        ...

    async def close(self) -> None:
        """Give back what asking it holds open."""
        ...


class HandoverStore(Protocol):
    """Where handovers wait for the browser."""

    async def keep(self, payment_id: str, handover: Handover, at: datetime) -> str:
        """Keep the handover of a payment; return its unguessable token, always the same."""
        ...

    async def token_since(self, payment_id: str, at: datetime) -> str:
        """Return the token of a payment's handover if it was kept at that time or later, or ""."""
        ...

    async def by_token(self, token: str) -> OpenHandover | None:
        """Return what a token leads to."""
        ...


@dataclass(frozen=True)
class OpenRefund:
    """A refund of which only the provider knows how it ends."""

    record: RefundRecord
    reference: str
    order_id: str


class RefundStore(Protocol):
    """Where it is kept what of the money goes back; each change is one transaction."""

    async def of_payment(self, payment_id: str) -> Sequence[RefundRecord]:
        """Return a payment's refunds, the first one first."""
        ...

    async def mark_surplus(
        self, payment_id: str, surplus: Rupees, at: datetime, *, has_unread: bool = False
    ) -> bool:
        """Mark as due what was paid on top; False if it was marked before.

        `has_unread`: a sum that is not known was paid as well.
        """
        ...

    async def begin(
        self,
        payment_id: str,
        entry_of: Callable[[Sequence[RefundRecord]], AuditEntry],
        at: datetime,
        *,
        whole: bool,
    ) -> Sequence[OpenRefund]:
        """Take on what is due, with its line of the audit; return what to ask the provider for.

        `whole`: the order's own payment goes back even if it is not due.
        """
        ...

    async def settle(self, refund_id: str, said: RefundState, at: datetime) -> bool:
        """Write down what the provider says; the money of one that failed is due again."""
        ...

    async def due_for_check(self, at: datetime, limit: int) -> Sequence[OpenRefund]:
        """Return open refunds whose outcome should be asked for now, and plan the next check."""
        ...

    async def open_of(self, reference: str) -> Sequence[OpenRefund]:
        """Return the open refunds of the payment that the provider knows by this reference."""
        ...
