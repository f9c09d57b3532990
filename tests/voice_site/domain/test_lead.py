"""The rules of a lead: who is the same person, and how long a new lead may wait."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from voice_site.domain.lead import Lead, LeadState, company_key, phone_key

ASKED = datetime(2026, 11, 18, 7, 30, tzinfo=UTC)
LEAD = Lead("a1b2c3d4" * 4, LeadState.NEW, "", "", ASKED, ASKED)


def test_phone_key_is_the_same_for_each_spelling():
    for phone in ("+91 98765 43210", "98765-43210", "0 (98765) 43210", "0091 9876543210"):
        assert phone_key(phone) == "9876543210"
    # That of a short or missing number has all its digits.
    assert [phone_key("1800 12"), phone_key("")] == ["180012", ""]


def test_company_key_is_the_same_for_each_spelling():
    for company in ("Southern College", " SOUTHERN  college.", "southern college,"):
        assert company_key(company) == "southern college"


def test_overdue_counts_from_the_promised_24_hours():
    assert LEAD.overdue(ASKED + timedelta(hours=20)) == timedelta(hours=-4)
    assert LEAD.overdue(ASKED + timedelta(hours=30)) == timedelta(hours=6)
    answered = replace(LEAD, state=LeadState.CONTACTED)
    assert answered.overdue(ASKED + timedelta(hours=30)) is None
