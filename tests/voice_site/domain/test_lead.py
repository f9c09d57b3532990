"""The rules of a lead: who is the same person, and how long a new lead may wait."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from voice_site.domain.lead import Lead, LeadState, company_key, phone_key

ASKED = datetime(2026, 11, 18, 7, 30, tzinfo=UTC)
LEAD = Lead("a1b2c3d4" * 4, LeadState.NEW, "", "", ASKED, ASKED)


@pytest.mark.parametrize(
    "phone", ["+91 98765 43210", "98765-43210", "0 (98765) 43210", "0091 9876543210"]
)
def test_phone_key_is_the_same_for_each_spelling(phone):
    assert phone_key(phone) == "9876543210"


def test_phone_key_of_a_short_or_missing_number_has_all_its_digits():
    assert [phone_key("1800 12"), phone_key("")] == ["180012", ""]


@pytest.mark.parametrize(
    "company", ["Southern College", " SOUTHERN  college.", "southern college,"]
)
def test_company_key_is_the_same_for_each_spelling(company):
    assert company_key(company) == "southern college"


def test_overdue_counts_from_the_promised_24_hours():
    assert LEAD.overdue(ASKED + timedelta(hours=20)) == timedelta(hours=-4)
    assert LEAD.overdue(ASKED + timedelta(hours=30)) == timedelta(hours=6)
    answered = replace(LEAD, state=LeadState.CONTACTED)
    assert answered.overdue(ASKED + timedelta(hours=30)) is None
