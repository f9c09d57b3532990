"""What the services need of the world outside, stated as needs, not as vendors.

Mail is shared with the other product and stands in the infrastructure.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time
from typing import Protocol

from campus_app.domain.audit import AuditEntry
from campus_app.domain.bill import Bill
from campus_app.domain.campus import Campus
from campus_app.domain.customer import Customer
from campus_app.domain.ledger import (
    LedgerFigures,
    LedgerPage,
    LedgerQuery,
    NoticeRecord,
    PaymentRecord,
    PurgedBatch,
)
from campus_app.domain.menu import Menu
from campus_app.domain.missed_call import CallReport, Ring
from campus_app.domain.money import Rupees
from campus_app.domain.notification import NoticeStatus
from campus_app.domain.order import Order, OrderLine
from campus_app.domain.payment import Payment, PaymentState, Settlement, Snapshot
from campus_app.domain.refund import RefundRecord, RefundState, ReportedRefund
from campus_app.domain.reservation import Hold, PreReservation
from campus_app.domain.restaurant import Restaurant
from campus_app.infrastructure.clock import Clock as Clock
from campus_app.infrastructure.mail import Mail as Mail
from campus_app.infrastructure.mail import Mailer as Mailer


class Catalogue(Protocol):
    """The restaurants and their menus."""

    def restaurants(self) -> Sequence[Restaurant]:
        """Return all restaurants, by id."""
        ...

    def restaurant(self, restaurant_id: int) -> Restaurant | None:
        """Return one restaurant."""
        ...

    def menu(self, restaurant_id: int) -> Menu:
        """Return what a restaurant sells now.

        Raises:
            MenuUnavailable: If its file is missing, empty, unreadable or holds no dish.
        """
        ...

    def sells(self, restaurant_id: int, item_id: str) -> bool:
        """Whether a dish is on a restaurant's menu, or was when it was last read."""
        ...


@dataclass(frozen=True)
class Switch:
    """The operator's switch of one restaurant."""

    restaurant_id: int
    is_open: bool
    message: str


class SwitchStore(Protocol):
    """Where the operator's switches are kept."""

    async def switches(self) -> Sequence[Switch]:
        """Return every switch that was ever turned."""
        ...

    async def turn(self, switch: Switch, entry: AuditEntry) -> None:
        """Keep a switch and its line of the audit: both or neither."""
        ...


@dataclass(frozen=True)
class OrderDraft:
    """An order that is right, priced and about to be stored."""

    restaurant: Restaurant
    campus: Campus
    customer: Customer
    lines: tuple[OrderLine, ...]
    bill: Bill
    note: str
    reservation: PreReservation | None
    fingerprint: str
    """What makes two requests the same order."""
    idempotency_key: str
    """Two orders never share one; without one it is an order by itself."""
    reservation_id: str = ""
    """The hold on the seats, where the customer says that there is one."""
    wanted_number: int | None = None
    cart_key: str = ""
    cart_generation: int = 0
    """Which order of its cart this is, from 1."""
    replaces: str = ""
    """The key of an unpaid order that this one takes the place of."""
    language: str = "en"


@dataclass(frozen=True)
class StoredOrder:
    """An order with its payment, and the fingerprint it was stored under."""

    order: Order
    payment: Payment
    fingerprint: str
    cart_generation: int


SeatCheck = Callable[[int], bool]
"""Whether an order's table is still its own, or free again, where a slot has so many seats."""


class OrderStore(Protocol):
    """Where orders, payments and their notices are kept; each change is one transaction."""

    async def place(self, draft: OrderDraft, at: datetime, provider: str) -> StoredOrder:
        """Store an order with its payment, once per idempotency key.

        Return the order that already holds the key, if one does. A table's seats are held from
        here on, those of an order that is replaced are free again.

        Raises:
            Conflict: `order_id_taken` if the wanted number is another order's; `already_paid` if
                the order to replace was paid meanwhile; `slot_unavailable` if the seats are gone.
        """
        ...

    async def by_id(self, order_id: str) -> StoredOrder | None:
        """Return the order with this key."""
        ...

    async def by_number(self, number: str) -> StoredOrder | None:
        """Return the order that holds this number, or held it last."""
        ...

    async def by_token(self, response_token: str) -> StoredOrder | None:
        """Return the order that this unguessable token leads to."""
        ...

    async def by_reference(self, reference: str) -> StoredOrder | None:
        """Return the order whose payment the provider knows by this reference."""
        ...

    async def by_payment(self, payment_id: str) -> StoredOrder | None:
        """Return the order of this payment."""
        ...

    async def by_key(self, idempotency_key: str) -> StoredOrder | None:
        """Return the order that was stored under this idempotency key."""
        ...

    async def newest_of_cart(self, cart_key: str) -> StoredOrder | None:
        """Return the newest order of a cart."""
        ...

    async def move(self, payment: Payment, wanted: PaymentState, reason: str) -> bool:
        """Move a payment to a state short of PAID; False if it can't go there any more."""
        ...

    async def opened(self, payment_id: str, check_at: datetime | None) -> None:
        """Say that a payment can be paid, and when to ask after it; one that failed waits again."""
        ...

    async def mark_unreadable(self, payment_id: str) -> bool:
        """Mark a payment that its provider calls paid in figures that cannot be read.

        It waits again if it had failed; operators find it until its state changes. False if it was
        marked before, or is paid.
        """
        ...

    async def record_paid(
        self,
        found: StoredOrder,
        snapshot: Snapshot,
        decide: Callable[[StoredOrder, SeatCheck], Settlement],
        at: datetime,
    ) -> StoredOrder | None:
        """Record that the money arrived: payment, order, seats and notices in one transaction.

        `decide` sees the states as they are under the transaction's lock, whatever they were when
        the order was found. Return it as it is afterwards; None if it was recorded before.
        """
        ...

    async def keep_seats(self, order: Order, seats: int, at: datetime) -> bool:
        """Hold the seats of an unpaid order again if they have lapsed.

        False if others have them; `seats` are those of its slot.
        """
        ...

    async def due_for_check(self, at: datetime, limit: int) -> Sequence[Payment]:
        """Return payments whose truth should be asked for now, each to one caller alone.

        One for which nothing was planned since, as its caller died, comes up again in a minute.
        """
        ...

    async def check_unpaid(self, reference: str, at: datetime) -> Payment | None:
        """Plan to ask after the payment that the provider knows so, and return it.

        None, and nothing is planned, if it is paid or nobody knows it.
        """
        ...

    async def plan_check(
        self, payment_id: str, at: datetime | None, *, even_if_paid: bool = False
    ) -> None:
        """Say when a payment is asked after next; None means never again.

        One that is paid is asked after only where it may have been paid a second time.
        """
        ...

    async def notices(self, order_id: str) -> NoticeStatus:
        """Return how far the order's notices have come."""
        ...


class HoldStore(Protocol):
    """Where seats are kept free for somebody who may still pay for them."""

    async def hold(
        self, wanted: PreReservation, seats: int, at: datetime, *, instead_of: str = ""
    ) -> Hold | None:
        """Hold seats of a slot that has so many, and release the hold `instead_of`.

        None, and nothing is changed, if there are not enough.
        """
        ...

    async def find(self, reservation_id: str) -> Hold | None:
        """Return the hold with this id."""
        ...

    async def release(self, reservation_id: str) -> None:
        """Give the seats of a hold back, unless they are paid for."""
        ...

    async def seats_taken(self, restaurant_id: int, day: date, at: datetime) -> Mapping[time, int]:
        """Return how many seats of each slot of a day are nobody else's to have."""
        ...


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


@dataclass(frozen=True)
class MissedCall:
    """A call that rings and hangs up."""

    to: str
    restaurant_id: int
    order_number: str
    order_id: str
    useful_until: datetime
    """After that the phone need not begin to ring any more."""


class PhoneCaller(Protocol):
    """Rings a phone once about an order."""

    async def ring(self, call: MissedCall) -> None:
        """Ring.

        Raises:
            DeliveryRejected: If the number will never ring.
            DeliveryPostponed: If it certainly did not ring and may later.
            OutcomeAwaited: If it may ring just now; asked again, it says how that went.
        """
        ...


class TelephoneService(Protocol):
    """Calls phones, and says how that went."""

    name: str
    """Stands in the address of its notices."""

    async def place(self, phone: str, notice_url: str) -> CallReport:
        """Call a phone that rings and hears nothing.

        Raises:
            OutcomeUnknown: If it may ring, and the service does not say so.
            DeliveryRejected: If it will never ring.
            ChannelDown: If it certainly does not, and may later.
        """
        ...

    async def find(self, phone: str, since: datetime, until: datetime) -> Sequence[CallReport]:
        """Return the calls to a phone that were asked for in that time, the newest first.

        Raises:
            DeliveryRejected: If the service does not say.
            DeliveryPostponed: If it may say so later.
        """
        ...

    async def fetch(self, sid: str) -> CallReport:
        """Return how a call stands.

        Raises:
            DeliveryRejected: If the service does not say.
            DeliveryPostponed: If it may say so later.
        """
        ...

    def parse_notice(self, url: str, headers: Mapping[str, str], body: bytes) -> CallReport:
        """Return what a notice says that came to this address of ours.

        Raises:
            BadSignature: If it is not the service's, or none that we can read.
        """
        ...

    def is_up(self) -> bool:
        """Whether calls can be asked for now, as far as is known."""
        ...


class RingStore(Protocol):
    """The calls that were asked for."""

    async def last(self, order_id: str) -> Ring | None:
        """Return the newest one about an order."""
        ...

    async def begin(self, ring: Ring) -> bool:
        """Note that a call is about to be asked for; False if this one was noted before."""
        ...

    async def withdraw(self, ring: Ring) -> None:
        """Forget one that certainly was not made."""
        ...

    async def hear(
        self, token: str, report: CallReport, at: datetime, *, is_certain: bool
    ) -> Ring | None:
        """Take in what the service says of a ring; None if it is not about that one.

        Whoever waits for how it ends is woken. What the service itself says of this ring
        (`is_certain`) takes the call from a ring that it only looked like.
        """
        ...

    async def count(self, restaurant_id: int, since: datetime) -> int:
        """Return how often a restaurant was called since then."""
        ...

    async def unclaimed(self, sids: Sequence[str]) -> Sequence[str]:
        """Return which of these calls belong to no ring, in the same order."""
        ...


class AuditTrail(Protocol):
    """What operators did; lines are only ever added."""

    async def record(self, entry: AuditEntry) -> None:
        """Add a line that is about no change of the database."""
        ...

    async def entries(
        self, *, subject: str = "", since: datetime | None = None, limit: int
    ) -> Sequence[AuditEntry]:
        """Return the newest lines, the last one first."""
        ...


class Ledger(Protocol):
    """The books as operators read them, and the two things that they may do to them."""

    async def page(self, query: LedgerQuery) -> LedgerPage:
        """Return the newest orders that a query is about."""
        ...

    async def figures(self, at: datetime) -> LedgerFigures:
        """Return how many orders, payments, refunds and effects stand where."""
        ...

    async def payment(self, order_id: str) -> PaymentRecord:
        """Return all that is known of the payment of an order that exists."""
        ...

    async def notices(self, order_id: str) -> Sequence[NoticeRecord]:
        """Return how far each notice of an order has come."""
        ...

    async def retry_notices(
        self, order_id: str, entry_of: Callable[[Sequence[str]], AuditEntry]
    ) -> Sequence[str]:
        """Let notices that were given up or wait run now; return their topics.

        One that may have rung a phone already is left alone. The line of the audit says which.
        """
        ...

    async def retry_mail(self, topics: Sequence[str], entry_of: Callable[[int], AuditEntry]) -> int:
        """Ask the running server to try the mails that wait; return how many of these topics do.

        The entry of the audit says how many.
        """
        ...

    async def count_personal(self, before: datetime) -> int:
        """Return how many orders placed before then still hold personal data."""
        ...

    async def purge(
        self,
        before: datetime,
        limit: int,
        entry_of: Callable[[int], AuditEntry],
        *,
        reached: datetime | None = None,
    ) -> PurgedBatch:
        """Remove the personal data of so many such orders, the oldest first, with its audit.

        `reached` is how far an earlier batch came: what is older need not be looked at again.
        """
        ...


class RunningServer(Protocol):
    """The server that serves this installation, if it runs."""

    async def turn(self, switch: Switch, operator: str) -> bool:
        """Ask it to turn a switch; True if it says that it has."""
        ...
