"""The privacy and terms pages state what the program does. Source: specification V2.57, V2.58."""

from dataclasses import fields

import pytest

from voice_site.content.company import COMPANY
from voice_site.content.legal import (
    CONSENT,
    CONSENT_VERSION,
    CONSENTS,
    LEGAL_PAGES,
    NAMES,
    PRIVACY,
    TERMS,
)
from voice_site.content.plans import PLANS
from voice_site.content.samples import LICENCE, MODEL
from voice_site.domain.demo_request import DemoRequest
from voice_site.domain.journey import Journey

WORDS = {
    "full_name": "full name",
    "job_title": "job title",
    "email": "business email address",
    "phone": "phone number",
    "company": "company",
    "company_size": "company size",
    "industry": "industry",
    "location": "city",
    "selected_variant": "the variant you choose",
    "use_case": "what your callers ask for",
    "source": "the button that opened the form",
}
"""What the privacy page calls each stored field."""
WITHOUT_AN_INPUT = {"additional_notes"}


def text_of(page):
    """Return all paragraphs of a page with its placeholders filled in."""
    paragraphs = [text for section in page.sections for text in section.paragraphs]
    return " ".join(paragraphs).format(**NAMES)


def test_privacy_page_names_every_stored_field():
    stored = {field.name for field in fields(DemoRequest)} - WITHOUT_AN_INPUT
    assert stored == set(WORDS)
    text = text_of(PRIVACY)
    assert [words for words in WORDS.values() if words not in text] == []
    assert "spreadsheet" in text
    assert "no cookies for tracking" in text


JOURNEY_WORDS = {
    "language": "language of the page",
    "consent": "which version of the sentence",
    "figures": "cost calculator",
    "call": "the call that you heard last",
    "tried": "whether you tried the demonstration",
    "referrer": "the name of the site that linked here",
    "campaign": "utm parameters",
}
"""What the privacy page calls each part that travels with a request."""


def test_privacy_page_names_everything_that_travels_with_a_request():
    assert {field.name for field in fields(Journey)} == set(JOURNEY_WORDS)
    text = text_of(PRIVACY)
    assert [words for words in JOURNEY_WORDS.values() if words not in text] == []
    assert "until you close the tab; they are sent with a request alone" in text


def test_consent_of_a_version_is_never_changed():
    """Requests name the version: a changed sentence needs a new one."""
    sentence = "By sending this you agree that we store these details and contact you about TARA."
    assert CONSENTS["1"] == sentence
    assert CONSENTS[CONSENT_VERSION] == CONSENT


def test_terms_state_prices_licence_and_company():
    text = text_of(TERMS)
    for plan in PLANS:
        assert f"{plan.name} {plan.price}" in text
    assert "per month" in text
    assert "makes no contract" in text
    assert "scripted" in text
    assert MODEL in text
    assert LICENCE in text
    assert COMPANY.legal_name in text
    assert "its founder" not in text


@pytest.mark.parametrize("page", LEGAL_PAGES, ids=lambda page: page.name)
def test_page_claims_no_legal_review(page):
    assert "lawyer" not in text_of(page)
    assert "advice" not in text_of(page)
