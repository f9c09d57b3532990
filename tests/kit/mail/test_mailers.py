"""What every way to send e-mail must do, each in its own world."""

import asyncio

import pytest

from kit.outbox.errors import DeliveryPostponed, DeliveryRejected
from tests.helpers.builders import mail
from tests.helpers.mail_worlds import SENDER, mail_world

pytestmark = pytest.mark.anyio


@pytest.fixture(params=["outbox", "smtp"])
async def world(request, clock, tmp_path):
    """Every way in turn."""
    async with mail_world(request.param, clock, tmp_path) as opened:
        yield opened


def ids(world):
    return sorted(each["Message-ID"] for each in world.arrived())


async def test_mail_arrives_unchanged(world):
    written = mail(text="₹65 to pay\n", to_name="आरव शर्मा")
    await world.mailer.send(written)
    (arrived,) = world.arrived()
    (reader,) = arrived["To"].addresses
    assert (reader.display_name, reader.addr_spec) == (written.to_name, written.to)
    assert (arrived["From"], arrived["Subject"]) == (SENDER, written.subject)
    for kind, content in (("plain", written.text), ("html", written.html)):
        body = arrived.get_body((kind,)).get_content()
        assert body.replace("\r\n", "\n").strip() == content.strip()


async def test_sender_of_a_mail_overrides_the_default(world):
    await world.mailer.send(mail(sender="DA'VINCI <hello@davinci.example>"))
    (arrived,) = world.arrived()
    assert arrived["From"].addresses[0].addr_spec == "hello@davinci.example"


async def test_retried_mail_has_the_same_message_id(world):
    # Source: specification P4.1.
    for _ in range(3):
        await world.mailer.send(mail())
    assert len(ids(world)) == 1
    await world.mailer.send(mail(key="another"))
    assert len(set(ids(world))) == 2


async def test_concurrent_mails_all_arrive(world):
    await asyncio.gather(*(world.mailer.send(mail(key=str(number))) for number in range(12)))
    assert len(set(ids(world))) == 12


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
async def test_mail_is_rejected_without_quoting_it_when_a_header_is_invalid(world, changes):
    with pytest.raises(DeliveryRejected) as rejected:
        await world.mailer.send(mail(**changes))
    assert "students" not in str(rejected.value)
    assert world.arrived() == []
    assert world.mailer.is_up()
    await world.mailer.send(mail())
    assert len(world.arrived()) == 1


async def test_mail_is_postponed_during_an_outage_and_arrives_once(world):
    await world.mailer.send(mail(key="before"))
    await world.goes_away()
    for _ in range(3):
        with pytest.raises(DeliveryPostponed) as postponed:
            await world.mailer.send(mail(key="meanwhile"))
        assert "students" not in str(postponed.value)
        assert not world.mailer.is_up()
    await world.comes_back()
    await world.mailer.send(mail(key="meanwhile"))
    assert world.mailer.is_up()
    assert len(ids(world)) == 2


async def test_close_may_be_called_twice_and_before_use(world):
    await world.mailer.close()
    await world.mailer.close()
