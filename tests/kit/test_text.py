"""Messages with placeholders; text input on one line without invisible characters."""

import pickle
import re
import time
import unicodedata
from functools import partial

import pytest
from hypothesis import given
from markupsafe import Markup

from kit.text import FormattedMessage, isolate, join_isolated, normalize_text
from tests.helpers.texts import texts


@given(texts)
def test_normalize_text_is_idempotent(text):
    assert normalize_text(normalize_text(text)) == normalize_text(text)


@given(texts)
def test_normalize_text_removes_control_bidi_and_line_characters(text):
    normalized = normalize_text(text)
    assert all(
        unicodedata.category(character) not in {"Cc", "Cf", "Co", "Cs", "Cn", "Zl", "Zp"}
        or character in "\u200c\u200d"
        for character in normalized
    )
    assert len(normalized.splitlines()) <= 1
    assert "  " not in normalized
    assert normalized == normalized.strip()
    normalized.encode()


@pytest.mark.parametrize(
    ("text", "normalized"),
    [
        pytest.param("", "", id="empty"),
        pytest.param(" \t\r\n ", "", id="blank"),
        pytest.param("  Asha   Rao ", "Asha Rao", id="spaces"),
        pytest.param("Hostel 4\r\nRoom 12\n", "Hostel 4 Room 12", id="lines"),
        pytest.param("Hostel 4\u2028Room 12\u2029", "Hostel 4 Room 12", id="Unicode lines"),
        pytest.param("Hostel 4\vRoom\f12", "Hostel 4 Room 12", id="vertical spaces"),
        pytest.param("Hostel 4\x85Room 12", "Hostel 4 Room 12", id="the C1 next line"),
        pytest.param("Asha\u00a0Rao", "Asha Rao", id="a no-break space"),
        pytest.param("As\x00ha\x1b\x7f", "Asha", id="control characters"),
        pytest.param("\u202eAsha\u202c \u2066Rao\u2069", "Asha Rao", id="bidi marks"),
        pytest.param("\ufeffAs\u200bha\u00ad", "Asha", id="invisible characters"),
        pytest.param("\ud800Asha", "Asha", id="half a surrogate pair"),
        pytest.param("\ue000Asha", "Asha", id="private use"),
        pytest.param("Rene\u0301", "René", id="one spelling of an accent"),
        pytest.param("Rene\u200b\u0301", "René", id="an accent behind an invisible character"),
        pytest.param("\u200d\u200c", "", id="joiners alone"),
        pytest.param("\u00a0\u2003", "", id="wide spaces alone"),
        pytest.param("  Priya \t Raman\r\n", "Priya Raman", id="a tab"),
        pytest.param("X", "X", id="one letter"),
        pytest.param("क्\u200dष", "क्\u200dष", id="a joiner of an Indian script"),
        pytest.param("आशा राव 🐕", "आशा राव 🐕", id="any script, and a dog"),
        pytest.param("<b>O'Hara & Sons</b>", "<b>O'Hara & Sons</b>", id="markup is the view's"),
    ],
)
def test_normalize_text_returns_expected_text(text, normalized):
    assert normalize_text(text) == normalized


_FALLING = "\u0345\u0301\u0323\u0327\u05b0\u0334"
"""Combining marks of falling classes: sorting them by class takes the most steps."""


def falling_marks(count):
    """Return marks, each class in a block of its own."""
    return "".join(mark * (count // len(_FALLING)) for mark in _FALLING)


@pytest.mark.parametrize("mark", ["\u0301", "\u0f73", "\u093e"])
def test_normalize_text_keeps_at_most_30_marks_in_a_row(mark):
    normalized = normalize_text(("x" + mark * 40) * 2)
    rows = normalized.split("x")[1:]
    assert [0 < len(row) <= 30 for row in rows] == [True, True]
    assert normalize_text(normalized) == normalized


def test_normalize_text_counts_marks_across_invisible_characters():
    normalized = normalize_text("x" + "\u0330\u200b" * 40)
    assert normalized == "x" + "\u0330" * 30


def test_normalize_text_is_idempotent_when_normalization_splits_a_letter():
    text = "\u01d8" + "\u0323\u0330" * 15
    assert normalize_text(normalize_text(text)) == normalize_text(text)


def test_normalize_text_takes_time_in_proportion_to_its_input():
    # Each measurement is of the processor: other programs do not change it.
    short, long = (_processor_seconds(falling_marks(count)) for count in (6_000, 60_000))
    assert long < 40 * short


def test_control_normalization_of_marks_takes_quadratic_time():
    short, long = (
        _processor_seconds(falling_marks(count), partial(unicodedata.normalize, "NFC"))
        for count in (2_000, 20_000)
    )
    assert long > 40 * short


def _processor_seconds(text, normalize=normalize_text):
    began = time.process_time()
    normalize(text)
    return time.process_time() - began


BIRYANI, TEA = "بریانی", "چائے"
FSI, PDI = "\u2068", "\u2069"


@pytest.mark.parametrize("text", ["", "Masala Chai", "Café – 2", "रोटी", "இட்லி", "₹240", "٣"])
def test_isolate_returns_text_without_right_to_left_letters_unchanged(text):
    # Source: specification 10.55.
    assert isolate(text) == (text if text != "٣" else f"{FSI}٣{PDI}")


@pytest.mark.parametrize(
    ("text", "isolated_text"),
    [
        pytest.param(BIRYANI, f"{FSI}{BIRYANI}{PDI}", id="Urdu"),
        pytest.param(f"Dal {TEA} 2", f"{FSI}Dal {TEA} 2{PDI}", id="a part of it"),
        pytest.param("שווארמה", f"{FSI}שווארמה{PDI}", id="Hebrew"),
        pytest.param(f"{FSI}{TEA}{PDI} 2", f"{FSI}{FSI}{TEA}{PDI} 2{PDI}", id="isolated in part"),
        pytest.param(f"\u2067{TEA}", f"{FSI}{TEA}{PDI}", id="an isolate that is not closed"),
        pytest.param(f"{TEA}{PDI}", f"{FSI}{TEA}{PDI}", id="an end without a beginning"),
        pytest.param(f"{PDI}{TEA}{FSI}", f"{FSI}{TEA}{PDI}", id="both in the wrong sequence"),
    ],
)
def test_isolate_encloses_right_to_left_text(text, isolated_text):
    assert isolate(text) == isolated_text


@given(texts)
def test_isolate_is_closed_and_keeps_every_letter(text):
    shown = isolate(text)
    isolates = "[\u2066-\u2069]"
    assert re.sub(isolates, "", shown) == re.sub(isolates, "", text)
    if shown != text:
        assert (shown[0], shown[-1]) == (FSI, PDI)
        assert sum(map(shown.count, "\u2066\u2067\u2068")) == shown.count(PDI)


def test_isolate_keeps_markup_as_markup():
    shown = isolate(Markup("<b>{}</b>").format(TEA))
    assert type(shown) is Markup
    assert shown == f"{FSI}<b>{TEA}</b>{PDI}"


def test_join_isolated_isolates_each_text():
    assert join_isolated([TEA, "Dal", BIRYANI]) == f"{FSI}{TEA}{PDI}, Dal, {FSI}{BIRYANI}{PDI}"


def test_formatted_message_isolates_its_values():
    message = FormattedMessage("{dish} {now} (was {before})", {"dish": TEA, "now": 9, "before": 8})
    assert message == f"{FSI}{TEA}{PDI} 9 (was 8)"
    assert message.names["dish"] == TEA


def test_formatted_message_is_english_and_keeps_its_parts_when_pickled():
    message = FormattedMessage("{name} does not deliver.", {"name": "Wok Street"})
    assert message == "Wok Street does not deliver."
    copy = pickle.loads(pickle.dumps(message))
    assert (copy, copy.message, copy.names) == (message, message.message, message.names)
