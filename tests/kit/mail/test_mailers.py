"""What every mailer must do, run against each of them."""

import asyncio

import pytest

from kit.outbox.errors import DeliveryPostponed, DeliveryRejected
from tests.helpers.builders import mail
from tests.helpers.mail_harness import SENDER, open_mail_harness

pytestmark = pytest.mark.anyio


@pytest.fixture(params=["outbox", "smtp"])
async def harness(request, clock, tmp_path):
    """Each mailer in turn."""
    async with open_mail_harness(request.param, clock, tmp_path) as opened:
        yield opened


def ids(harness):
    return sorted(each["Message-ID"] for each in harness.arrived())


async def test_mail_arrives_unchanged(harness):
    written = mail(text="₹65 to pay\n", to_name="आरव शर्मा")
    await harness.mailer.send(written)
    (arrived,) = harness.arrived()
    (reader,) = arrived["To"].addresses
    assert (reader.display_name, reader.addr_spec) == (written.to_name, written.to)
    assert (arrived["From"], arrived["Subject"]) == (SENDER, written.subject)
    for kind, content in (("plain", written.text), ("html", written.html)):
        body = arrived.get_body((kind,)).get_content()
        assert body.replace("\r\n", "\n").strip() == content.strip()


async def test_sender_of_a_mail_overrides_the_default(harness):
    await harness.mailer.send(mail(sender="DA'VINCI <hello@davinci.example>"))
    (arrived,) = harness.arrived()
    assert arrived["From"].addresses[0].addr_spec == "hello@davinci.example"


async def test_retried_mail_has_the_same_message_id(harness):
    # Source: specification P4.1.
    for _ in range(3):
        await harness.mailer.send(mail())
    assert len(ids(harness)) == 1
    await harness.mailer.send(mail(key="another"))
    assert len(set(ids(harness))) == 2


async def test_concurrent_mails_all_arrive(harness):
    await asyncio.gather(*(harness.mailer.send(mail(key=str(number))) for number in range(12)))
    assert len(set(ids(harness))) == 12


@pytest.mark.parametrize(
    "changes",
    [
        {"subject": "Order\r\nBcc: everybody@students.example"},
        {"to": "aarav@students.example\nBcc: everybody@students.example"},
        {"to_name": "Aarav\r\nBcc: everybody@students.example"},
        {"to": "aarav"},
    ],
    ids=["subject", "address", "name", "no address"],
)
async def test_mail_is_rejected_without_quoting_it_when_a_header_is_invalid(harness, changes):
    with pytest.raises(DeliveryRejected) as rejected:
        await harness.mailer.send(mail(**changes))
    assert "students" not in str(rejected.value)
    assert harness.arrived() == []
    assert harness.mailer.is_up()
    await harness.mailer.send(mail())
    assert len(harness.arrived()) == 1


async def test_mail_is_postponed_during_an_outage_and_arrives_once(harness):
    await harness.mailer.send(mail(key="before"))
    await harness.stop_accepting()
    for _ in range(3):
        with pytest.raises(DeliveryPostponed) as postponed:
            await harness.mailer.send(mail(key="meanwhile"))
        assert "students" not in str(postponed.value)
        assert not harness.mailer.is_up()
    await harness.accept_again()
    await harness.mailer.send(mail(key="meanwhile"))
    assert harness.mailer.is_up()
    assert len(ids(harness)) == 2


async def test_close_may_be_called_twice_and_before_use(harness):
    await harness.mailer.close()
    await harness.mailer.close()
