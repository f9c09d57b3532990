"""The contact details: validation and normalization of each field."""

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Final

from campus_app.shared.rules import constants
from campus_app.shared.rules.messages import CustomerMessage
from kit.mail.headers import is_header_input, is_mail_address
from kit.text import normalize_text

NAME: Final = "fullName"
EMAIL: Final = "email"
PHONE: Final = "phoneNumber"
ADDRESS: Final = "address"
"""The field that only deliveries require."""
FIELDS: Final[tuple[str, ...]] = (NAME, EMAIL, PHONE, ADDRESS)
"""The field names of the specification, in the order of the form."""

PHONE_PREFIX: Final = "+91"
_PREFIXES = (PHONE_PREFIX, "0091", "91", "0")
_NATIONAL_DIGITS = 10
_EMAIL = re.compile(
    r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*"
    r"@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+"
    r"(?:[A-Za-z]{2,63}|[Xx][Nn]--[A-Za-z0-9-]{0,58}[A-Za-z0-9])"
)
"""A top-level domain of another script is written in ASCII: `.xn--h2brj9c` is India's.

Source: RFC 5890.
"""
_MAXIMUM_LOCAL_PART = 64
_COMMON_DOMAINS = (
    "gmail.com",
    "yahoo.com",
    "yahoo.co.in",
    "outlook.com",
    "hotmail.com",
    "icloud.com",
    "rediffmail.com",
)
_KNOWN_DOMAINS = {*_COMMON_DOMAINS, "mail.com", "ymail.com", "yahoo.in", "live.com", "gmx.com"}
"""None of these is a misspelling of another."""
_MINIMUM_SIMILARITY = 0.85
_NATIONAL_NUMBER = re.compile(r"[6-9]\d{9}", re.ASCII)
_PHONE_PUNCTUATION = re.compile(r"[\s().\-\u2010-\u2015]+")


@dataclass(frozen=True)
class Customer:
    """The customer of an order; every field is normalized and valid.

    The address is empty if nothing is delivered and none was given.
    """

    full_name: str
    email: str
    phone: str
    address: str


def contact_of(text: str) -> str:
    """Return the contact that an operator typed, as orders are searched by it, or "".

    It is +91 and ten digits, or an e-mail address in lower case.
    """
    if _EMAIL.fullmatch(text.strip()):
        return text.strip().lower()
    number = national_number(text)
    return PHONE_PREFIX + number if number else ""


def national_number(text: str) -> str:
    """Return the ten digits of an Indian mobile number, or "" if it is not one.

    Source: specification 5.3.
    """
    digits = _PHONE_PUNCTUATION.sub("", unicodedata.normalize("NFKC", normalize_text(text)))
    if not digits.isascii():
        digits = "".join(
            str(unicodedata.digit(character, -1)) if character.isdigit() else character
            for character in digits
        )
    # The form begins with +91; behind it people type or paste their number in any of the ways.
    number = _without_prefix(digits) or _without_prefix(digits.removeprefix(PHONE_PREFIX)) or digits
    return number if _NATIONAL_NUMBER.fullmatch(number) else ""


def _without_prefix(digits: str) -> str:
    """Return the ten digits behind a prefix; empty if there are not ten, or no prefix."""
    rests = (digits[len(each) :] for each in _PREFIXES if digits.startswith(each))
    return next((rest for rest in rests if len(rest) == _NATIONAL_DIGITS), "")


def format_phone(phone: str) -> str:
    """Return +91 and ten digits in display format: +91 98000 00000."""
    prefix, number = phone[: len(PHONE_PREFIX)], phone[len(PHONE_PREFIX) :]
    return f"{prefix} {number[:5]} {number[5:]}"


def is_email(text: str) -> bool:
    """Whether a text is a valid e-mail address within the length limits."""
    return (
        len(text) <= constants.MAXIMUM_EMAIL_CHARACTERS
        and _EMAIL.fullmatch(text) is not None
        and len(text.partition("@")[0]) <= _MAXIMUM_LOCAL_PART
        and is_mail_address(text)
    )


def suggest_email(email: str) -> str:
    """Return the likely intended address for one with a mistyped domain, or "".

    It is shown as a warning only: the typed address may be correct.

    Source: docs/usability.md U7.
    """
    name, _, domain = email.rpartition("@")
    if not name or domain.lower() in _KNOWN_DOMAINS:
        return ""
    similar = get_close_matches(domain.lower(), _COMMON_DOMAINS, n=1, cutoff=_MINIMUM_SIMILARITY)
    return f"{name}@{similar[0]}" if similar else ""


def _is_blank_phone(text: str) -> bool:
    return not _PHONE_PUNCTUATION.sub("", normalize_text(text)).removeprefix(PHONE_PREFIX)


def _name_error(text: str) -> CustomerMessage | None:
    name = normalize_text(text)
    if not name:
        return CustomerMessage.NAME_REQUIRED
    if not is_header_input(text, name):
        return CustomerMessage.NAME_INVALID
    return CustomerMessage.NAME_TOO_LONG if len(name) > constants.MAXIMUM_NAME_CHARACTERS else None


def _email_error(text: str) -> CustomerMessage | None:
    email = normalize_text(text)
    if not email:
        return CustomerMessage.EMAIL_REQUIRED
    is_valid = is_header_input(text, email) and is_email(email)
    return None if is_valid else CustomerMessage.EMAIL_INVALID


def _phone_error(text: str) -> CustomerMessage | None:
    if _is_blank_phone(text):
        return CustomerMessage.PHONE_REQUIRED
    return None if national_number(text) else CustomerMessage.PHONE_INVALID


def _address_error(text: str) -> CustomerMessage | None:
    address = normalize_text(text)
    if not address:
        return CustomerMessage.ADDRESS_REQUIRED
    if len(address) > constants.MAXIMUM_ADDRESS_CHARACTERS:
        return CustomerMessage.ADDRESS_TOO_LONG
    return None


_RULES = {NAME: _name_error, EMAIL: _email_error, PHONE: _phone_error, ADDRESS: _address_error}


_OVERSIZED_ERRORS = {
    NAME: CustomerMessage.NAME_TOO_LONG,
    EMAIL: CustomerMessage.EMAIL_INVALID,
    PHONE: CustomerMessage.PHONE_INVALID,
    ADDRESS: CustomerMessage.ADDRESS_TOO_LONG,
}
"""The errors of texts that are too long to be normalized, which takes time."""


def _error(name: str, text: str) -> CustomerMessage | None:
    if len(text) > constants.MAXIMUM_INPUT_CHARACTERS:
        return _OVERSIZED_ERRORS[name]
    return _RULES[name](text)


def _is_blank(text: str) -> bool:
    # An oversized text is an error, and not normalized.
    return len(text) <= constants.MAXIMUM_INPUT_CHARACTERS and not normalize_text(text)


def customer_errors(details: Mapping[str, str], *, is_delivered: bool = True) -> dict[str, str]:
    """Return an error message per invalid field; empty if all are valid.

    A table at the restaurant needs no address.

    Source: specification 5.1 to 5.4, S18.
    """
    texts = {name: details.get(name, "") for name in FIELDS}
    needs_address = is_delivered or not _is_blank(texts[ADDRESS])
    checked = [name for name in FIELDS if name != ADDRESS or needs_address]
    errors = {name: _error(name, texts[name]) for name in checked}
    return {name: error.value for name, error in errors.items() if error is not None}


def parse_customer(details: Mapping[str, str], *, is_delivered: bool = True) -> Customer:
    """Return the customer for valid details; the phone as +91 and ten digits.

    Raises:
        ValueError: If the details are not valid.
    """
    if errors := customer_errors(details, is_delivered=is_delivered):
        raise ValueError(f"invalid contact details: {sorted(errors)}")
    name, email, phone, address = (normalize_text(details.get(field, "")) for field in FIELDS)
    return Customer(name, email, PHONE_PREFIX + national_number(phone), address)
