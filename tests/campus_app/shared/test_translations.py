"""The texts of the ordering product in its languages. Source: specification P6.2."""

import pytest
import reflex as rx

from campus_app.catalogue.csv.catalogue import CsvCatalogue
from campus_app.catalogue.screens.restaurant_card import EVERY_CUISINE
from campus_app.catalogue.screens.restaurant_card import cuisines as cuisines_of
from campus_app.shared.rules.messages import OrderMessage
from campus_app.shared.translations import FOLDER, LANGUAGES, t
from campus_app.shell.sentence import sentence, translated
from kit.text import gettext_noop
from kit.translations import ENGLISH, read_translations, use_locale
from tests.helpers.settings import DATA

OTHERS = [code for code in LANGUAGES if code != ENGLISH]
KNOWN = gettext_noop("OPEN")
KNOWN_IN_HINDI = "खुला"


def in_script(part):
    """Return generated code with readable characters; the compiler writes ASCII."""
    return str(part).encode().decode("unicode_escape")


@pytest.mark.parametrize("code", OTHERS)
def test_translated_filter_labels_are_distinct(code):
    """The browser compares filter labels: no two may be equal."""
    translations = read_translations(FOLDER / f"{code}.po")
    cuisines = [EVERY_CUISINE, *cuisines_of(CsvCatalogue(DATA).restaurants())]
    assert len({translations.get(each) or each for each in cuisines}) == len(cuisines)


@pytest.mark.parametrize(
    ("message", "hindi"),
    [
        pytest.param(OrderMessage.EMPTY_CART, "कार्ट खाली है।", id="without a placeholder"),
        pytest.param(
            OrderMessage.NOT_SERVED.of(name="Wok Street"),
            "Wok Street इस कैंपस में डिलीवरी नहीं करता।",
            id="with a name",
        ),
    ],
)
def test_message_is_translated_into_the_current_language(message, hindi):
    with use_locale("hi"):
        assert t(message) == hindi


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
    assert translated(state, [KNOWN]) is state
    with use_locale("hi"):
        generated = in_script(translated(state, [KNOWN]))
    assert KNOWN_IN_HINDI in generated
    assert "state" in generated
