"""E-mail through a mail server: every reply it may give. Source: specification P4.13."""

import asyncio
import logging
from dataclasses import replace
from datetime import timedelta

import pytest

from kit.mail.smtp import SmtpMailer, SmtpServer, SmtpTls
from kit.outbox.errors import ChannelDown, DeliveryPostponed, DeliveryRejected, OperatorNeeded
from tests.fakes.mail_server import PASSWORD, USERNAME, client_ssl_context, mail_server
from tests.helpers.builders import mail
from tests.helpers.ports import free_port
from tests.helpers.waiting import eventually

pytestmark = pytest.mark.anyio

SENDER = "FOOD_points <orders@food-points.example>"
REJECTED, POSTPONED, OPERATOR = DeliveryRejected, DeliveryPostponed, OperatorNeeded
HERE = SmtpServer("localhost", 0, SmtpTls.NONE)


@pytest.fixture
async def mailer_for(clock):
    """Builds mailers that send to a port."""
    mailers = []

    def build(port, ssl_context=None, **changes):
        mailer = SmtpMailer(replace(HERE, port=port, **changes), SENDER, clock, ssl_context)
        mailers.append(mailer)
        return mailer

    yield build
    for mailer in mailers:
        await mailer.close()


async def test_ehlo_states_the_configured_name(mailer_for):
    async with mail_server(is_strict_about_helo=True) as server:
        await mailer_for(server.port, helo="food-points.example").send(mail())
    assert server.helo_names == ["food-points.example"]
    assert len(server.mails) == 1


async def test_mails_share_a_connection_when_sent_in_succession(mailer_for):
    async with mail_server() as server:
        mailer = mailer_for(server.port)
        await asyncio.gather(*(mailer.send(mail(key=str(number))) for number in range(5)))
    assert len(server.mails) == 5
    assert server.connections == 1


async def test_connection_is_closed_when_idle(mailer_for):
    async with mail_server() as server:
        mailer = mailer_for(server.port, idle_seconds=0.01)
        await mailer.send(mail())
        await eventually(
            lambda: all(t.is_closing() for t in server.transports), "it closes the connection"
        )
        await mailer.send(mail(key="another"))
    assert server.connections == 2


async def test_connection_is_closed_when_idle_after_a_refusal(mailer_for):
    async with mail_server(rcpt_reply="450 4.2.0 later") as server:
        with pytest.raises(DeliveryPostponed):
            await mailer_for(server.port, idle_seconds=0.01).send(mail())
        await eventually(
            lambda: all(t.is_closing() for t in server.transports), "it closes the connection"
        )


async def test_mailer_reconnects_when_the_server_closed_the_connection(mailer_for):
    async with mail_server() as server:
        mailer = mailer_for(server.port)
        await mailer.send(mail())
        server.hang_up()
        await mailer.send(mail(key="another"))
    assert len(server.mails) == 2
    assert server.connections == 2


@pytest.mark.parametrize(
    ("knobs", "failure", "reply"),
    [
        (
            {"rcpt_reply": "550 5.1.1 <aarav@students.example> unknown"},
            REJECTED,
            "550 5.1.1 to RCPT",
        ),
        ({"rcpt_reply": "450 4.2.1 <aarav@students.example> busy"}, POSTPONED, "450 4.2.1 to RCPT"),
        ({"rcpt_reply": "554 5.7.1 Relay access denied"}, OPERATOR, "554 5.7.1 to RCPT"),
        ({"mail_from_reply": "553 5.7.1 not yours"}, OPERATOR, "553 5.7.1 to MAIL"),
        ({"mail_from_reply": "451 4.7.1 later"}, POSTPONED, "451 4.7.1 to MAIL"),
        ({"data_reply": "554 5.6.0 aarav@students.example no"}, REJECTED, "554 5.6.0 to DATA"),
        ({"data_reply": "550 5.7.26 not authenticated"}, OPERATOR, "550 5.7.26 to DATA"),
        ({"data_reply": "452 4.3.1 full"}, POSTPONED, "452 4.3.1 to DATA"),
    ],
)
async def test_reply_decides_whether_a_mail_is_rejected_or_postponed(
    mailer_for, knobs, failure, reply
):
    async with mail_server(**knobs) as server:
        mailer = mailer_for(server.port)
        with pytest.raises(failure) as raised:
            await mailer.send(mail())
        assert type(raised.value) is failure
        assert str(raised.value) == f"the mail server answered {reply}"
        server.mail_from_reply = server.rcpt_reply = server.data_reply = ""
        await mailer.send(mail(key="another"))
    assert len(server.mails) == 1
    assert server.connections == 1


async def test_mail_is_postponed_and_the_breaker_opens_when_421_closes(mailer_for, clock):
    async with mail_server(mail_from_reply="421 4.7.0 try again later") as server:
        mailer = mailer_for(server.port)
        with pytest.raises(DeliveryPostponed, match=r"answered 421 4\.7\.0 to MAIL") as raised:
            await mailer.send(mail())
        assert type(raised.value) is DeliveryPostponed
        with pytest.raises(ChannelDown):
            await mailer.send(mail(key="another"))
        server.mail_from_reply = ""
        clock.advance(seconds=5)
        await mailer.send(mail())
    assert len(server.mails) == 1
    assert server.connections == 2


@pytest.mark.parametrize(
    ("reply", "seconds", "level"),
    [
        pytest.param("554 5.7.1 we do not take mail from you", 300, logging.ERROR, id="for good"),
        pytest.param("421 4.7.0 try again later", 5, logging.WARNING, id="for now"),
    ],
)
async def test_mails_wait_when_the_server_refuses_the_connection(
    mailer_for, caplog, reply, seconds, level
):
    async with mail_server(ehlo_reply=reply) as server:
        with pytest.raises(ChannelDown, match=reply[:3]) as down:
            await mailer_for(server.port).send(mail())
    assert down.value.seconds == seconds
    assert [line.levelno for line in caplog.records] == [level]


async def test_mail_is_postponed_when_the_connection_is_lost_during_data(mailer_for, clock):
    async with mail_server(disconnects_at_data=True) as server:
        mailer = mailer_for(server.port)
        with pytest.raises(DeliveryPostponed):
            await mailer.send(mail())
        server.disconnects_at_data = False
        clock.advance(seconds=5)
        await mailer.send(mail())
    assert len(server.mails) == 1


async def test_mail_is_sent_again_with_its_message_id_when_the_reply_is_lost(mailer_for, clock):
    async with mail_server(delay_seconds=60) as server:
        mailer = mailer_for(server.port, operation_seconds=3)
        with pytest.raises(DeliveryPostponed, match="did not reply"):
            await mailer.send(mail())
        with pytest.raises(ChannelDown):
            await mailer.send(mail(key="another"))
        server.delay_seconds = 0.0
        clock.advance(seconds=5)
        await mailer.send(mail())
    first, second = server.mails
    assert first["Message-ID"] == second["Message-ID"]


async def test_mail_that_waits_too_long_for_the_connection_is_not_tried(mailer_for):
    """A mail that only waited for the connection must not use up an attempt."""
    async with mail_server(delay_seconds=1.5) as server:
        mailer = mailer_for(server.port, lock_seconds=0.05)
        slow = asyncio.create_task(mailer.send(mail()))
        await eventually(lambda: server.connections == 1, "the first one is being sent")
        with pytest.raises(ChannelDown, match="slow"):
            await mailer.send(mail(key="another"))
        await slow
        assert mailer.is_up()
        await mailer.send(mail(key="another"))
    assert len(server.mails) == 2


async def test_breaker_pauses_grow_while_the_server_is_down(mailer_for, clock):
    port = free_port()
    mailer = mailer_for(port)
    pauses = []
    for _ in range(9):
        with pytest.raises(ChannelDown) as away:
            await mailer.send(mail())
        pauses.append(away.value.seconds)
        clock.advance(seconds=away.value.seconds)
    assert pauses == [5, 10, 20, 40, 80, 160, 300, 300, 300]
    async with mail_server(port=port) as server:
        await mailer.send(mail())
        assert len(server.mails) == 1


async def test_mailer_does_not_connect_while_the_breaker_is_open(mailer_for, clock):
    port = free_port()
    mailer = mailer_for(port)
    with pytest.raises(ChannelDown):
        await mailer.send(mail())
    async with mail_server(port=port) as server:
        clock.advance(seconds=4)
        with pytest.raises(ChannelDown) as away:
            await mailer.send(mail())
        assert (away.value.seconds, server.connections) == (1, 0)
        assert not mailer.is_up()
        clock.advance(seconds=1)
        await mailer.send(mail())
        assert len(server.mails) == 1
        assert mailer.is_up()


async def test_breaker_closes_in_time_when_the_clock_was_set_back(mailer_for, clock):
    port = free_port()
    mailer = mailer_for(port)
    with pytest.raises(ChannelDown):
        await mailer.send(mail())
    clock.set(clock.now() - timedelta(hours=1))
    clock.advance(seconds=5)
    async with mail_server(port=port) as server:
        await mailer.send(mail())
        assert len(server.mails) == 1


async def test_mailer_logs_in_with_username_and_password(mailer_for):
    async with mail_server(starttls=True, requires_auth=True) as server:
        mailer = mailer_for(
            server.port,
            client_ssl_context(),
            tls=SmtpTls.STARTTLS,
            username=USERNAME,
            password=PASSWORD,
        )
        await mailer.send(mail())
    assert len(server.mails) == 1


async def test_wrong_password_opens_the_breaker_and_is_logged_as_an_error(mailer_for, caplog):
    async with mail_server(starttls=True, requires_auth=True) as server:
        mailer = mailer_for(
            server.port,
            client_ssl_context(),
            tls=SmtpTls.STARTTLS,
            username=USERNAME,
            password="a guess",
        )
        with pytest.raises(ChannelDown, match="535") as down:
            await mailer.send(mail())
        assert down.value.seconds == 300
        assert [line.levelno for line in caplog.records] == [logging.ERROR]
        assert "a guess" not in caplog.text
        connections = server.connections
        with pytest.raises(ChannelDown):
            await mailer.send(mail())
        assert server.connections == connections


async def test_mail_is_sent_over_implicit_tls(mailer_for):
    async with mail_server(implicit=True) as server:
        await mailer_for(server.port, client_ssl_context(), tls=SmtpTls.IMPLICIT).send(mail())
    assert len(server.mails) == 1


@pytest.mark.parametrize(
    ("offered", "tls"),
    [
        pytest.param({}, SmtpTls.STARTTLS, id="no STARTTLS"),
        pytest.param({}, SmtpTls.IMPLICIT, id="no TLS"),
        pytest.param(
            {"starttls": True}, SmtpTls.STARTTLS, id="untrusted certificate after STARTTLS"
        ),
        pytest.param({"implicit": True}, SmtpTls.IMPLICIT, id="untrusted certificate"),
    ],
)
async def test_mail_is_not_sent_unencrypted_or_to_an_untrusted_server(
    mailer_for, caplog, offered, tls
):
    async with mail_server(**offered) as server:
        with pytest.raises(ChannelDown):
            await mailer_for(server.port, tls=tls).send(mail())
    assert server.mails == []
    assert "mail: cannot connect to the mail server" in caplog.text


async def test_invalid_mail_is_rejected_without_a_connection(mailer_for):
    async with mail_server() as server:
        with pytest.raises(DeliveryRejected):
            await mailer_for(server.port).send(mail(to="aarav"))
    assert server.connections == 0


async def test_non_ascii_address_is_rejected_without_smtputf8(mailer_for):
    async with mail_server() as server:
        with pytest.raises(DeliveryRejected, match="does not support"):
            await mailer_for(server.port).send(mail(to="आरव@students.example"))
    assert server.mails == []


async def test_non_ascii_address_is_delivered_with_smtputf8(mailer_for):
    async with mail_server(utf8=True) as server:
        await mailer_for(server.port).send(mail(to="आरव@students.example", to_name="आरव शर्मा"))
    (arrived,) = server.mails
    assert server.recipients == [["आरव@students.example"]]
    written = str(arrived["To"]).encode(errors="surrogateescape").decode()
    assert written == "आरव शर्मा <आरव@students.example>"


def test_repr_does_not_contain_the_password():
    assert "secret" not in repr(replace(HERE, password="secret"))
