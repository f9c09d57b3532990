"""Durations and times in the operators' format."""

import contextlib
from datetime import UTC, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from campus_app.shared.rules.constants import CAMPUS_TIME_ZONE
from campus_app.shared.rules.periods import moment, span
from tests.helpers.builders import at

NOW = at(13).astimezone(UTC)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("90m", timedelta(minutes=90)),
        ("12h", timedelta(hours=12)),
        ("180d", timedelta(days=180)),
        ("2w", timedelta(days=14)),
        ("99999w", timedelta(weeks=99999)),
    ],
)
def test_span_parses_number_and_unit(text, expected):
    assert span(text) == expected


@pytest.mark.parametrize(
    "text",
    ["", "d", "180", "0d", "-1d", "1.5d", "1 d", "1D", "1y", "100000d", "१d", "1d1h", "1d\n"],
)
def test_span_raises_value_error_for_other_texts(text):
    with pytest.raises(ValueError, match="is not a span like 90m, 12h, 180d or 2w"):
        span(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("2h", at(11), id="a span ago"),
        pytest.param("2026-11-18", at(0), id="a day begins at the campus's midnight"),
        pytest.param("2026-11-18T12:30", at(12, 30), id="campus time where no zone is named"),
        pytest.param("2026-11-18T07:00:00Z", at(12, 30), id="another zone"),
        pytest.param("2026-11-18T12:30:00+05:30", at(12, 30), id="the campus's zone"),
    ],
)
def test_moment_parses_duration_ago_day_or_time(text, expected):
    assert moment(text, NOW) == expected


@pytest.mark.parametrize("zone", [UTC, CAMPUS_TIME_ZONE], ids=str)
def test_moment_is_in_time_zone_of_now(zone):
    assert moment("2026-11-18T07:00:00Z", NOW.astimezone(zone)).tzinfo is zone


@pytest.mark.parametrize("text", ["", "soon", "2026-13-01", "0001-01-01", "25:00"])
def test_moment_raises_value_error_for_other_texts(text):
    with pytest.raises(ValueError, match="neither a span like 12h or 7d nor a time"):
        moment(text, NOW)


@given(st.text(max_size=40) | st.from_regex(r"[0-9T:.+mhdw-]{1,20}", fullmatch=True))
def test_moment_parses_or_raises_value_error_for_any_text(text):
    with contextlib.suppress(ValueError):
        assert moment(text, NOW).tzinfo is UTC
