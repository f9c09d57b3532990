"""The buyers' questions, with and without the operator's facts. Source: V2.34, V2.72."""

import re

import pytest

from kit.translations import use_locale
from voice_site.content.facts import ShownFact, facts_in
from voice_site.content.questions import questions
from voice_site.domain.facts import NO_FACTS, PRICES, FactName, Facts
from voice_site.sections.questions import questions as section

TEXTS = {name: {"en": f"Value of {name}.", "hi": f"{name} का मान।"} for name in FactName}
AMOUNTS = {FactName.ONE_MORE_BASE: {"en": "₹12"}, FactName.ONE_MORE_PRO: {"en": "₹3.50"}}
ALL = Facts(TEXTS | AMOUNTS)
ONLY_WITH_FACTS = ["Does it work with our phone numbers?", "How soon can TARA answer our calls?"]


def shown(facts):
    return {fact.label: fact.value for each in questions(facts) for fact in each.facts}


def test_eight_questions_are_answered_with_specified_figures_only():
    asked = questions(NO_FACTS)
    assert len({each.question for each in asked}) == len(asked) == 8
    assert all(each.question.endswith("?") and each.answer.endswith(".") for each in asked)
    answers = " ".join(each.whole_answer for each in asked)
    figures = set(re.findall(r"₹?[\d,.]*\d", answers))
    derived = {"₹9.80", "₹2.49"}
    assert figures == {"₹9,800", "₹24,900", "₹74,900", "1,000", "10,000", "24"} | derived


def test_no_fact_is_on_the_page_without_a_value():
    assert shown(NO_FACTS) == {}
    assert "<dl" not in str(section(NO_FACTS))
    assert '"dl"' not in str(section(NO_FACTS))


def test_each_fact_with_a_value_is_shown_once():
    values = list(shown(ALL).values())
    assert len(values) == len(set(values)) == len(FactName) - len(PRICES) + 1
    rendered = str(section(ALL))
    for name in set(FactName) - PRICES:
        assert rendered.count(f"Value of {name}.") == 1, name


def test_questions_without_an_answer_of_their_own_appear_with_their_facts():
    texts = [each.question for each in questions(NO_FACTS)]
    added = [each.question for each in questions(ALL) if each.question not in texts]
    assert added == ONLY_WITH_FACTS
    only = Facts({FactName.GO_LIVE: TEXTS[FactName.GO_LIVE]})
    assert len(questions(only)) == len(texts) + 1


@pytest.mark.parametrize(
    ("amounts", "words"),
    [
        (AMOUNTS, "₹12 with TARA BASE, ₹3.50 with TARA PRO"),
        ({FactName.ONE_MORE_PRO: {"en": "₹3.50"}}, "₹3.50 with TARA PRO"),
    ],
)
def test_price_of_one_more_interaction_names_the_plans_that_have_one(amounts, words):
    assert shown(Facts(amounts)) == {"One more interaction": words}


def test_facts_are_in_the_language_of_the_page():
    with use_locale("hi"):
        values = shown(ALL)
        labels = set(values)
    assert "₹12, TARA BASE" not in values.values()
    assert {value for value in values.values() if "₹" not in value} == {
        TEXTS[name]["hi"] for name in set(FactName) - PRICES
    }
    assert "TARA BASE में ₹12, TARA PRO में ₹3.50" in values.values()
    assert not labels & (set(shown(ALL)) - {"GST"})


def test_fault_of_the_file_is_logged_and_hides_its_fact_alone(tmp_path, caplog):
    rows = "fact,value,value_hi\ngst,Added: 18%.,18% अलग से।\nnotice,30 days.,\n"
    (tmp_path / "tara_facts.csv").write_text(rows, encoding="utf-8")
    assert set(facts_in(tmp_path).values) == {FactName.GST}
    (record,) = caplog.records
    assert record.getMessage().startswith("tara_facts.csv row 3: the fact is hidden: value_hi: is")


def test_whole_answer_has_a_line_for_each_fact():
    (cost,) = (each for each in questions(ALL) if each.question == "What does it cost?")
    first, *lines = cost.whole_answer.split("\n")
    assert first == cost.answer
    assert lines[1:3] == [
        "One more interaction: ₹12 with TARA BASE, ₹3.50 with TARA PRO",
        "GST: Value of gst.",
    ]
    assert cost.facts[2] == ShownFact("GST", "Value of gst.")
