"""NotificationSender: their content, and that each is sent once."""

import asyncio
import re
from dataclasses import replace
from datetime import timedelta
from html.parser import HTMLParser

import pytest

from campus_app.notifications.rules.callers import MissedCall
from campus_app.notifications.services.notifications import NotificationSender
from campus_app.ordering.rules.instructions import Instructions
from campus_app.ordering.rules.notification import Notification, notifications_due
from campus_app.ordering.rules.order import OrderState
from campus_app.ordering.rules.payment import PaymentState
from campus_app.ordering.rules.upi import upi_link
from campus_app.ordering.sql.orders import SqlOrders
from campus_app.shared.rules.audit import Actor
from campus_app.shared.rules.errors import NotFound
from campus_app.shared.rules.messages import OrderMessage
from campus_app.shared.rules.money import format_rupees, rupees
from kit.background import running
from kit.outbox.errors import DeliveryPostponed, DeliveryRejected
from kit.outbox.models import NewJob, OutboxRow
from kit.outbox.worker import Effect, OutboxWorker
from tests.helpers.builders import CUSTOMER, order_request, reservation_request
from tests.helpers.clock import WEDNESDAY
from tests.helpers.databases import sqlite_only
from tests.helpers.flows import (
    calls,
    drain,
    mails,
    part,
    pay,
    press,
    sell,
    settle_down,
    with_orders,
)
from tests.helpers.outbox import add, run_batch
from tests.helpers.providers import ScriptedProvider
from tests.helpers.qr_codes import read_qr_code
from tests.helpers.tables import rows

pytestmark = [pytest.mark.anyio, sqlite_only]

HOSTILE = "<script>alert('x')</script> & \"<b>Aarav</b>\""


@pytest.fixture
def paid(services):
    """Stores and pays an order, and sends its notifications."""

    async def paid(request=None):
        stored = await services.ordering.prepare(request or order_request())
        stored = await pay(services, stored)
        await drain(services)
        return stored

    return paid


@pytest.fixture
def refunded(services):
    """Stores an order, closes its restaurant, pays the order and sends its notifications."""

    async def refunded(request):
        stored = await services.ordering.prepare(request)
        await services.checkouts.open(stored)
        await services.statuses.set_override(request.restaurant_id, is_open=False, message="")
        await press(services, stored)
        stored = await services.payments.reconcile(stored.payment)
        assert stored.order.state is OrderState.REFUND_DUE
        await drain(services)
        return stored

    return refunded


def sender(services, mailer, caller, kind=NotificationSender):
    """Return a sender of the services' orders with other transports."""
    orders, catalogue = services.payments.orders, services.catalogue
    return kind(orders, catalogue, mailer, caller, services.shortages, "")


def receipt_of(services, stored):
    """Return the URL of an order's receipt."""
    return f"{services.settings.origin}/forms/response/{stored.order.response_token}"


def lines(mail):
    return [line for line in part(mail, "plain").splitlines() if line]


def texts_of(mail):
    """Return what a mail's reader sees, in the plain part and in that of HTML."""
    return part(mail, "plain"), Words(part(mail, "html")).text


# Content


async def test_customer_mail_lists_dishes_paid_and_due_amounts(new_services, data_dir):
    services = new_services(data_dir=data_dir)
    sell(data_dir, 1, ["104,Rajma Chawal,,110,Rice", "112,Paneer Masala,,160.50,Curries"])
    request = order_request(donation=rupees(10), note="No onions")
    stored = await pay(services, await services.ordering.prepare(request))
    await drain(services)
    mail = mails(services)["mail.customer"]
    assert mail["To"] == "Aarav Sharma <aarav@students.example>"
    assert mail["Subject"] == f"Order {stored.order.number} confirmed, Pehla Food Point"
    assert lines(mail) == [
        "Thank you, Aarav Sharma!",
        f"Your order {stored.order.number} at Pehla Food Point is confirmed.",
        "Placed 18 Nov 2026, 13:00.",
        "2 x Rajma Chawal: ₹220",
        "1 x Paneer Masala: ₹160.50",
        "Subtotal: ₹380.50",
        "Delivery fee: ₹15",
        "Convenience fee: ₹0",
        "Donation for the campus dogs: ₹10",
        "Grand total: ₹405.50",
        "Paid online: ₹70",
        "To pay upon delivery: ₹335.50",
        "North Campus: Hostel 4, room 212",
        "Note for the kitchen: No onions",
        "Your phone: +91 98000 00001",
        f"Your receipt, for printing or tomorrow: {receipt_of(services, stored)}",
        "Questions about the food? Call Pehla Food Point: +91 00000 00001",
        "It usually takes 25-35 minutes.",
    ]


ENGLISH_WORDS = re.compile(
    r"\b(Thank|Your|order|Placed|Paid|pay|Subtotal|Delivery|Convenience|Grand|Table|Campus|Questions"
    r"|money|goes|back|whole|Nothing|usually)\b"
)


@pytest.mark.parametrize("make", [order_request, reservation_request])
async def test_customer_mail_is_in_language_of_order(services, paid, make):
    stored = await paid(replace(make(), language="hi"))
    sent = mails(services)
    for kind in ("plain", "html"):
        assert not ENGLISH_WORDS.search(part(sent["mail.customer"], kind))
        assert "कुल बिल" in part(sent["mail.customer"], kind)
        assert "Grand total" in part(sent["mail.vendor"], kind)
    assert sent["mail.customer"]["Subject"].startswith(f"ऑर्डर {stored.order.number} पक्का")
    assert sent["mail.vendor"]["Subject"].startswith("New order")


async def test_refund_mail_is_in_language_of_order(services, refunded):
    await refunded(order_request(language="hi"))
    (mail,) = mails(services).values()
    for kind in ("plain", "html"):
        assert not ENGLISH_WORDS.search(part(mail, kind))
        assert "रेस्टोरेंट ने ऑर्डर लेना बंद कर दिया" in part(mail, kind)


async def test_mail_is_english_when_language_is_unknown(services, paid):
    for language in ("xx", ""):
        stored = await paid(order_request(language=language))
        assert stored.order.language == "en"
    assert mails(services)["mail.customer"]["Subject"].startswith("Order ")


URDU = {"fullName": "عائشہ خان", "email": "a@b.example", "phoneNumber": "9800000001"}
ADDRESS = "ہاسٹل 4، کمرہ 212"


async def test_mails_isolate_right_to_left_texts_from_numbers(new_services, data_dir):
    # Source: specification 10.55.
    services = new_services(data_dir=data_dir)
    sell(data_dir, 1, ["104,بریانی,,160,Rice"])
    customer = URDU | {"address": ADDRESS}
    request = order_request("بغیر پیاز", quantities={"104": 2}, customer=customer)
    await pay(services, await services.ordering.prepare(request))
    await drain(services)
    vendor, customers = mails(services)["mail.vendor"], mails(services)["mail.customer"]
    for line in (
        "2 x \u2068بریانی\u2069: ₹320",
        "\u2068عائشہ خان\u2069, +91 98000 00001",
        f"North Campus: \u2068{ADDRESS}\u2069",
        "Note for the kitchen: \u2068بغیر پیاز\u2069",
    ):
        assert line in lines(vendor)
    assert "<b>\u2068عائشہ خان\u2069</b>, +91 98000 00001" in part(vendor, "html")
    assert "Thank you, \u2068عائشہ خان\u2069!" in lines(customers)


async def test_vendor_mail_lists_dishes_address_and_amount_to_collect(new_services, data_dir):
    services = new_services(data_dir=data_dir)
    sell(data_dir, 1, ["104,Rajma Chawal,,160,Rice"])
    request = order_request(quantities={"104": 2}, note="No onions")
    stored = await pay(services, await services.ordering.prepare(request))
    await drain(services)
    mail, bill = mails(services)["mail.vendor"], stored.order.bill
    assert mail["To"] == "Pehla Food Point <vendor1@pehla.example>"
    assert mail["Subject"] == f"New order {stored.order.number}: 2 dishes"
    assert lines(mail) == [
        f"New order {stored.order.number} for Pehla Food Point",
        f"Placed 18 Nov 2026, 13:00. Paid online: {format_rupees(bill.online)}.",
        "2 x Rajma Chawal: ₹320",
        "Subtotal: ₹320",
        f"Delivery fee: {format_rupees(bill.delivery_fee)}",
        f"Convenience fee: {format_rupees(bill.convenience_fee)}",
        f"Grand total: {format_rupees(bill.grand_total)}",
        f"To collect upon delivery: {format_rupees(bill.remaining)}",
        f"By UPI: {upi_link(stored.order, services.catalogue.restaurant(1), WEDNESDAY)}",
        "This link proves no payment: look for it in your own UPI app.",
        "Aarav Sharma, +91 98000 00001",
        "North Campus: Hostel 4, room 212",
        "Note for the kitchen: No onions",
    ]


async def test_mail_has_the_special_instructions(services, paid):
    asked = Instructions("No onions", "Leave it at gate 2", no_cutlery=True)
    await paid(order_request(instructions=asked))
    for mail in mails(services).values():
        for text in texts_of(mail):
            assert re.search(r"Note for the kitchen:\s+No onions", text)
            assert re.search(r"Note for the door:\s+Leave it at gate 2", text)
            assert "No cutlery, please" in text


async def test_mail_of_a_table_has_only_the_kitchens_note(services, paid):
    asked = Instructions("No onions", "Leave it at gate 2", no_cutlery=True)
    await paid(replace(reservation_request(), instructions=asked))
    for mail in mails(services).values():
        text = part(mail, "plain")
        assert "No onions" in text
        assert "gate 2" not in text
        assert "cutlery" not in text


class Words(HTMLParser):
    """The visible text of an HTML page, and its elements; the UPI code's is `img of a code`."""

    def __init__(self, page):
        super().__init__()
        self.text, self.elements = "", set()
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        source = dict(attrs).get("src", "")
        self.elements.add("img of a code" if source.startswith("cid:upi.") else tag)

    def handle_data(self, data):
        self.text += f" {data}"

    def __contains__(self, words):
        return " ".join(words.split()) in " ".join(self.text.split())


async def test_html_of_mail_has_same_content_as_text(services, paid):
    stored = await paid(order_request(donation=rupees(10), note="No onions", campus="south"))
    order, bill = stored.order, stored.order.bill
    assert len(mails(services)) == 2
    for mail in mails(services).values():
        page = Words(part(mail, "html"))
        assert f"<title>{mail['Subject']}</title>" in part(mail, "html")
        for words in (
            *(order.number, "Aarav Sharma", "+91 98000 00001", "South Campus: Hostel 4, room 212"),
            *("No onions", "Pehla Food Point", "18 Nov 2026, 13:00"),
            *(line.name for line in order.lines),
            f"Paid online {_rupees(bill.online)}",
            f"upon delivery {_rupees(bill.remaining)}",
            f"Grand total {_rupees(bill.grand_total)}",
            "Donation for the campus dogs ₹10",
        ):
            assert words in page
        assert "script" not in page.elements


def _rupees(amount):
    return f"₹{amount:.2f}".removesuffix(".00")


async def test_mails_state_slot_and_party_size_when_table_is_reserved(services, paid):
    """Source: specification S18."""
    stored = await paid(reservation_request())
    sent = mails(services)
    for to, due in {
        "mail.customer": "To pay at the restaurant",
        "mail.vendor": "To collect at the restaurant",
    }.items():
        for text in texts_of(sent[to]):
            for words in ("Table for 4", "Wed 18 Nov", "at 17:30", due, "Pre-reservation: 10% off"):
                assert words in text
            assert "upon delivery" not in text
        assert f"{due}: {_rupees(stored.order.bill.remaining)}" in part(sent[to], "plain")
    assert sent["mail.vendor"]["Subject"] == (
        f"New order {stored.order.number}: 5 dishes, table for 4 at 17:30, Wed 18 Nov"
    )


def pictures(message):
    return [each.get_content() for each in message.walk() if each.get_content_maintype() == "image"]


async def test_vendor_mail_has_qr_code_for_the_amount_due(services, paid):
    # Source: specification 10.12.
    stored = await paid()
    mail = mails(services)["mail.vendor"]
    link = upi_link(stored.order, services.catalogue.restaurant(1), WEDNESDAY)
    assert f"am={stored.order.bill.remaining:.2f}&" in link
    assert [read_qr_code(png) for png in pictures(mail)] == [link]
    assert f"cid:upi.{stored.order.id}@food-points" in part(mail, "html")
    assert f"By UPI: {link}\n" in part(mail, "plain")
    assert "img of a code" in Words(part(mail, "html")).elements
    for kind in ("plain", "html"):
        assert "proves no payment" in part(mail, kind)
    assert pictures(mails(services)["mail.customer"]) == []


async def test_vendor_mail_has_no_qr_code_when_the_kitchen_takes_no_upi(services, paid):
    await paid(order_request(restaurant_id=3, quantities={"301": 10}))
    mail = mails(services)["mail.vendor"]
    assert pictures(mail) == []
    assert "UPI" not in part(mail, "plain") + part(mail, "html")


@pytest.mark.parametrize("address", ["", CUSTOMER["address"]])
async def test_mails_mention_no_delivery_when_table_is_reserved(services, paid, address):
    """Source: specification S18."""
    await paid(replace(reservation_request(), customer=CUSTOMER | {"address": address}))
    for mail in mails(services).values():
        for text in (mail["Subject"], *texts_of(mail)):
            assert not re.search(r"deliver|door|hostel|campus:", text, re.IGNORECASE), text


async def test_refund_mail_mentions_no_delivery_when_table_was_reserved(services, refunded):
    await refunded(reservation_request())
    mail = mails(services)["mail.customer"]
    for text in texts_of(mail):
        assert not re.search(r"deliver|door|hostel", text, re.IGNORECASE), text


async def test_html_of_mail_escapes_customer_names(services, paid):
    customer = CUSTOMER | {"fullName": HOSTILE, "address": f"{HOSTILE}\r\nBcc: x@evil.example"}
    await paid(order_request(customer=customer, instructions=Instructions(HOSTILE, HOSTILE)))
    for mail in mails(services).values():
        page = Words(part(mail, "html"))
        assert page.text.count("<script>alert('x')</script>") >= 4
        assert not page.elements & {"script", "img", "iframe"}
        assert HOSTILE in part(mail, "plain")
        assert mail["Bcc"] is None
        assert len(mail["To"].addresses) == 1


async def test_html_of_mail_escapes_dish_and_restaurant_names(new_services, data_dir):
    services = new_services(data_dir=data_dir)
    sell(data_dir, 1, ['104,"<img src=x> & ""Rajma""",,410,Rice'])
    file = data_dir / "restaurants.csv"
    file.write_text(file.read_text().replace("Pehla Food Point", "<i>Pehla</i> & Sons", 1))
    services = new_services(data_dir=data_dir)
    await pay(services, await services.ordering.prepare(order_request(quantities={"104": 1})))
    await drain(services)
    for mail in mails(services).values():
        page = Words(part(mail, "html"))
        assert '<img src=x> & "Rajma"' in page
        assert "<i>Pehla</i> & Sons" in page
        assert not page.elements & {"img", "i"}


async def test_vendor_contacts_come_from_catalogue(services, paid):
    # Source: docs/invariants.md I19.
    customer = CUSTOMER | {"vendorEmail": "x@evil.example", "vendorPhone": "+919999999999"}
    await paid(order_request(customer=customer))
    assert mails(services)["mail.vendor"]["To"].addresses[0].addr_spec == "vendor1@pehla.example"
    assert calls(services)[0]["to"] == "+910000000001"


async def test_control_customer_controls_vendor_contacts_taken_from_order(services):
    class Believing(NotificationSender):
        def _restaurant(self, stored):
            restaurant, said = super()._restaurant(stored), stored.order.customer
            return replace(restaurant, vendor_email=said.email, vendor_phone=said.phone)

    believing = sender(services, services.mailer, services.missed_calls, Believing)
    stored = await services.ordering.prepare(order_request())
    await believing.mail_vendor(stored.order.id)
    assert mails(services)["mail.vendor"]["To"].addresses[0].addr_spec == CUSTOMER["email"]


async def test_refund_is_notified_to_customer_only(services, refunded):
    # Source: specification M11.
    stored = await refunded(order_request())
    (mail,) = mails(services).values()
    assert mail["To"] == "Aarav Sharma <aarav@students.example>"
    assert mail["Subject"] == f"Order {stored.order.number}: your money goes back to you"
    for text in texts_of(mail):
        assert "The restaurant stopped taking orders before the payment arrived." in text
        assert "Nothing will be delivered" in text
        assert "is confirmed" not in text
        assert "upon delivery" not in text
    assert f"your payment of {_rupees(stored.order.bill.online)}" in part(mail, "plain")
    assert calls(services) == []


async def test_vendor_is_not_notified_when_order_is_refunded_before(services):
    stored = await services.ordering.prepare(order_request())
    await services.checkouts.open(stored)
    await press(services, stored)
    await services.payments.reconcile(stored.payment)
    await services.operations.refund(stored.order.number, Actor("asha"), force=True)
    await drain(services)
    assert (list(mails(services)), calls(services)) == (["mail.customer"], [])
    assert "money goes back" in mails(services)["mail.customer"]["Subject"]
    requeued = await services.operations.retry_notifications(stored.order.number, Actor("asha"))
    assert set(requeued) == {"mail.vendor", "call.vendor"}
    await drain(services)
    assert (list(mails(services)), calls(services)) == (["mail.customer"], [])


@pytest.mark.parametrize(
    ("paid", "currency", "said"),
    [
        pytest.param("6500", "INR", "your payment of ₹6,500 for order", id="too much"),
        pytest.param("65", "USD", "your payment for order", id="in another currency"),
        pytest.param(None, "USD", "your payment for order", id="unknown amount"),
    ],
)
async def test_refund_mail_states_received_amount_when_wrong(services, paid, currency, said):
    provider = ScriptedProvider()
    scripted = replace(services.payments, provider=provider)
    stored = await services.ordering.prepare(order_request())
    amount = None if paid is None else rupees(paid)
    provider.set_state(stored, PaymentState.PAID, paid=amount, currency=currency)
    await scripted.reconcile(stored.payment)
    await drain(services)
    mail = mails(services)["mail.customer"]
    for text in texts_of(mail):
        assert said in " ".join(text.split())


# Exactly once


async def test_unpaid_order_is_not_notified(services):
    # Source: docs/invariants.md I14.
    stored = await services.ordering.prepare(order_request())
    await services.checkouts.open(stored)
    await drain(services)
    assert (mails(services), calls(services)) == ({}, [])


async def test_control_unpaid_order_is_notified_when_enqueued_at_creation(services):
    class Early(SqlOrders):
        async def create(self, draft, at, provider):
            stored = await super().create(draft, at, provider)
            due = notifications_due(OrderState.CONFIRMED)
            jobs = [NewJob(f"{n.value}:early", n.value, stored.order.id, {}, at) for n in due]
            await add(services.outbox, jobs)
            return stored

    early = with_orders(services, Early)
    await early.ordering.prepare(order_request())
    await drain(services)
    assert len(mails(services)) == 2


class Silent:
    """A mail server that accepts a mail but answers only when the test lets it."""

    def __init__(self):
        self.may_answer = asyncio.Event()

    async def send(self, _mail):
        await self.may_answer.wait()


async def test_payment_is_recorded_while_mail_server_hangs(services):
    # Source: docs/invariants.md I15.
    silent = sender(services, Silent(), Silent())
    effects = {
        Notification.CUSTOMER_MAIL.value: Effect(lambda job: silent.mail_customer(job.subject))
    }
    worker = OutboxWorker(services.outbox, effects, services.clock)
    async with running(worker.run()):
        for number in range(3):
            stored = await services.ordering.prepare(order_request(note=f"{number}"))
            async with asyncio.timeout(30):
                paid = await pay(services, stored)
            assert paid.payment.state is PaymentState.PAID


async def test_control_payment_waits_when_mails_are_sent_in_its_transaction(services):
    server, asked = Silent(), asyncio.Event()

    class Telling(SqlOrders):
        async def record_paid(self, found, snapshot, decide, at):
            asked.set()
            await server.send(None)
            return await super().record_paid(found, snapshot, decide, at)

    telling = with_orders(services, Telling)
    stored = await telling.ordering.prepare(order_request())
    async with running(pay(telling, stored)), asyncio.timeout(30):
        await asked.wait()
    current = await services.payments.orders.by_id(stored.order.id)
    assert current.payment.state is PaymentState.PENDING
    server.may_answer.set()
    paid = await telling.payments.reconcile(stored.payment)
    assert paid.payment.state is PaymentState.PAID


async def test_each_notification_is_sent_once_after_duplicates(services, paid, clock):
    # Source: specification S9.
    stored = await paid()
    before = {to: mail["Message-ID"] for to, mail in mails(services).items()}
    for _ in range(3):
        await services.payments.refresh_by_number(stored.order.number)
        await services.payments.reconcile(stored.payment)
        await settle_down(services, clock)
    assert {to: mail["Message-ID"] for to, mail in mails(services).items()} == before
    assert len(before) == 2
    assert len(calls(services)) == 1
    assert {row.attempts for row in await rows(services.database, OutboxRow)} == {1}


class Transport:
    """A mailer and a caller that fail when the test says so."""

    def __init__(self, error=None):
        self.error = error
        self.taken = []

    async def send(self, mail):
        self._take(mail.key)

    async def place_call(self, call):
        assert isinstance(call, MissedCall)
        self._take("call")

    def _take(self, what):
        if self.error is not None:
            raise self.error
        self.taken.append(what)


@pytest.fixture
def transport():
    return Transport()


@pytest.fixture
def work(services, transport):
    """Run the outbox with the test's transport."""
    notifications = sender(services, transport, transport)
    effects = {
        "mail.customer": Effect(lambda job: notifications.mail_customer(job.subject)),
        "mail.vendor": Effect(lambda job: notifications.mail_vendor(job.subject)),
        "call.vendor": Effect(
            lambda job: notifications.call_vendor(job.subject), at_most_once=True
        ),
    }
    return OutboxWorker(services.outbox, effects, services.clock)


async def test_failing_transport_delays_notifications_without_loss(
    services, transport, work, clock
):
    # Source: docs/invariants.md I15.
    stored = await pay(services, await services.ordering.prepare(order_request()))
    transport.error = DeliveryPostponed("the server is away")
    for _ in range(3):
        await run_batch(work)
        clock.advance(minutes=20)
    progress = await services.lookup.progress(stored.order.number)
    assert (progress.status, progress.notifications.emails_sent) == ("SUCCESS", 0)
    transport.error = None
    await run_batch(work)
    assert sorted(key.partition(":")[0] for key in transport.taken) == [
        "call",
        "mail.customer",
        "mail.vendor",
    ]
    progress = await services.lookup.progress(stored.order.number)
    assert (progress.notifications.emails_sent, progress.notifications.missed_call) == (
        2,
        "success",
    )


async def test_email_errors_contain_no_address(services, transport, work):
    stored = await pay(services, await services.ordering.prepare(order_request()))
    transport.error = DeliveryRejected("550 no such mailbox")
    await run_batch(work)
    progress = (await services.lookup.progress(stored.order.number)).notifications
    assert (progress.emails_sent, progress.missed_call) == (0, "failed")
    assert progress.email_errors == (
        "The mail to the customer could not be delivered.",
        "The mail to the vendor could not be delivered.",
    )


async def test_mail_key_is_the_same_on_every_retry(services, transport, work, clock):
    # Source: docs/invariants.md I13.
    stored = await pay(services, await services.ordering.prepare(order_request()))
    transport.error = OSError("cut off")
    await run_batch(work)
    clock.advance(minutes=20)
    transport.error = None
    await run_batch(work)
    assert sorted(transport.taken) == [
        f"mail.customer:{stored.order.id}",
        f"mail.vendor:{stored.order.id}",
    ]


async def test_concurrent_notifications_share_one_order_query(services, paid, transport):
    stored = await paid()

    class Counting(SqlOrders):
        looks = 0

        async def by_id(self, order_id):
            self.looks += 1
            return await super().by_id(order_id)

    orders = Counting(services.database, services.outbox.wake.set)
    notifications = NotificationSender(
        orders, services.catalogue, transport, transport, services.shortages, ""
    )
    effects = (notifications.mail_customer, notifications.mail_vendor, notifications.call_vendor)
    for looks in (1, 2):
        await asyncio.gather(*(effect(stored.order.id) for effect in effects))
        assert orders.looks == looks


@pytest.mark.parametrize("is_paid", [True, False], ids=["paid", "not paid"])
async def test_call_deadline_is_10_minutes_after_payment(services, clock, transport, is_paid):
    class Caller:
        async def place_call(self, call):
            self.call = call

    stored = await services.ordering.prepare(order_request())
    since = stored.order.created_at
    if is_paid:
        since = clock.advance(minutes=7)
        await pay(services, stored)
    caller = Caller()
    await sender(services, transport, caller).call_vendor(stored.order.id)
    assert caller.call == MissedCall(
        "+910000000001", 1, stored.order.number, stored.order.id, since + timedelta(minutes=10)
    )


async def test_notification_raises_not_found_for_unknown_order(services, transport):
    for name in ("mail_customer", "mail_vendor", "call_vendor"):
        with pytest.raises(NotFound) as raised:
            await getattr(sender(services, transport, transport), name)("unknown")
        assert raised.value.code == "unknown_order"
        assert raised.value.message == OrderMessage.UNKNOWN_ORDER


async def test_notification_raises_not_found_for_unknown_restaurant(
    services, new_services, data_dir, transport
):
    stored = await services.ordering.prepare(order_request())
    file = data_dir / "restaurants.csv"
    header, _first, *others = file.read_text().splitlines()
    file.write_text("\n".join([header, *others]))
    without = new_services(data_dir=data_dir)
    with pytest.raises(NotFound) as raised:
        await sender(without, transport, transport).mail_customer(stored.order.id)
    assert raised.value.message == OrderMessage.UNKNOWN_RESTAURANT
    assert raised.value.code == "unknown_restaurant"
