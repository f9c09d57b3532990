"""E-mails as bytes: headers, recipients and content; and the mailer that writes files."""

import asyncio
from email import message_from_bytes
from email.policy import SMTP

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kit.mail.message import OutboxFolderMailer, envelope_for
from kit.outbox.errors import DeliveryRejected
from tests.helpers.builders import mail
from tests.helpers.clock import WEDNESDAY, ManualClock

SENDER = "FOOD_points <orders@food-points.example>"


def sent(mail_to_send):
    """Return a mail as its recipient parses it."""
    return message_from_bytes(envelope_for(mail_to_send, SENDER, WEDNESDAY).content, policy=SMTP)


def part(message, kind):
    return message.get_body((kind,)).get_content().replace("\r\n", "\n")


def test_envelope_has_sender_recipient_subject_and_date():
    message = sent(mail())
    assert message["From"] == SENDER
    assert message["To"] == "Aarav Sharma <aarav@students.example>"
    assert message["Subject"] == "Order AS_482 confirmed"
    assert message["Date"].datetime == WEDNESDAY
    assert message["Auto-Submitted"] == "auto-generated"


def test_envelope_has_a_text_and_an_html_part():
    message = sent(mail(text="₹65 to pay\n", html="<b>₹65</b> to pay\n"))
    assert message.get_content_type() == "multipart/alternative"
    assert part(message, "plain") == "₹65 to pay\n"
    assert part(message, "html") == "<b>₹65</b> to pay\n"


def test_pictures_are_shown_in_the_html_part():
    shown = '<img src="cid:code.1@shop.example">'
    message = sent(mail(html=shown, pictures={"code.1@shop.example": b"\x89PNG first"}))
    assert message.get_content_type() == "multipart/alternative"
    assert part(message, "html") == f"{shown}\n"
    (picture,) = [each for each in message.walk() if each.get_content_type() == "image/png"]
    assert (picture["Content-ID"], picture.get_content()) == (
        "<code.1@shop.example>",
        b"\x89PNG first",
    )
    assert picture.get_content_disposition() == "inline"
    related = message.get_payload(1)
    assert related.get_content_type() == "multipart/related"
    assert related.get_param("type") == "text/html"  # RFC 2387 requires it
    assert not related.get_boundary().startswith(message.get_boundary())
    assert message["To"] == "Aarav Sharma <aarav@students.example>"


def test_replies_go_to_another_address_when_the_mail_names_one():
    assert "Reply-To" not in sent(mail())
    assert sent(mail(reply_to="priya@company.example"))["Reply-To"] == "priya@company.example"


@pytest.mark.parametrize("address", ["priya", "a@b.example, c@d.example", "a@b.example\r\nBcc: c"])
def test_mail_is_rejected_when_replies_would_go_elsewhere(address):
    with pytest.raises(DeliveryRejected):
        sent(mail(reply_to=address))


def test_mail_with_pictures_is_the_same_bytes_on_each_try():
    with_picture = mail(pictures={"code.1@shop.example": b"\x89PNG"})
    first, second = (envelope_for(with_picture, SENDER, WEDNESDAY).content for _ in range(2))
    assert first == second


def test_message_id_is_the_same_when_the_key_is_the_same():
    first, second = sent(mail()), sent(mail(subject="Order AS_482 confirmed, again"))
    assert first["Message-ID"] == second["Message-ID"]
    assert first["X-Entity-Ref-ID"] == second["X-Entity-Ref-ID"]


def test_message_id_has_the_senders_domain_and_hides_the_key():
    message_id = sent(mail(key="mail.customer:secret"))["Message-ID"]
    assert message_id.startswith("<")
    assert message_id.endswith("@food-points.example>")
    assert "secret" not in message_id


@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=400))
def test_content_is_parsed_unchanged(words):
    message = sent(mail(text=words, html=words))
    # Line endings are normalised, and one is added at the end.
    written = words.encode().splitlines()
    for kind in ("plain", "html"):
        assert part(message, kind).encode().splitlines() == written


def test_lines_are_ascii_and_within_the_smtp_limit():
    # Source: RFC 5321, 4.5.3.1.6, a line has 1,000 octets; and no byte that needs 8BITMIME.
    envelope = envelope_for(mail(text="₹" * 5_000, subject="long " * 300), SENDER, WEDNESDAY)
    assert max(map(len, envelope.content.split(b"\r\n"))) <= 998
    assert envelope.content.isascii()
    assert b"\n" not in envelope.content.replace(b"\r\n", b"")


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
async def test_folder_mailer_writes_one_file_per_mail(mailer, folder):
    # Source: specification C2.8.
    await mailer.send(mail(key="mail.customer:1"))
    await mailer.send(mail(key="mail.vendor:1"))
    assert names(folder) == ["mail.customer-1.eml", "mail.vendor-1.eml"]
    message = message_from_bytes((folder / "mail.customer-1.eml").read_bytes(), policy=SMTP)
    assert message["To"] == "Aarav Sharma <aarav@students.example>"


@pytest.mark.anyio
async def test_folder_mailer_writes_no_file_outside_its_folder(mailer, folder, tmp_path):
    await mailer.send(mail(key="../../../evil/\x00name"))
    (name,) = names(folder)
    assert "/" not in name
    assert [each.name for each in tmp_path.iterdir()] == ["outbox"]


@pytest.mark.anyio
async def test_folder_mailer_never_exposes_a_partial_file(mailer, folder):
    """Every file that is visible at any moment contains a whole mail."""
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
