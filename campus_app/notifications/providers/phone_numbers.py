"""Validation and formatting of phone numbers for the telephone service."""

import phonenumbers
from phonenumbers import NumberParseException, PhoneNumberFormat, PhoneNumberType

_COUNTRY = "IN"
_KINDS = {
    PhoneNumberType.MOBILE,
    PhoneNumberType.FIXED_LINE,
    PhoneNumberType.FIXED_LINE_OR_MOBILE,
}
"""Number types that may be called: no premium numbers."""


def dialable(text: str) -> str:
    """Return an Indian mobile or landline number in E.164 format: +91 and its digits.

    Raises:
        ValueError: If it is not such a number.
    """
    try:
        number = phonenumbers.parse(text, _COUNTRY)
    except NumberParseException as error:
        raise ValueError("not a telephone number") from error
    is_indian = phonenumbers.is_valid_number_for_region(number, _COUNTRY)
    if not is_indian or phonenumbers.number_type(number) not in _KINDS:
        raise ValueError("not an Indian mobile or landline")
    return phonenumbers.format_number(number, PhoneNumberFormat.E164)
