"""A demo request: the fields of its form, and their validation."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from math import inf
from typing import Final, Literal

from kit.mail.headers import is_header_input, is_mail_address
from kit.text import FormattedMessage, gettext_noop, normalize_text
from voice_site.domain import constants

_ATOM = r"[a-zA-Z0-9!#$%&'*+\/=?^_`\{\|\}~\-]+"
_LABEL = r"[a-zA-Z0-9](?:[a-zA-Z0-9\-]{0,61}[a-zA-Z0-9])?"
_EMAIL = re.compile(rf"(?=.{{1,64}}@)(?!.*=\?){_ATOM}(?:\.{_ATOM})*@{_LABEL}(?:\.{_LABEL})+")
"""The addresses that browsers accept in an input of type email, but only with a dot in the domain.

The two lookaheads are limits of mail: at most 64 characters before the @, and no encoded word
(`=?`). The signs are escaped as browsers require it in a `pattern`.
"""
_PHONE = re.compile(r"(?=(?:\D*\d){6,15}\D*$)\+?[\d \(\).\/\-]+")
"""6 to 15 digits and the signs between them; ITU-T E.164 allows 15 with the country code."""
_AS_IN_BROWSER = {r"\d": r"\p{Nd}", r"\D": r"\P{Nd}"}
"""In Python \\d is a digit of any script, in a browser only an ASCII digit."""
_TRIMMED = r"[\s\p{Cf}]*"
"""What is removed around an input: spaces and invisible characters."""
_INVALID_CHARACTERS: Final = gettext_noop("Use only ordinary characters.")


@dataclass(frozen=True)
class FieldRule:
    """A field of the form: its label, its limits, and its error messages.

    `message` is shown if a required value is missing, or if a value is not of its kind or options.
    """

    name: str
    label: str
    message: str
    max_length: int = 160
    kind: Literal["text", "email", "tel", "multiline"] = "text"
    autocomplete: str = ""
    options: tuple[str, ...] = ()
    is_required: bool = True

    @property
    def too_long(self) -> str:
        return FormattedMessage("Use at most {count} characters.", {"count": self.max_length})

    @property
    def invalid_characters(self) -> str:
        return self.message if self.kind == "email" else _INVALID_CHARACTERS

    @property
    def pattern(self) -> str:
        """The `pattern` of the HTML input, which allows spaces around the value; "" if none."""
        rule = {"email": _EMAIL, "tel": _PHONE}.get(self.kind)
        if rule is None:
            return ""
        pattern = rule.pattern
        for python, browser in _AS_IN_BROWSER.items():
            pattern = pattern.replace(python, browser)
        return f"{_TRIMMED}(?:{pattern}){_TRIMMED}"


FIELDS: Final = (
    FieldRule(
        "fullName",
        gettext_noop("Full Name"),
        gettext_noop("Enter your full name."),
        autocomplete="name",
    ),
    FieldRule(
        "jobTitle",
        gettext_noop("Job Title"),
        gettext_noop("Enter your job title."),
        autocomplete="organization-title",
    ),
    FieldRule(
        "email",
        gettext_noop("Business Email"),
        gettext_noop("Enter an address with an @, such as name@company.example."),
        max_length=254,
        kind="email",
        autocomplete="email",
    ),
    FieldRule(
        "phone",
        gettext_noop("Phone Number"),
        gettext_noop("Enter a phone number, such as +91 98765 43210, or leave it empty."),
        max_length=40,
        kind="tel",
        autocomplete="tel",
        is_required=False,
    ),
    FieldRule(
        "company",
        gettext_noop("Company Name"),
        gettext_noop("Enter the company name."),
        autocomplete="organization",
    ),
    FieldRule(
        "companySize",
        gettext_noop("Company Size"),
        gettext_noop("Choose a company size."),
        options=constants.COMPANY_SIZES,
    ),
    FieldRule(
        "industry",
        gettext_noop("Industry"),
        gettext_noop("Choose an industry."),
        options=constants.INDUSTRIES,
    ),
    FieldRule(
        "location",
        gettext_noop("Location (City)"),
        gettext_noop("Enter the city."),
        autocomplete="address-level2",
    ),
)
"""The eight fields of the first step, in the order of the screen. Source: specification V5.1."""

VARIANT: Final = "selectedVariant"
"""The field of the second step that names the chosen plan."""
CHOOSE_VARIANT: Final = gettext_noop("Choose a variant.")
HONEYPOT: Final = "website"
"""A field that no visitor sees, so that only bots fill it in."""
USE_CASE: Final = FieldRule(
    "useCase",
    gettext_noop("What do your callers ask for?"),
    "",
    max_length=2_000,
    kind="multiline",
    is_required=False,
)
"""The optional field of the second step."""
NOTES: Final = (
    USE_CASE,
    FieldRule(
        "additionalNotes",
        "Additional notes",
        "",
        max_length=2_000,
        kind="multiline",
        is_required=False,
    ),
)
"""The free texts. The form has no input for the second. Source: specification V3.4."""

_ADVERTISING = re.compile(r"[\d/@<>:;!?₹$€£%]|www\.|\.\w", re.IGNORECASE)
"""What an advertisement has and no name: an address, a phone number, an amount, an exclamation."""
_MAX_GREETED_LENGTH = 60
_MAX_GREETED_WORDS = 5
_MAX_INPUT_LENGTH = 10_000
"""A longer input is not normalized, because that takes time in proportion to its length."""
_GMAIL = frozenset({"gmail.com", "googlemail.com"})


class InvalidRequest(Exception):
    """The input is invalid; `fields` maps each invalid field to its error message."""

    def __init__(self, fields: Mapping[str, str]) -> None:
        super().__init__("the demo request is not complete")
        self.fields = dict(fields)


@dataclass(frozen=True)
class DemoRequest:
    """A request for a demo of TARA; every field is normalized and valid."""

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
    """Return the demo request that was `sent`; `variants` maps the id of each variant to its name.

    Raises:
        InvalidRequest: If a field is missing, too long, malformed, or not among its options.
    """
    errors: dict[str, str] = {}
    values: dict[str, str] = {}
    for rule in FIELDS:
        values[rule.name] = value = _text(sent.get(rule.name))
        if problem := _problem(rule, value, sent.get(rule.name)):
            errors[rule.name] = problem
    for rule in NOTES:
        values[rule.name] = value = _text(sent.get(rule.name))
        if len(value) > rule.max_length or _is_oversized(sent.get(rule.name)):
            errors[rule.name] = rule.too_long
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
    """Return the id of the variant whose id or name was chosen; empty if there is none."""
    if chosen in variants:
        return chosen
    named = [id_ for id_, name in variants.items() if name.casefold() == chosen.casefold()]
    return named[0] if named else ""


def is_suspected(sent: Mapping[str, object]) -> bool:
    """Whether a bot probably sent the form: the honeypot is filled in, or no person is so fast.

    `elapsedMs` is the time since the form was opened; without it the request is suspected.
    """
    elapsed = sent.get("elapsedMs")
    is_plausible = (
        isinstance(elapsed, (int, float))
        and not isinstance(elapsed, bool)
        and constants.MINIMUM_SUBMISSION_MS <= elapsed < inf
    )
    return not is_plausible or is_filled_by_bot(sent)


def is_filled_by_bot(sent: Mapping[str, object]) -> bool:
    """Whether the honeypot is filled in; the test for forms that send no time."""
    return bool(_text(sent.get(HONEYPOT)))


def greeted_name(full_name: str) -> str:
    """Return a name for the e-mail's greeting; empty if it could be an advertisement."""
    is_short = (
        len(full_name) <= _MAX_GREETED_LENGTH and len(full_name.split()) <= _MAX_GREETED_WORDS
    )
    return full_name if is_short and not _ADVERTISING.search(full_name) else ""


def mailbox_of(email: str) -> str:
    """Return the one spelling of all addresses that reach the same mailbox.

    Most providers ignore case and a tag after +, Gmail also ignores dots.
    """
    local, _, domain = email.casefold().rpartition("@")
    untagged = local.partition("+")[0] or local
    if domain in _GMAIL:
        return f"{untagged.replace('.', '')}@gmail.com"
    return f"{untagged}@{domain}"


def _problem(rule: FieldRule, value: str, sent: object) -> str:
    """Return the error message of a field, or ""; `value` is the normalized input `sent`."""
    if _is_oversized(sent):
        return rule.too_long
    if not value and rule.is_required:
        return rule.message
    if isinstance(sent, str) and not is_header_input(sent, value):
        return rule.invalid_characters
    if len(value) > rule.max_length:
        return rule.too_long
    return rule.message if value and not _is_allowed(rule, value) else ""


def _is_allowed(rule: FieldRule, value: str) -> bool:
    if rule.options:
        return value in rule.options
    if rule.kind == "tel":
        return _PHONE.fullmatch(value) is not None
    return rule.kind != "email" or (_EMAIL.fullmatch(value) is not None and is_mail_address(value))


def _is_oversized(value: object) -> bool:
    return isinstance(value, str) and len(value) > _MAX_INPUT_LENGTH


def _text(value: object) -> str:
    """Return a normalized text; empty if the value is no text or too long to be normalized."""
    return "" if _is_oversized(value) or not isinstance(value, str) else normalize_text(value)
