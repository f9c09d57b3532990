"""Roles of the desk, what needs somebody, and what is typed into the search."""

from datetime import timedelta

import pytest

from campus_app.operators.rules.attention import (
    Attention,
    AttentionKind,
    by_urgency,
    without_addresses,
)
from campus_app.operators.rules.desk import DeskArea, DeskRole, areas_of, may_enter
from campus_app.operators.rules.order_admin import OrderQuery, query_of
from tests.helpers.clock import WEDNESDAY

LIMIT = 50


@pytest.mark.parametrize(
    ("role", "areas"),
    [
        (DeskRole.OWNER, list(DeskArea)),
        (DeskRole.SUPPORT, [DeskArea.ORDERS, DeskArea.RESTAURANTS, DeskArea.MENUS]),
        (DeskRole.SALES, [DeskArea.LEADS]),
    ],
)
def test_each_role_has_its_areas(role, areas):
    # Source: specification 11.3.
    assert areas_of(role) == areas
    assert [each for each in DeskArea if may_enter(role, each)] == areas


def test_most_urgent_kind_comes_first_then_what_waits_longest():
    late = Attention(AttentionKind.UNSEEN, "1", "AS_1", since=WEDNESDAY - timedelta(minutes=9))
    later = Attention(AttentionKind.UNSEEN, "2", "AS_2", since=WEDNESDAY)
    refund = Attention(AttentionKind.REFUND, "3", "AS_3", since=WEDNESDAY - timedelta(days=9))
    mail = Attention(AttentionKind.MAIL, "mail.customer", "mail.customer")
    assert by_urgency([mail, refund, later, late]) == [late, later, refund, mail]


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        ("450 4.2.0 <asha@students.example>: greylisted", "450 4.2.0 <…>: greylisted"),
        ("no route to host", "no route to host"),
        ("a@b c@d", "… …"),
    ],
)
def test_addresses_are_taken_out_of_a_mail_servers_words(words, shown):
    assert without_addresses(words) == shown


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("as_482", OrderQuery(LIMIT, number="AS_482")),
        ("  AS_482 ", OrderQuery(LIMIT, number="AS_482")),
        ("98000 00777", OrderQuery(LIMIT, contact="+919800000777")),
        ("Asha@Students.example", OrderQuery(LIMIT, contact="asha@students.example")),
        ("Meera", OrderQuery(LIMIT, name="Meera")),
        ("मीरा", OrderQuery(LIMIT, name="मीरा")),
        ("M", None),
        ("", None),
        ("   ", None),
    ],
)
def test_typed_text_is_a_number_a_contact_or_a_part_of_a_name(text, query):
    assert query_of(text, LIMIT) == query
