"""Validation of demo requests. Source: specification V5.1 to V5.6."""

from dataclasses import asdict

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.demo import REQUEST_BODY
from tests.helpers.mail_bytes import INJECTIONS
from voice_site.content.plans import NO_PLAN, VARIANTS
from voice_site.domain import constants
from voice_site.domain.demo_request import (
    FIELDS,
    InvalidRequest,
    greeted_name,
    is_suspected,
    mailbox_of,
    read_request,
    variant_id,
)


def errors(**changes):
    with pytest.raises(InvalidRequest) as raised:
        read_request(REQUEST_BODY | changes, VARIANTS)
    return raised.value.fields


def test_fields_and_labels_match_specification():
    assert [rule.label for rule in FIELDS] == [
        *("Full Name", "Job Title", "Business Email", "Phone Number"),
        *("Company Name", "Company Size", "Industry", "Location (City)"),
    ]
    assert [rule.name for rule in FIELDS if not rule.is_required] == ["phone"]


def test_read_request_keeps_only_collected_fields():
    """Country, preferred date and preferred time are in the specification, but not collected."""
    sent = REQUEST_BODY | {
        "country": "IN",
        "preferredDemoDate": "2026-12-01",
        "preferredTime": "10:00",
    }
    collected = {
        *("full_name", "job_title", "email", "phone", "company", "company_size", "industry"),
        *("location", "selected_variant", "use_case", "additional_notes", "source"),
    }
    request = read_request(sent, VARIANTS)
    assert set(asdict(request)) == collected
    assert (request.full_name, request.company_size) == ("Priya Raman", "51-200 employees")
    assert (request.selected_variant, request.source) == ("02", "cta")


def test_read_request_rejects_missing_required_field():
    for name in (rule.name for rule in FIELDS if rule.is_required):
        for value in ("", "   ", "\u200b", None, 5, [], {}, True):
            assert list(errors(**{name: value})) == [name], value


def test_read_request_reports_all_errors_when_form_is_empty():
    with pytest.raises(InvalidRequest, match=r"^the demo request is not complete$") as raised:
        read_request({}, VARIANTS)
    assert raised.value.fields == {
        **{rule.name: rule.message for rule in FIELDS if rule.is_required},
        "selectedVariant": "Choose a variant.",
    }


def test_read_request_rejects_field_that_is_too_long():
    for rule in FIELDS:
        said = {rule.name: f"Use at most {rule.max_length} characters."}
        assert errors(**{rule.name: "x" * 10_000}) == said
        if rule.name in {"fullName", "jobTitle", "company", "location"}:
            read_request(REQUEST_BODY | {rule.name: "x" * 160}, VARIANTS)
            assert rule.name in errors(**{rule.name: "x" * 161})
    for name in ("useCase", "additionalNotes"):
        read_request(REQUEST_BODY | {name: "x" * 2_000}, VARIANTS)
        assert errors(**{name: "x" * 2_001}) == {name: "Use at most 2000 characters."}


def test_notes_are_stored_on_one_line_without_control_characters():
    for typed, stored in (
        *(("  Fees\r\nDates  ", "Fees Dates"), ("Fees\x00\x1b[31m", "Fees[31m")),
        *(("\u202eFees", "Fees"), ("फीस, क्\u200dष", "फीस, क्\u200dष")),
        *((nothing, "") for nothing in ("\u200b", None, ["Fees"])),
    ):
        sent = REQUEST_BODY | {"useCase": typed, "additionalNotes": typed}
        request = read_request(sent, VARIANTS)
        assert [request.use_case, request.additional_notes] == [stored] * 2


def test_read_request_rejects_oversized_input_that_normalizes_to_nothing():
    for name in ("fullName", "email", "useCase", "additionalNotes"):
        assert str(errors(**{name: " " * 10_001})[name]).startswith("Use at most ")


def test_request_may_choose_no_plan_yet():
    request = read_request(REQUEST_BODY | {"selectedVariant": NO_PLAN.id}, VARIANTS)
    assert request.selected_variant == "none"
    assert list(VARIANTS) == ["01", "02", "03", "none"]


def test_notes_are_stored_in_separate_fields():
    sent = REQUEST_BODY | {"useCase": "Admissions", "additionalNotes": "Call in the evening"}
    request = read_request(sent, VARIANTS)
    assert (request.use_case, request.additional_notes) == ("Admissions", "Call in the evening")


def test_invalid_email_is_rejected():
    no_domains = ("priya", "a@", "a@b", "a@localhost", "a@b..c", "a@-b.c", "a@b,c@d.e")
    no_mailboxes = ("@company.example", "a b@c.example", "a\n@b.c", "a..b@c.example")
    for address in (*no_domains, *no_mailboxes, "=?x?=@c.example", "a" * 65 + "@c.example"):
        assert "email" in errors(email=address), address
    # What browsers accept is accepted.
    for address in ("a@b.co", "first.last+tag@sub.company.example", "o'x@b.c"):
        assert read_request(REQUEST_BODY | {"email": address}, VARIANTS).email == address


def test_read_request_rejects_injection_in_any_field():
    values = [(rule.name, text) for rule in FIELDS for text in INJECTIONS]
    values += [("email", f"{text}@x.org") for text in INJECTIONS]
    for name, text in values:
        found = errors(**{name: text})
        assert list(found) == [name], text
        assert found[name]


def test_unknown_option_is_rejected():
    for name in ("companySize", "industry"):
        for value in ("Space travel", "technology", "11-50"):
            assert name in errors(**{name: value})


def test_field_states_pattern_when_rule_is_more_than_a_length():
    assert [rule.name for rule in FIELDS if rule.pattern] == ["email", "phone"]
    phone = next(rule.pattern for rule in FIELDS if rule.name == "phone")
    assert r"\d" not in phone  # a browser's \d is ASCII only


def test_option_lists_have_specified_length():
    assert len(constants.COMPANY_SIZES) == 5
    assert len(constants.INDUSTRIES) == 9


def test_variant_id_accepts_id_or_name():
    ids = {"01": "01", "TARA PRO": "02", "tara enterprise": "03", "04": "", "": ""}
    ids |= {"none": "none", "None of these yet": "none"}
    assert {chosen: variant_id(chosen, VARIANTS) for chosen in ids} == ids


def test_unknown_source_is_dropped():
    assert read_request(REQUEST_BODY | {"source": "<script>"}, VARIANTS).source == ""


def test_is_suspected_detects_bots():
    times = (1_999, -9_000, "9000", None, True, float("nan"), float("inf"))
    for sent in (
        *({"elapsedMs": each} for each in times),
        {},
        {"elapsedMs": 9_000, "website": "x"},
    ):
        assert is_suspected(sent), sent
    for sent in ({"elapsedMs": 2_000}, {"elapsedMs": 9_000, "website": "  "}):
        assert not is_suspected(sent), sent


def test_greeted_name_drops_advertisements():
    names = ("Priya Raman", "प्रिया रमन", "x" * 60, "St. John", "Dr. Anil K. Sharma-O'Brien")
    for name in names:
        assert greeted_name(name) == name
    addresses = ("Win at http://spam.example", "see www.spam", "spam.example", "Call ९८११०")
    sentences = ("You won. Call 98110 00000", "You won a car!", "Priya: look here")
    for name in (*addresses, *sentences, "You have won a new car", "x" * 61):
        assert greeted_name(name) == "", name


def test_phone_must_be_a_number_when_it_is_given():
    # Source: specification V5.3.
    for phone in ("", "+91 98765 43210", "(044) 2345-6789"):
        assert "phone" not in errors(fullName="", phone=phone)
    for phone in ("abc", "12345", "1234567890123456", "call 9876543210", "+"):
        assert "phone" in errors(fullName="", phone=phone)


def test_mailbox_of_drops_what_providers_ignore():
    for mailbox, addresses in {
        "priya@company.example": (
            *("Priya@Company.example", "priya+win@company.example", "priya+a+b@company.example"),
        ),
        "p.riya@company.example": ("p.riya@company.example",),
        "priya@gmail.com": ("p.ri.ya+x@gmail.com", "priya@googlemail.com"),
        "+priya@company.example": ("+priya@company.example",),
    }.items():
        assert {mailbox_of(each) for each in addresses} == {mailbox}


@given(
    st.dictionaries(
        st.sampled_from([*REQUEST_BODY, "website"]), st.text() | st.integers() | st.none()
    )
)
def test_read_request_returns_or_rejects_any_input(sent):
    fields = request = None
    try:
        request = read_request(REQUEST_BODY | sent, VARIANTS)
    except InvalidRequest as error:
        fields = error.fields
    assert fields if request is None else request.selected_variant in VARIANTS
