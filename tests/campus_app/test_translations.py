"""Completeness and correctness of the translations. Source: specification P6.2."""

import pickle
import shutil
from datetime import date
from string import Formatter

import pytest
import reflex as rx

from campus_app.adapters.csv.catalogue import CsvCatalogue
from campus_app.components.restaurant_card import EVERY_CUISINE
from campus_app.components.restaurant_card import cuisines as cuisines_of
from campus_app.components.sentence import in_words, sentence
from campus_app.domain.messages import FormattedMessage, OrderMessage, gettext_noop
from campus_app.translations import (
    ENGLISH,
    FOLDER,
    LANGUAGES,
    chosen_language,
    date_words,
    language,
    own_name,
    page_language,
    parse_language,
    read_translations,
    t,
    use_locale,
)
from tests.helpers.settings import DATA
from tools.translations import current, is_of_data, main, texts, updated

OTHERS = [code for code in LANGUAGES if code != ENGLISH]
KNOWN = gettext_noop("OPEN")
KNOWN_IN_HINDI = "खुला"
UNKNOWN = "Nobody has ever said this"


def places(text):
    return sorted(name for _, name, _, _ in Formatter().parse(text) if name is not None)


def in_script(part):
    """Return generated code with readable characters; the compiler writes ASCII."""
    return str(part).encode().decode("unicode_escape")


def translations(code):
    """Return the translations in use; fuzzy ones are not used."""
    return {
        message.id: "" if message.fuzzy else message.string
        for message in current(code)
        if message.id
    }


def words_of_data(code):
    return {message.id for message in current(code) if message.id and is_of_data(message)}


@pytest.mark.parametrize("code", OTHERS)
def test_each_text_is_translated_in_every_language(code):
    said = translations(code)
    assert [text for text, _file in texts() if not said.get(text)] == []


@pytest.mark.parametrize("code", OTHERS)
def test_catalogue_contains_no_obsolete_texts(code):
    assert set(translations(code)) - words_of_data(code) == {text for text, _file in texts()}
    assert not current(code).obsolete


@pytest.mark.parametrize("code", OTHERS)
def test_translation_has_the_placeholders_of_its_original(code):
    others = {
        text: said
        for text, said in translations(code).items()
        if said and places(text) != places(said)
    }
    assert others == {}


@pytest.mark.parametrize("code", OTHERS)
def test_translation_keeps_markup_and_names_of_its_original(code):
    marks = ("<", "\n", "₹", "FOOD_points", "UPI")
    others = {
        text: said
        for text, said in translations(code).items()
        if said and any(text.count(mark) != said.count(mark) for mark in marks)
    }
    assert others == {}


@pytest.mark.parametrize("code", OTHERS)
def test_translated_filter_labels_are_distinct(code):
    """The browser compares filter labels: no two may be equal."""
    said = translations(code)
    cuisines = [EVERY_CUISINE, *cuisines_of(CsvCatalogue(DATA).restaurants())]
    assert len({said.get(each) or each for each in cuisines}) == len(cuisines)


def test_english_text_is_returned_unchanged():
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
            FormattedMessage("Delivery to {campus}", {"campus": "North Campus"}),
            {},
            "नॉर्थ कैंपस पर डिलीवरी",
            id="a name that is a text is said, too",
        ),
        pytest.param(
            FormattedMessage("Minimum order {minimum}.", {"minimum": 99}),
            {},
            "मिनिमम ऑर्डर 99।",
            id="a name that is none",
        ),
    ],
)
def test_text_is_translated_into_the_current_language(text, names, said):
    with use_locale("hi"):
        assert t(text, **names) == said


def test_sentence_is_stored_in_english():
    told = OrderMessage.NOT_SERVED.of(name="Wok Street")
    assert told == "Wok Street does not deliver to this campus."
    copy = pickle.loads(pickle.dumps(told))
    assert (copy, copy.message, copy.names) == (told, told.message, told.names)


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
def test_language_from_returns_known_language_or_english(value, code):
    assert parse_language(value) == code


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
def test_cookie_selects_language(cookies, code):
    assert chosen_language(cookies) == code


def test_languages_have_own_names_and_translated_dates():
    assert (own_name("hi"), own_name("en")) == ("हिन्दी", "English")
    assert page_language("hi") == "hi-IN"
    with use_locale("hi"):
        assert date_words(date(2026, 11, 18), "EEEE d MMMM") == "बुधवार 18 नवंबर"
    assert date_words(date(2026, 11, 18), "EEEE d MMMM") == "Wednesday 18 November"


def test_sentence_parts_follow_word_order_of_language():
    def words():
        parts = sentence(
            "Order updates go to {email} and {phone}. If the e-mail is missing, look in spam.",
            email=rx.el.b("A"),
            phone=rx.el.b("B"),
        )
        return in_script(parts)

    english = words()
    with use_locale("hi"):
        hindi = words()
    assert english.index("Order updates") < english.index('"A"') < english.index('"B"')
    assert hindi.index("ऑर्डर") < hindi.index('"A"') < hindi.index("स्पैम")


def test_variable_is_mapped_to_its_translation():
    state = rx.Var("state").to(str)
    assert in_words(state, [KNOWN]) is state
    with use_locale("hi"):
        said = in_script(in_words(state, [KNOWN]))
    assert KNOWN_IN_HINDI in said
    assert "state" in said


# The tool that updates the catalogues. Source: docs/translations.md.

CHANGED = ("We keep trying; your cart is safe.", "We keep trying all the time; your cart is safe.")


@pytest.fixture
def folder(tmp_path):
    """A copy of the catalogues."""
    return shutil.copytree(FOLDER, tmp_path / "translations")


def test_translation_becomes_fuzzy_when_its_english_text_changes():
    (text,) = [text for text, _ in texts() if CHANGED[0] in text]
    before = current("hi")[text].string
    longer = text.replace(*CHANGED)
    said = [(longer if each == text else each, file) for each, file in texts()]
    message = updated(current("hi"), said)[longer]
    assert (message.string, message.fuzzy, message.previous_id) == (before, True, [text])


def test_fuzzy_translation_is_not_used(folder):
    file = folder / "hi.po"
    text = file.read_text(encoding="utf-8")
    assert read_translations(file)["OPEN"] == KNOWN_IN_HINDI
    file.write_text(text.replace('msgid "OPEN"', '#, fuzzy\nmsgid "OPEN"'), encoding="utf-8")
    assert "OPEN" not in read_translations(file)


def test_words_of_data_are_kept_when_data_drops_them():
    catalog = updated(current("hi"), texts(), {"waffles"})
    assert catalog["momos"].string
    assert is_of_data(catalog["waffles"])


def test_unfinished_language_is_not_offered(folder, capsys):
    main(["ta"], folder)
    assert not (folder / "ta.po").exists()
    assert sorted(file.stem for file in folder.glob("*.po")) == OTHERS
    main([], folder)
    assert [line.partition(":")[0] for line in capsys.readouterr().out.splitlines()] == [
        "begun/ta.po",
        "hi.po",
        "begun/ta.po",
    ]


def test_update_changes_nothing_when_texts_are_unchanged():
    known = translations("hi")
    after = updated(current("hi"), texts(), {"waffles", "roll"})
    added = {each.id: each for each in after if each.id and each.id not in known}
    assert set(added) == {"waffles", "roll"}
    assert not any(message.string or message.fuzzy for message in added.values())
    assert [each.id for each in after if each.fuzzy and each.id] == []
    assert all(after[text].string == said for text, said in known.items())
