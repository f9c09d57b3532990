"""The current language, and the catalogues of a product."""

from datetime import date

import pytest

from kit.text import FormattedMessage
from kit.translations import (
    ENGLISH,
    Catalogues,
    accepted_languages,
    date_words,
    language,
    own_name,
    page_language,
    read_translations,
    use_locale,
)

HINDI = """
msgid "OPEN"
msgstr "खुला"

msgid "PAY {amount} NOW"
msgstr "अभी {amount} दें"

msgid "Delivery to {campus}"
msgstr "{campus} पर डिलीवरी"

msgid "North Campus"
msgstr "नॉर्थ कैंपस"

msgid "Minimum order {minimum}."
msgstr "मिनिमम ऑर्डर {minimum}।"

#, fuzzy
msgid "CLOSED"
msgstr "बंद"

msgid "NEW"
msgstr ""
"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "hi.po").write_text(HINDI, encoding="utf-8")
    return tmp_path


@pytest.fixture
def catalogues(folder):
    return Catalogues(folder)


def test_languages_are_english_and_those_with_a_file(folder):
    (folder / "begun").mkdir()
    (folder / "begun" / "ta.po").touch()
    (folder / "bn.po").touch()
    assert Catalogues(folder).languages == (ENGLISH, "bn", "hi")


def test_english_text_is_returned_unchanged(catalogues):
    assert catalogues.t("OPEN") == "OPEN"
    assert catalogues.t("PAY {amount} NOW", amount="₹20") == "PAY ₹20 NOW"


@pytest.mark.parametrize(
    ("text", "names", "translated"),
    [
        pytest.param("OPEN", {}, "खुला", id="text"),
        pytest.param("", {}, "", id="empty"),
        pytest.param("PAY {amount} NOW", {"amount": "₹20"}, "अभी ₹20 दें", id="placeholder"),
        pytest.param("PAY {amount} NOW", {}, "अभी {amount} दें", id="placeholder without a value"),
        pytest.param(
            FormattedMessage("Delivery to {campus}", {"campus": "North Campus"}),
            {},
            "नॉर्थ कैंपस पर डिलीवरी",
            id="message with a translated value",
        ),
        pytest.param(
            FormattedMessage("Minimum order {minimum}.", {"minimum": 99}),
            {},
            "मिनिमम ऑर्डर 99।",
            id="message with a number",
        ),
    ],
)
def test_text_is_translated_into_the_current_language(catalogues, text, names, translated):
    with use_locale("hi"):
        assert catalogues.t(text, **names) == translated


@pytest.mark.parametrize("text", ["CLOSED", "NEW", "UNKNOWN"])
def test_text_is_english_when_its_translation_is_fuzzy_or_missing(catalogues, text):
    with use_locale("hi"):
        assert catalogues.t(text) == text


@pytest.mark.parametrize("code", ["en", "hi"])
def test_text_isolates_right_to_left_values(catalogues, code):
    # Source: specification 10.55.
    with use_locale(code):
        said = catalogues.t("Minimum order {minimum}.", minimum="بریانی")
        again = catalogues.t(FormattedMessage("Minimum order {minimum}.", {"minimum": "بریانی"}))
    assert said == again
    assert "\u2068بریانی\u2069" in said


def test_text_is_english_when_the_product_lacks_the_language(catalogues):
    with use_locale("ta"):
        assert catalogues.t("OPEN") == "OPEN"


def test_read_translations_omits_fuzzy_and_empty_ones(folder):
    translations = read_translations(folder / "hi.po")
    assert translations["OPEN"] == "खुला"
    assert not {"", "CLOSED", "NEW"} & set(translations)


def test_use_locale_restores_the_previous_language():
    with use_locale("hi"):
        with use_locale(ENGLISH):
            assert language() == ENGLISH
        assert language() == "hi"
    assert language() == ENGLISH


@pytest.mark.parametrize(
    ("value", "code"),
    [
        ("hi", "hi"),
        ("en", "en"),
        ("HI", "en"),
        ("xx", "en"),
        ("../hi", "en"),
        ("hi\x00", "en"),
        ("", "en"),
        (None, "en"),
        (["hi"], "en"),
    ],
)
def test_parse_language_returns_known_language_or_english(catalogues, value, code):
    assert catalogues.parse_language(value) == code


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ("language=hi", "hi"),
        ("device=desktop&language=en", "en"),
        ("language=hi&language=en", "hi"),
        ("language=xx", ""),
        ("language=", ""),
        ("Language=hi", ""),
        ("%ff=%fe", ""),
        ("", ""),
    ],
)
def test_query_selects_known_language_only(catalogues, query, code):
    assert catalogues.language_of_query(query) == code


@pytest.mark.parametrize(
    ("cookies", "code"),
    [
        pytest.param("", "en", id="none"),
        pytest.param("language=hi", "hi", id="alone"),
        pytest.param("a=1; language=hi; b=2", "hi", id="among others"),
        pytest.param('language="hi"', "en", id="in quotation marks, as the page does not read it"),
        pytest.param("{bad cookie=1; language=hi", "hi", id="after a malformed one"),
        pytest.param("language=en", "en", id="English"),
        pytest.param("language=fr", "en", id="unsupported"),
        pytest.param("mylanguage=hi", "en", id="another name that ends alike"),
        pytest.param("language", "en", id="no value"),
        pytest.param("language=", "en", id="empty value"),
        pytest.param("language=../../etc/passwd", "en", id="path"),
        pytest.param("language=\x00hi", "en", id="NUL"),
        pytest.param("expires=1; language=;;;=;==", "en", id="malformed header"),
        pytest.param("language=hi; " + "x" * 5_000, "en", id="too long"),
        pytest.param("[]{}=1; language", "en", id="malformed names"),
    ],
)
def test_cookie_selects_language(catalogues, cookies, code):
    assert catalogues.language_of_headers({"cookie": cookies}) == code


ACCEPTED = [
    ("hi-IN,hi;q=0.9,en-US;q=0.8", "hi"),
    ("en-IN,en;q=0.9,hi;q=0.8", "en"),
    ("en;q=0.5, hi;q=0.8", "hi"),
    ("en;q=0.8,hi;q=0.801", "hi"),
    ("hi;q=0.8,en;q=0.8", "hi"),
    ("en, hi", "en"),
    ("HI-in", "hi"),
    ("hi ; q=0.1", "hi"),
    ("ta-IN,ta;q=0.9,hi;q=0.8,en;q=0.7", "hi"),
    ("ta-IN,ta;q=0.9", "en"),
    ("hi;q=0,en;q=0.1", "en"),
    ("hi;q=0.000", "en"),
    ("*", "en"),
    ("*;q=0.5,hi;q=0.4", "hi"),
    ("", "en"),
    (",;q=1,hi;q=x,;;,hi-;", "en"),
    ("hi;q=1.5", "en"),
    ("hi_IN", "en"),
    ("hil,hif", "en"),
    ("../hi", "en"),
    ("हि", "en"),
    ("hi," + "x," * 1_000, "en"),
]
"""Headers `Accept-Language`, and the language that they choose."""


@pytest.mark.parametrize(("header", "code"), ACCEPTED)
def test_browser_selects_language_when_no_cookie_does(catalogues, header, code):
    # Source: specification 10.64; RFC 9110, 12.5.4.
    assert catalogues.language_of_headers({"accept-language": header}) == code
    unknown = {"accept-language": header, "cookie": "language=xx"}
    assert catalogues.language_of_headers(unknown) == code
    chosen = {"accept-language": header, "cookie": "language=hi"}
    assert catalogues.language_of_headers(chosen) == "hi"
    assert catalogues.language_of_headers(chosen | {"cookie": "language=en"}) == "en"


def test_accepted_languages_are_ordered_by_preference():
    header = "en;q=0.5, hi-IN, ta;q=0, bn;q=0.75, mr;q=0.75, *;q=0.1"
    assert accepted_languages(header) == ["hi-in", "bn", "mr", "en"]


def test_languages_have_own_names_and_tags():
    assert (own_name("hi"), own_name("en")) == ("हिन्दी", "English")
    assert page_language("hi") == "hi-IN"


def test_date_words_are_in_the_current_language():
    with use_locale("hi"):
        assert date_words(date(2026, 11, 18), "EEEE d MMMM") == "बुधवार 18 नवंबर"
    assert date_words(date(2026, 11, 18), "EEEE d MMMM") == "Wednesday 18 November"
