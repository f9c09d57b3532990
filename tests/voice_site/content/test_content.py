"""The page's content against the specification."""

from dataclasses import replace

import pytest

from voice_site.components.contact import contact
from voice_site.content import copy
from voice_site.content.calls import CALLS
from voice_site.content.company import COMPANY
from voice_site.content.comparison import COLUMNS, ROWS
from voice_site.content.languages import LANGUAGES
from voice_site.content.market import FIGURES
from voice_site.content.plans import PERIOD, PLANS, format_rupees
from voice_site.content.questions import questions
from voice_site.content.roadmap import PHASES, Progress
from voice_site.domain.facts import NO_FACTS


def test_headline_matches_specification():
    assert f"{copy.FAREWELL} {copy.NEW_LIFE}" == (
        "Say goodbye to boring and awkward processes interfaces and start a new life with DA'VINCI"
    )


LIMITS = [
    ("1,000 interactions", "5 Indian"),
    ("10,000 interactions", "15+ languages", "Form filling and registration"),
    ("Unlimited interactions and languages", "semantic memory", "model training"),
]
"""What the features of each plan name."""


def test_plan_matches_specification():
    assert [(plan.id, plan.name, plan.price, plan.original_price) for plan in PLANS] == [
        ("01", "TARA BASE", "₹9,800", "₹15,000"),
        ("02", "TARA PRO", "₹24,900", "₹35,000"),
        ("03", "TARA ENTERPRISE", "₹74,900", "₹99,000"),
    ]
    for plan, limits in zip(PLANS, LIMITS, strict=True):
        assert all(limit in " ".join(plan.features) for limit in limits), plan.name
    assert [plan.name for plan in PLANS if plan.is_recommended] == ["TARA PRO"]


def test_each_plan_has_a_theme_colour_of_its_own():
    assert [plan.colour.value for plan in PLANS] == ["blue", "violet", "teal"]


def test_plan_has_all_specified_fields():
    for plan in PLANS:
        assert all([plan.tagline, plan.description, plan.features, plan.caption])
        assert 0 < plan.price_rupees < plan.original_rupees
    assert PERIOD == "/month"
    assert len({plan.strings for plan in PLANS}) == len(PLANS)
    special = [plan.special for plan in PLANS if plan.special]
    assert special
    assert all(each.title and each.description for each in special)


@pytest.mark.parametrize(
    ("rupees", "text"),
    [
        (0, "₹0"),
        (999, "₹999"),
        (9_800, "₹9,800"),
        (99_000, "₹99,000"),
        (12_345_678, "₹1,23,45,678"),
    ],
)
def test_rupees_use_indian_digit_grouping(rupees, text):
    assert format_rupees(rupees) == text


def test_phases_are_two_completed_one_active_five_pending():
    assert [phase.progress.value for phase in PHASES] == [
        *["Completed"] * 2,
        "Active",
        *["Pending"] * 5,
    ]
    assert [phase.number for phase in PHASES] == list(range(1, 9))


def test_comparison_has_four_columns_and_eight_rows_with_known_figures():
    assert 1 + len(COLUMNS) == 4
    assert len(ROWS) == 8
    assert [ROWS[0].tara.text, ROWS[0].call_centre.text] == ["₹9,800", "₹25,547"]
    assert ROWS[1].call_centre.text == "45%"


def test_comparison_contains_only_specified_figures():
    numbered = [cell for row in ROWS for cell in row.cells if any(c.isdigit() for c in cell.text)]
    assert {cell.text for cell in numbered} == {"₹9,800", "₹25,547", "45%"}
    assert all(cell.of for cell in numbered)


def test_market_figures_match_specification():
    assert [figure.number + figure.unit for figure in FIGURES] == ["72%", "95%", "3.5x"]


def test_founder_mail_link_has_specified_subject():
    assert COMPANY.founder.mail_link.endswith("?subject=Lets%20Connect%20-%20Davinci%20Solutions")


def test_contacts_use_reserved_domains_and_a_number_that_cannot_ring():
    for address in (COMPANY.email, COMPANY.founder.email):
        assert address.endswith(".example")
    assert COMPANY.phone == "+91 12345 00000"  # India's mobile numbers begin with 6 to 9


def test_contact_has_a_phone_link_when_the_company_has_a_phone():
    shown = str(contact())
    assert "tel:+911234500000" in shown
    assert f"mailto:{COMPANY.email}" in shown
    assert "tel:" not in str(contact(replace(COMPANY, phone="")))


def test_pending_phases_do_not_name_what_a_plan_sells():
    sold = {"language", "form", "registration", "memory", "semantic", "training", "model"}
    names = " ".join(phase.name.lower() for phase in PHASES if phase.progress is Progress.PENDING)
    assert [word for word in sold if word in names] == []


def test_price_of_an_interaction_follows_from_price_and_limit():
    assert [plan.interaction_price for plan in PLANS] == ["₹9.80", "₹2.49", ""]


def test_base_names_its_five_languages():
    base = PLANS[0]
    spoken = {language.name for language in LANGUAGES}
    named = base.caption.partition(": ")[2].split(", ")
    assert len(named) == base.strings == 5
    assert set(named) <= spoken - {"English"}


def test_plans_and_answer_name_the_languages_with_a_voice():
    spoken = {language.name for language in LANGUAGES if language.code in CALLS}
    texts = [plan.voices for plan in PLANS]
    texts += [each.answer for each in questions(NO_FACTS) if "languages" in each.question]
    assert len(texts) == 4
    for text in texts:
        ready, _stop, others = text.partition(". " if text in texts[:3] else "; the voices")
        named = {language.name for language in LANGUAGES if language.name in ready}
        assert named
        assert named <= spoken
        assert "in preparation" in others
    base = PLANS[0]
    assert all(name in base.voices for name in base.caption.partition(": ")[2].split(", "))


def test_each_language_uses_its_own_script():
    assert len({language.code for language in LANGUAGES}) == len(LANGUAGES) == 12
    native = [language for language in LANGUAGES if language.code != "en"]
    assert all(min(map(ord, language.own_name)) > 0x500 for language in native)
    assert [language.code for language in LANGUAGES if language.direction == "rtl"] == ["ur"]


def test_each_browser_has_instructions():
    assert [each.key for each in copy.BROWSERS] == ["chrome", "safari", "firefox", "other"]
    assert all(each.steps for each in copy.BROWSERS)
