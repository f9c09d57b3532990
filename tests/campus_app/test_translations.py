"""Everything is said in every language, and said right. Source: issue 6, Craft 3."""

import pickle
from datetime import date
from string import Formatter

import pytest
import reflex as rx

from campus_app.components.sentence import in_words, sentence
from campus_app.domain.messages import OrderMessage, Sentence, noted
from campus_app.translations import (
    ENGLISH,
    LANGUAGES,
    chosen_language,
    date_words,
    language,
    language_from,
    own_name,
    page_language,
    speaking,
    t,
)
from tools.translations import current, texts

OTHERS = [code for code in LANGUAGES if code != ENGLISH]
KNOWN = noted("OPEN")
KNOWN_IN_HINDI = "खुला"
UNKNOWN = "Nobody has ever said this"


def places(text):
    return sorted(name for _, name, _, _ in Formatter().parse(text) if name is not None)


def in_script(part):
    """Return the script of a part as people read it; the compiler writes it in ASCII."""
    return str(part).encode().decode("unicode_escape")


def translations(code):
    return {message.id: message.string for message in current(code) if message.id}


@pytest.mark.parametrize("code", OTHERS)
def test_every_text_is_said_in_every_language(code):
    said = translations(code)
    assert [text for text, _file in texts() if not said.get(text)] == []


@pytest.mark.parametrize("code", OTHERS)
def test_a_language_holds_nothing_that_is_said_no_more(code):
    assert set(translations(code)) == {text for text, _file in texts()}
    assert not current(code).obsolete


@pytest.mark.parametrize("code", OTHERS)
def test_a_translation_has_the_places_of_its_original(code):
    others = {
        text: said for text, said in translations(code).items() if places(text) != places(said)
    }
    assert others == {}


@pytest.mark.parametrize("code", OTHERS)
def test_a_translation_has_the_marks_of_its_original(code):
    marks = ("<", "\n", "₹", "FOOD_points", "UPI")
    others = {
        text: said
        for text, said in translations(code).items()
        if any(text.count(mark) != said.count(mark) for mark in marks)
    }
    assert others == {}


@pytest.mark.parametrize("code", OTHERS)
def test_what_the_browser_compares_is_said_in_as_many_words(code):
    """A filter of kitchens finds its own: no two of them read the same."""
    said = translations(code)
    cuisines = ["All", "Indian", "Chinese", "American", "South Indian"]
    assert len({said[each] for each in cuisines}) == len(cuisines)


def test_english_is_said_as_it_is_written():
    assert t(KNOWN) == "OPEN"
    assert t("PAY {amount} NOW", amount="₹20") == "PAY ₹20 NOW"


@pytest.mark.parametrize(
    ("text", "names", "said"),
    [
        pytest.param(KNOWN, {}, KNOWN_IN_HINDI, id="a text"),
        pytest.param(UNKNOWN, {}, UNKNOWN, id="what no file has is said in English"),
        pytest.param("", {}, "", id="nothing"),
        pytest.param(
            "PAY {amount} NOW", {"amount": "₹20"}, "अभी ₹20 दें", id="names in other places"
        ),
        pytest.param("PAY {amount} NOW", {}, "अभी {amount} दें", id="without names the places stay"),
        pytest.param(OrderMessage.EMPTY_CART, {}, "कार्ट खाली है।", id="a message"),
        pytest.param(
            OrderMessage.NOT_SERVED.of(name="Wok Street"),
            {},
            "Wok Street इस कैंपस पर डिलीवरी नहीं करता।",
            id="a message with a name",
        ),
        pytest.param(
            Sentence("Delivery to {campus}", {"campus": "North Campus"}),
            {},
            "नॉर्थ कैंपस पर डिलीवरी",
            id="a name that is a text is said, too",
        ),
        pytest.param(
            Sentence("Minimum order {minimum}.", {"minimum": 99}),
            {},
            "मिनिमम ऑर्डर 99।",
            id="a name that is none",
        ),
    ],
)
def test_a_text_is_said_in_the_language_that_is_spoken(text, names, said):
    with speaking("hi"):
        assert t(text, **names) == said


def test_a_sentence_is_english_wherever_it_is_kept():
    told = OrderMessage.NOT_SERVED.of(name="Wok Street")
    assert told == "Wok Street does not deliver to this campus."
    copy = pickle.loads(pickle.dumps(told))
    assert (copy, copy.message, copy.names) == (told, told.message, told.names)


def test_a_language_is_spoken_for_a_while():
    with speaking("hi"):
        with speaking(ENGLISH):
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
def test_a_language_is_one_of_ours_or_english(value, code):
    assert language_from(value) == code


@pytest.mark.parametrize(
    ("cookies", "code"),
    [
        pytest.param("", "en", id="none"),
        pytest.param("language=hi", "hi", id="alone"),
        pytest.param("a=1; language=hi; b=2", "hi", id="among others"),
        pytest.param('language="hi"', "en", id="in quotation marks, as the page does not read it"),
        pytest.param("{bad cookie=1; language=hi", "hi", id="behind one that is none"),
        pytest.param("language=en", "en", id="English"),
        pytest.param("language=fr", "en", id="one that we have not"),
        pytest.param("mylanguage=hi", "en", id="another name that ends alike"),
        pytest.param("language", "en", id="no value"),
        pytest.param("language=", "en", id="an empty value"),
        pytest.param("language=../../etc/passwd", "en", id="a path"),
        pytest.param("language=\x00hi", "en", id="a character that no cookie has"),
        pytest.param("expires=1; language=;;;=;==", "en", id="no cookies at all"),
        pytest.param("language=hi; " + "x" * 5_000, "en", id="too long to look at"),
        pytest.param("[]{}=1; language", "en", id="names that are none"),
    ],
)
def test_a_cookie_chooses_the_language(cookies, code):
    assert chosen_language(cookies) == code


def test_a_language_has_a_name_of_its_own_and_a_day_its_words():
    assert (own_name("hi"), own_name("en")) == ("हिन्दी", "English")
    assert page_language("hi") == "hi-IN"
    with speaking("hi"):
        assert date_words(date(2026, 11, 18), "EEEE d MMMM") == "बुधवार 18 नवंबर"
    assert date_words(date(2026, 11, 18), "EEEE d MMMM") == "Wednesday 18 November"


def test_the_parts_of_a_sentence_stand_where_its_language_puts_them():
    def words():
        parts = sentence(
            "Order updates go to {email} and {phone}. If the e-mail is missing, look in spam.",
            email=rx.el.b("A"),
            phone=rx.el.b("B"),
        )
        return in_script(parts)

    english = words()
    with speaking("hi"):
        hindi = words()
    assert english.index("Order updates") < english.index('"A"') < english.index('"B"')
    assert hindi.index("ऑर्डर") < hindi.index('"A"') < hindi.index("स्पैम")


def test_a_variable_is_said_in_other_words_where_there_are_any():
    state = rx.Var("state").to(str)
    assert in_words(state, [KNOWN]) is state
    with speaking("hi"):
        said = in_script(in_words(state, [KNOWN]))
    assert KNOWN_IN_HINDI in said
    assert "state" in said
