"""E-mails: their headers, whom they reach, and the folder that takes the place of a server."""

import asyncio
from email import message_from_bytes
from email.policy import SMTP

import pytest
from hypothesis import given
from hypothesis import strategies as st

from campus_app.domain.customer import tidy_text
from kit.mail.message import OutboxFolderMailer, letter_from
from kit.outbox.errors import DeliveryRejected
from tests.helpers.builders import mail
from tests.helpers.clock import WEDNESDAY, ManualClock

SENDER = "FOOD_points <orders@food-points.example>"


def sent(mail_to_send, sender=SENDER):
    """Return a mail as the one who gets it reads it."""
    return message_from_bytes(letter_from(mail_to_send, sender, WEDNESDAY).content, policy=SMTP)


def part(message, kind):
    return message.get_body((kind,)).get_content().replace("\r\n", "\n")


def test_a_mail_says_from_whom_to_whom_and_when():
    message = sent(mail())
    assert message["From"] == SENDER
    assert message["To"] == "Aarav Sharma <aarav@students.example>"
    assert message["Subject"] == "Order AS_482 confirmed"
    assert message["Date"].datetime == WEDNESDAY
    assert message["Auto-Submitted"] == "auto-generated"


def test_a_mail_reads_the_same_as_text_and_as_html():
    message = sent(mail(text="₹65 to pay\n", html="<b>₹65</b> to pay\n"))
    assert message.get_content_type() == "multipart/alternative"
    assert part(message, "plain") == "₹65 to pay\n"
    assert part(message, "html") == "<b>₹65</b> to pay\n"


def test_the_same_mail_has_the_same_message_id_however_often_it_is_made():
    first, second = sent(mail()), sent(mail(subject="Order AS_482 confirmed, again"))
    assert first["Message-ID"] == second["Message-ID"]
    assert first["X-Entity-Ref-ID"] == second["X-Entity-Ref-ID"]


def test_two_mails_have_two_message_ids():
    customers, vendors = mail(key="mail.customer:1"), mail(key="mail.vendor:1")
    assert sent(customers)["Message-ID"] != sent(vendors)["Message-ID"]


def test_a_message_id_is_of_the_senders_domain_and_says_nothing_of_the_order():
    message_id = sent(mail(key="mail.customer:secret"))["Message-ID"]
    assert message_id.startswith("<")
    assert message_id.endswith("@food-points.example>")
    assert "secret" not in message_id


def test_a_sender_may_have_no_name():
    assert sent(mail(), "orders@food-points.example")["From"] == "orders@food-points.example"


@pytest.mark.parametrize(
    "change",
    [
        pytest.param({"subject": "Order\r\nBcc: everyone@evil.example"}, id="subject"),
        pytest.param({"subject": "Order\nBcc: everyone@evil.example"}, id="subject, bare newline"),
        pytest.param({"to_name": "Aarav\r\nBcc: everyone@evil.example"}, id="name"),
        pytest.param({"to": "a@b.example\r\nBcc: everyone@evil.example"}, id="address"),
        pytest.param({"to": "a@b.example\nBcc: everyone@evil.example"}, id="address, newline"),
    ],
)
def test_a_newline_never_makes_another_header(change):
    with pytest.raises(DeliveryRejected, match="breaks a header") as rejected:
        sent(mail(**change))
    assert "evil" not in str(rejected.value)


@pytest.mark.parametrize(
    "name",
    [
        "Sharma, Aarav",
        'Aarav "the hungry" Sharma',
        "Aarav <everyone@evil.example>",
        "everyone@evil.example,",
        "Zoë, everyone@evil.example",
        "आरव शर्मा",
        "O'Neil \\ Sons; (closed): <>",
    ],
)
def test_a_name_with_punctuation_stays_a_name(name):
    (address,) = sent(mail(to_name=name))["To"].addresses
    assert (address.display_name, address.addr_spec) == (name, "aarav@students.example")


@given(
    st.text(
        st.one_of(st.sampled_from('aé",<>@;:\\() =?'), st.characters(exclude_categories=["Cs"])),
        max_size=80,
    )
)
def test_whatever_the_name_the_mail_goes_to_one_address(name):
    message = sent(mail(to_name=tidy_text(name)))
    assert [to.addr_spec for to in message["To"].addresses] == ["aarav@students.example"]
    assert message["Bcc"] is None
    assert part(message, "plain") == "Thank you!\n"


@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=400))
def test_whatever_is_written_is_what_is_read(words):
    message = sent(mail(text=words, html=words))
    # A line may end in any of the three ways; a last one that is not ended is.
    written = words.encode().splitlines()
    for kind in ("plain", "html"):
        assert part(message, kind).encode().splitlines() == written


def test_a_mail_has_no_line_that_a_server_would_refuse():
    # Source: RFC 5321, 4.5.3.1.6, a line has 1,000 octets; and no byte that needs 8BITMIME.
    letter = letter_from(mail(text="₹" * 5_000, subject="long " * 300), SENDER, WEDNESDAY)
    assert max(map(len, letter.content.split(b"\r\n"))) <= 998
    assert letter.content.isascii()
    assert b"\n" not in letter.content.replace(b"\r\n", b"")


# The outbox folder


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "outbox" / "mail"


def names(folder):
    return sorted(file.name for file in folder.iterdir())


@pytest.fixture
def mailer(folder):
    return OutboxFolderMailer(folder, SENDER, ManualClock())


@pytest.mark.anyio
async def test_each_mail_is_one_file(mailer, folder):
    # Source: specification C2.8.
    await mailer.send(mail(key="mail.customer:1"))
    await mailer.send(mail(key="mail.vendor:1"))
    assert names(folder) == ["mail.customer-1.eml", "mail.vendor-1.eml"]
    message = message_from_bytes((folder / "mail.customer-1.eml").read_bytes(), policy=SMTP)
    assert message["To"] == "Aarav Sharma <aarav@students.example>"


@pytest.mark.anyio
async def test_the_same_mail_twice_is_one_file(mailer, folder):
    await mailer.send(mail())
    before = (folder / "mail.customer-0123.eml").read_bytes()
    await mailer.send(mail())
    after = (folder / "mail.customer-0123.eml").read_bytes()
    assert names(folder) == ["mail.customer-0123.eml"]
    assert message_from_bytes(before)["Message-ID"] == message_from_bytes(after)["Message-ID"]


@pytest.mark.anyio
async def test_a_key_can_not_leave_the_folder(mailer, folder, tmp_path):
    await mailer.send(mail(key="../../../evil/\x00name"))
    (name,) = names(folder)
    assert "/" not in name
    assert [each.name for each in tmp_path.iterdir()] == ["outbox"]


@pytest.mark.anyio
async def test_only_whole_files_appear(mailer, folder):
    """Whatever is read at any moment under a name of a mail is a whole mail."""
    big = mail(text="long\n" * 20_000)
    sending = asyncio.gather(*(mailer.send(big) for _ in range(20)))
    seen = 0
    while not sending.done() or not seen:
        for file in folder.glob("*.eml"):
            message = message_from_bytes(file.read_bytes(), policy=SMTP)
            assert part(message, "html") == "<p>Thank you!</p>\n"
            seen += 1
        await asyncio.sleep(0)
    await sending
    assert names(folder) == ["mail.customer-0123.eml"]
