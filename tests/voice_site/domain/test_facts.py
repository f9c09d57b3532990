"""Which facts about TARA may be shown, and how. Source: specification V2.72, V2.73."""

import pytest

from voice_site.domain.facts import LONGEST, FactName, Facts, InvalidFact, fact_values

BOTH = {"en": "Added to the price: 18%.", "hi": "कीमत पर 18% अलग से।"}


def test_fact_has_its_text_in_each_language():
    facts = Facts({FactName.GST: fact_values(FactName.GST, BOTH)})
    assert [facts.value(FactName.GST, code) for code in ("en", "hi")] == list(BOTH.values())


def test_fact_is_hidden_when_its_cells_are_empty():
    assert fact_values(FactName.GST, {"en": "", "hi": " \t"}) == {}
    assert Facts({}).value(FactName.GST, "hi") == ""


def test_text_is_shown_on_one_line_without_invisible_characters():
    cells = {"en": " In\n Mumbai\u200b ", "hi": "मुंबई में"}
    assert fact_values(FactName.HOSTING, cells)["en"] == "In Mumbai"


def test_price_is_an_amount_in_rupees_in_every_language():
    amounts = {"12": "₹12", "12.50": "₹12.50", "₹9.8": "₹9.80", "Rs. 3.00": "₹3", "0.5": "₹0.50"}
    for written, amount in amounts.items():
        for cells in ({"en": written, "hi": ""}, {"en": "", "hi": written}):
            values = fact_values(FactName.ONE_MORE_PRO, cells)
            facts = Facts({FactName.ONE_MORE_PRO: values})
            shown = [facts.value(FactName.ONE_MORE_PRO, code) for code in ("en", "hi")]
            assert shown == [amount] * 2


def refused(name, cells, language, reason):
    with pytest.raises(InvalidFact, match=reason) as raised:
        fact_values(name, cells)
    assert raised.value.language == language


def test_text_is_refused_with_the_language_of_its_cell():
    for language, cell, reason in (
        *(("hi", "", "is empty"), ("en", "", "is empty")),
        *(("en", cell, "is no value") for cell in ("N/A", "TBD", "-")),
        *(("hi", "???? ??", "were lost"), ("hi", "à¤°à¥‹à¤Ÿà¥€", "wrong encoding")),
        *(("en", "#REF!", "error of the spreadsheet"),),
        ("en", "x" * (LONGEST + 1), f"has {LONGEST + 1} characters"),
    ):
        refused(FactName.GST, BOTH | {language: cell}, language, reason)


def test_price_is_refused_when_it_is_no_amount_or_two():
    for cell in ("twelve", "0", "-3", "12.505"):
        refused(FactName.ONE_MORE_BASE, {"en": cell, "hi": ""}, "en", "no amount")
    refused(FactName.ONE_MORE_BASE, {"en": "", "hi": "12,50"}, "hi", "no amount")
    refused(FactName.ONE_MORE_BASE, {"en": "12", "hi": "13"}, "hi", "another amount")


def test_longest_text_is_shown():
    cells = {"en": "x" * LONGEST, "hi": "y" * LONGEST}
    assert fact_values(FactName.GST, cells) == cells
