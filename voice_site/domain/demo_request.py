"""A demo request: what is asked, what is allowed, and what becomes of what somebody sent."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from kit.mail.headers import is_header_input, is_mail_address
from voice_site.domain import constants
from voice_site.domain.text import tidy

UNUSABLE: Final = "Use only ordinary characters."


@dataclass(frozen=True)
class FieldRule:
    """What the form asks in one field, and what it says when the answer won't do."""

    name: str
    label: str
    message: str
    longest: int = 160
    kind: Literal["text", "email", "tel"] = "text"
    autocomplete: str = ""
    options: tuple[str, ...] = ()
    is_required: bool = True

    @property
    def too_long(self) -> str:
        return f"Use at most {self.longest} characters."

    @property
    def unusable(self) -> str:
        return self.message if self.kind == "email" else UNUSABLE


FIELDS: Final = (
    FieldRule("fullName", "Full Name", "Enter your full name.", autocomplete="name"),
    FieldRule("jobTitle", "Job Title", "Enter your job title.", autocomplete="organization-title"),
    FieldRule(
        "email",
        "Business Email",
        "Enter an address with an @, such as name@company.example.",
        longest=254,
        kind="email",
        autocomplete="email",
    ),
    FieldRule(
        "phone",
        "Phone Number",
        "",
        longest=40,
        kind="tel",
        autocomplete="tel",
        is_required=False,
    ),
    FieldRule("company", "Company Name", "Enter the company name.", autocomplete="organization"),
    FieldRule(
        "companySize", "Company Size", "Choose a company size.", options=constants.COMPANY_SIZES
    ),
    FieldRule("industry", "Industry", "Choose an industry.", options=constants.INDUSTRIES),
    FieldRule("location", "Location (City)", "Enter the city.", autocomplete="address-level2"),
)
"""The eight fields of the first step, in the order of the screen. Source: specification V5.1."""

VARIANT: Final = "selectedVariant"
CHOOSE_VARIANT: Final = "Choose a variant."
HONEYPOT: Final = "website"
NOTES: Final = ("useCase", "additionalNotes")
"""Sent along, though the form has no input for them. Source: specification V3.4."""
_LONGEST_NOTE = 2_000

_EMAIL = re.compile(
    r"[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}"
    r"@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?"
    r"(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*"
)
"""What browsers take for an address in a field of type email."""
_LINK = re.compile(r"[/@<>]|www\.|\.\w", re.IGNORECASE)
_LONGEST_GREETED = 60


class InvalidRequest(Exception):
    """What somebody sent is no demo request; `fields` says which parts, and why."""

    def __init__(self, fields: Mapping[str, str]) -> None:
        super().__init__("the demo request is not complete")
        self.fields = dict(fields)


@dataclass(frozen=True)
class DemoRequest:
    """Who wants to see TARA; every field is tidy and allowed."""

    full_name: str
    job_title: str
    email: str
    phone: str
    company: str
    company_size: str
    industry: str
    location: str
    selected_variant: str
    use_case: str = ""
    additional_notes: str = ""
    source: str = ""


def read_request(sent: Mapping[str, object], variants: Mapping[str, str]) -> DemoRequest:
    """Return the demo request that somebody sent; `variants` are the plans' names by their ids.

    Raises:
        InvalidRequest: If a field is missing, too long, or not among its options.
    """
    errors: dict[str, str] = {}
    values: dict[str, str] = {}
    for rule in FIELDS:
        values[rule.name] = value = _text(sent.get(rule.name))
        if problem := _problem(rule, value, sent.get(rule.name)):
            errors[rule.name] = problem
    for name in NOTES:
        values[name] = _text(sent.get(name))
        if len(values[name]) > _LONGEST_NOTE:
            errors[name] = f"Use at most {_LONGEST_NOTE} characters."
    variant = variant_id(_text(sent.get(VARIANT)), variants)
    if not variant:
        errors[VARIANT] = CHOOSE_VARIANT
    if errors:
        raise InvalidRequest(errors)
    source = _text(sent.get("source"))
    return DemoRequest(
        full_name=values["fullName"],
        job_title=values["jobTitle"],
        email=values["email"],
        phone=values["phone"],
        company=values["company"],
        company_size=values["companySize"],
        industry=values["industry"],
        location=values["location"],
        selected_variant=variant,
        use_case=values["useCase"],
        additional_notes=values["additionalNotes"],
        source=source if source in constants.SOURCES else "",
    )


def variant_id(chosen: str, variants: Mapping[str, str]) -> str:
    """Return the id of the plan that was chosen by its id or its name; empty if there is none."""
    if chosen in variants:
        return chosen
    named = [id_ for id_, name in variants.items() if name.casefold() == chosen.casefold()]
    return named[0] if named else ""


def is_suspected(sent: Mapping[str, object]) -> bool:
    """Whether a machine filled the form: it met the trap, or was faster than a browser lets be."""
    elapsed = sent.get("elapsedMs")
    is_hasty = (
        isinstance(elapsed, (int, float))
        and not isinstance(elapsed, bool)
        and elapsed < constants.SOONEST_FILLED_MS
    )
    return is_hasty or bool(_text(sent.get(HONEYPOT)))


def greeted_name(full_name: str) -> str:
    """Return the name that a mail may repeat: whoever types it must not advertise through us."""
    is_a_name = len(full_name) <= _LONGEST_GREETED and not _LINK.search(full_name)
    return full_name if is_a_name else ""


def _problem(rule: FieldRule, value: str, sent: object) -> str:
    """Return what is wrong with a field; `value` is what was sent, tidied."""
    if not value and rule.is_required:
        return rule.message
    if isinstance(sent, str) and not is_header_input(sent, value):
        return rule.unusable
    if len(value) > rule.longest:
        return rule.too_long
    return rule.message if value and not _is_answer(rule, value) else ""


def _is_answer(rule: FieldRule, value: str) -> bool:
    if rule.options:
        return value in rule.options
    return rule.kind != "email" or (_EMAIL.fullmatch(value) is not None and is_mail_address(value))


def _text(value: object) -> str:
    return tidy(value) if isinstance(value, str) else ""
