"""Normalisation of text input: one line without invisible characters."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from voice_site.domain.text import tidy


@pytest.mark.parametrize(
    ("given_text", "kept"),
    [
        ("  Priya \t Raman\r\n", "Priya Raman"),
        ("Pri\u202eya\0", "Priya"),
        ("\ud800x", "x"),
        ("क्\u200dष", "क्\u200dष"),
        ("\u200d\u200c", ""),
        ("e\u0301", "é"),
        ("X", "X"),
        ("\u00a0\u2003", ""),
    ],
)
def test_tidy_normalises_text(given_text, kept):
    assert tidy(given_text) == kept


@given(st.text(max_size=200))
def test_tidy_returns_one_storable_line_for_any_input(text):
    kept = tidy(text)
    kept.encode()
    assert kept == kept.strip()
    assert not any(unicodedata.category(c) in {"Cc", "Cs", "Co", "Cn"} for c in kept)
    assert tidy(kept) == kept
