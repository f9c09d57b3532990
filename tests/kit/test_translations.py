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
    with use_locale("ta"):  # which the product lacks
        assert catalogues.t("OPEN") == "OPEN"
    with use_locale("hi"):
        for text in ("CLOSED", "NEW", "UNKNOWN"):  # fuzzy, empty, missing
            assert catalogues.t(text) == text


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


@pytest.mark.parametrize("code", ["en", "hi"])
def test_text_isolates_right_to_left_values(catalogues, code):
    # Source: specification 10.55.
    with use_locale(code):
        said = catalogues.t("Minimum order {minimum}.", minimum="بریانی")
        again = catalogues.t(FormattedMessage("Minimum order {minimum}.", {"minimum": "بریانی"}))
    assert said == again
    assert "\u2068بریانی\u2069" in said


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


def test_parse_language_returns_known_language_or_english(catalogues):
    assert [catalogues.parse_language(value) for value in ("hi", "en")] == ["hi", "en"]
    for value in ("HI", "xx", "../hi", "hi\x00", "", None, ["hi"]):
        assert catalogues.parse_language(value) == "en", value


def test_query_selects_known_language_only(catalogues):
    known = {"language=hi": "hi", "device=desktop&language=en": "en"}
    known["language=hi&language=en"] = "hi"
    unknown = ("language=xx", "language=", "Language=hi", "%ff=%fe", "")
    for query, code in (known | dict.fromkeys(unknown, "")).items():
        assert catalogues.language_of_query(query) == code


COOKIES = {
    "hi": ["language=hi", "a=1; language=hi; b=2", "{bad cookie=1; language=hi"],
    "en": [
        *("", "language=en", "language=fr", "mylanguage=hi", "language", "language="),
        'language="hi"',  # as the page does not read it
        *("language=../../etc/passwd", "language=\x00hi", "expires=1; language=;;;=;=="),
        *("language=hi; " + "x" * 5_000, "[]{}=1; language"),
    ],
}


@pytest.mark.parametrize("code", COOKIES)
def test_cookie_selects_language(catalogues, code):
    for cookies in COOKIES[code]:
        assert catalogues.language_of_headers({"cookie": cookies}) == code, cookies[:30]


ACCEPTED = {
    "hi": [
        *("hi-IN,hi;q=0.9,en-US;q=0.8", "en;q=0.5, hi;q=0.8", "en;q=0.8,hi;q=0.801"),
        *("hi;q=0.8,en;q=0.8", "HI-in", "hi ; q=0.1", "ta-IN,ta;q=0.9,hi;q=0.8,en;q=0.7"),
        "*;q=0.5,hi;q=0.4",
    ],
    "en": [
        *("en-IN,en;q=0.9,hi;q=0.8", "en, hi", "ta-IN,ta;q=0.9", "hi;q=0,en;q=0.1", "hi;q=0.000"),
        *("*", "", ",;q=1,hi;q=x,;;,hi-;", "hi;q=1.5", "hi_IN", "hil,hif", "../hi", "हि"),
        "hi," + "x," * 1_000,
    ],
}
"""A language, and headers `Accept-Language` that choose it."""


@pytest.mark.parametrize("code", ACCEPTED)
def test_browser_selects_language_when_no_cookie_does(catalogues, code):
    # Source: specification 10.64; RFC 9110, 12.5.4.
    for header in ACCEPTED[code]:
        for cookie, chosen in {"": code, "xx": code, "hi": "hi", "en": "en"}.items():
            headers = {"accept-language": header}
            headers |= {"cookie": f"language={cookie}"} if cookie else {}
            assert catalogues.language_of_headers(headers) == chosen, (header[:30], cookie)


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
