"""Spans of days and their sums. Source: specification 13.1, 13.2."""

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from campus_app.operators.rules.figures import Span, Sums
from campus_app.shared.rules.constants import MAXIMUM_FIGURE_DAYS
from campus_app.shared.rules.money import ZERO, rupees

TODAY = date(2026, 11, 18)


def day(text):
    return date.fromisoformat(text)


@pytest.mark.parametrize(
    ("first", "last", "begins", "ends"),
    [
        ("", "", "2026-11-12", "2026-11-18"),
        ("2026-11-01", "", "2026-11-01", "2026-11-18"),
        ("", "2026-11-10", "2026-11-04", "2026-11-10"),
        ("2026-11-10", "2026-11-03", "2026-11-03", "2026-11-10"),
        ("2026-11-18", "2026-11-18", "2026-11-18", "2026-11-18"),
        ("2026-12-01", "2027-01-01", "2026-11-18", "2026-11-18"),
        ("yesterday", "31.11.2026", "2026-11-12", "2026-11-18"),
        (
            "2000-01-01",
            "2026-11-18",
            f"{TODAY - timedelta(days=MAXIMUM_FIGURE_DAYS - 1)}",
            "2026-11-18",
        ),
    ],
)
def test_span_is_read_from_two_days(first, last, begins, ends):
    assert Span.read(first, last, TODAY) == Span(day(begins), day(ends))


@given(st.dates(day("2000-01-01"), TODAY), st.dates(day("2000-01-01"), TODAY))
def test_span_before_has_as_many_days_and_ends_where_it_begins(first, last):
    span = Span.read(f"{first}", f"{last}", TODAY)
    assert span.before.days == span.days <= MAXIMUM_FIGURE_DAYS
    assert span.before.bounds[1] == span.bounds[0]


def test_revenue_is_what_honoured_orders_bring():
    sums = Sums(3, rupees("100.50"), rupees(200), rupees(50))
    assert (sums.revenue, sums.average) == (rupees("250.50"), rupees("83.50"))
    assert Sums(0, rupees(40), ZERO, rupees(40)).average == ZERO


@pytest.mark.parametrize("text", ["9999-12-31", "0001-01-01", "", "x" * 9_999])
def test_any_text_gives_a_span(text):
    assert Span.read(text, text, TODAY).days >= 1
    assert Span.read(text, text, TODAY).before.days >= 1
