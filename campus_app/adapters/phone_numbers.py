"""Telephone numbers as a telephone service wants them."""

import phonenumbers
from phonenumbers import NumberParseException, PhoneNumberFormat, PhoneNumberType

_COUNTRY = "IN"
_KINDS = {
    PhoneNumberType.MOBILE,
    PhoneNumberType.FIXED_LINE,
    PhoneNumberType.FIXED_LINE_OR_MOBILE,
}
"""What may be called: nothing that costs more than a call, nothing abroad."""


def dialable(text: str) -> str:
    """Return an Indian number of a mobile or a landline as +91 and its digits (E.164).

    Raises:
        ValueError: If there is no such number.
    """
    try:
        number = phonenumbers.parse(text, _COUNTRY)
    except NumberParseException as error:
        raise ValueError("not a telephone number") from error
    is_ours = phonenumbers.is_valid_number_for_region(number, _COUNTRY)
    if not is_ours or phonenumbers.number_type(number) not in _KINDS:
        raise ValueError("not an Indian mobile or landline")
    return phonenumbers.format_number(number, PhoneNumberFormat.E164)
