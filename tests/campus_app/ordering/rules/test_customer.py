"""Contact details: validation and normalization of each field."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from campus_app.ordering.rules.customer import (
    FIELDS,
    Customer,
    customer_errors,
    is_email,
    national_number,
    parse_customer,
    suggest_email,
)
from campus_app.shared.rules.constants import MAXIMUM_INPUT_CHARACTERS
from tests.helpers.texts import texts

GOOD = {
    "fullName": "Asha Rao",
    "email": "asha.rao@example.com",
    "phoneNumber": "98765 43210",
    "address": "Room 12, Hostel 4",
}


SPELLINGS = [
    *("9876543210", "+919876543210", "+91 9876543210", "+91-98765-43210", "(+91) 98765.43210"),
    *("98765 43210", "  98765\t43210\n", "98765\u00a043210", "98765\u201343210"),
    *("98765\u201143210", "098765-43210", "0091 98765 43210", "00919876543210"),
    *("919876543210", "+91 09876543210", "+91 919876543210", "+91 +91 98765 43210"),
    *("+91 0091 98765 43210", "\u202a+919876543210\u202c", "\u200b9876543210"),
    *(
        "९८७६५४३२१०",
        "+91 ९८७६५ ४३२१०",
        "９８７６５４３２１０",
        "＋９１ ９８７６５ ４３２１０",
        "٩٨٧٦٥٤٣٢١٠",
    ),
]


def test_national_number_accepts_common_spellings():
    """The form is prefilled with +91, to which visitors type, paste or append any of these."""
    assert [text for text in SPELLINGS if national_number(text) != "9876543210"] == []


@pytest.mark.parametrize(
    ("text", "number"),
    [
        # Source: specification 5.3.
        *((text, text) for text in ("8876543210", "7876543210", "6876543210")),
        # 91 of the number itself
        *((text, "9198765432") for text in ("9198765432", "+91 919198765432", "91 91987 65432")),
    ],
)
def test_national_number_begins_with_six_to_nine(text, number):
    assert national_number(text) == number


OTHER_NUMBERS = [
    *("", "+91", "-", "100", "987654321", "98765432101", "+91 98765 4321", "+91 98765 432101"),
    *("5876543210", "0876543210", "1234567890", "+915876543210"),  # 5.3: 6 to 9 first
    *("+91 +91 +91 98765 43210", "+919191 9876543210", "+91 91 98765 4321"),
    *("9191 98765 43210", "+9876543210", "98765+43210", "+1 987 654 3210", "+44 7700 900123"),
    *("011 2345 6789", "022-2345-6789", "+91 33 2345 6789", "044 2345 6789", "0361 234 5678"),
    *("1800 123 4567", "9876543abc", "call 9876543210", "9876543210 ext 1", "98765O3210"),
    *("9876543210, 9876543211", "9876543210\n9876543211", "98765/43210", "九八七六五四三二一〇"),
]


def test_national_number_is_empty_for_other_numbers():
    assert [text for text in OTHER_NUMBERS if national_number(text)] == []


@given(
    st.integers(6_000_000_000, 9_999_999_999).map(str),
    st.sampled_from(["", "+91 "]),
    st.sampled_from(["", "+91", "+91 ", "+91-", "91 ", "0", "0091", "(+91) "]),
    st.lists(
        st.sampled_from(["", "", " ", "-", ".", "\u2013", "\u00a0"]), min_size=10, max_size=10
    ),
    st.sampled_from(["0", "٠", "०", "০", "૦", "௦", "０"]),
)
def test_national_number_accepts_any_number_in_any_spelling(number, prefilled, prefix, gaps, zero):
    spelled = "".join(
        chr(ord(zero) + int(digit)) + gap for digit, gap in zip(number, gaps, strict=True)
    )
    assert national_number(prefilled + prefix + spelled) == number


@given(st.one_of(texts, st.text("+0123456789 -()", max_size=16)))
def test_national_number_is_ten_digits_or_empty_for_any_text(text):
    digits = national_number(text)
    assert digits == "" or (
        digits.isascii() and digits.isdigit() and len(digits) == 10 and digits[0] in "6789"
    )


LABEL_61 = "a" * 61


ADDRESSES = [
    *("asha@example.com", "asha.rao@example.com", "asha+campus@example.co.in"),
    *("ASHA_RAO-1@Example.COM", "2021cs101@students.campus.example", "o'hara@example.com"),
    *("a@b.co", "9@9.co", "a.9@9b9.co", "asha@99.example", "asha@xn--bcher-kva.example"),
    "asha@example.xn--h2brj9c",  # 10.53: India's top-level domain in Hindi
    *("asha@xn--p1b6ci4b4b3a.XN--11B5BS3A9AJ6G", "asha@x.xn--" + "b" * 59),
    *("a" * 64 + "@example.com", "asha@" + "b" * 63 + ".com"),
    "a" * 64 + "@" + f"{LABEL_61}." * 3 + "com",  # 254 characters
]


def test_is_email_accepts_valid_addresses():
    assert [text for text in ADDRESSES if not is_email(text)] == []


NO_ADDRESSES = [
    *("", "asha", "asha@", "@example.com", "asha@example", "asha@@example.com"),
    *("asha@rao@example.com", "asha rao@example.com", "asha@exa mple.com"),
    *("asha@example..com", ".asha@example.com", "asha.@example.com", "asha..rao@example.com"),
    *("asha@.example.com", "asha@example.com.", "asha@-example.com", "asha@example-.com"),
    *("asha@example.c", "asha@example.123", "asha@10.0.0.1", "asha@[10.0.0.1]"),
    *("asha,rao@example.com", "asha@example.com,b@example.com", "Asha <asha@example.com>"),
    *("mailto:asha@example.com", '"asha rao"@example.com', "asha@exam_ple.com"),
    *("asha@example.com\n", "asha@example.com\r\nBcc: b@example.com"),
    *("आशा@example.com", "asha@example.भारत", "asha@exаmple.com"),  # a Cyrillic letter
    *("asha@example.xn--", "asha@example.xn--a-", "asha@x.xn--" + "b" * 60),
    *("asha@example.c0m", "a" * 65 + "@example.com", "asha@" + "b" * 64 + ".com"),
    "a" * 64 + "@a" + f"{LABEL_61}." * 3 + "com",  # 255 characters
    *("asha@example." + "c" * 64, "a@" + "a." * 5_000),
]


def test_is_email_rejects_invalid_addresses():
    assert [text for text in NO_ADDRESSES if is_email(text)] == []


def test_customer_errors_is_empty_when_details_are_valid():
    assert customer_errors(GOOD) == {}
    for field, length in (("fullName", 80), ("address", 300)):
        assert customer_errors({**GOOD, field: "a" * length}) == {}
        assert customer_errors({**GOOD, field: f"  {'a' * length}  "}) == {}


EMAIL_INVALID = "Please enter a valid email address"
PHONE_INVALID = "Please enter a valid Indian phone number"


@pytest.mark.parametrize(
    ("field", "values", "message"),
    [  # 5.1 to 5.4; blank, invisible, a joiner, a filler, and a blank pattern are no text
        (
            "fullName",
            ["", " \t ", "\u200b\u202e", "\u200d", "\u3164", "\u2800"],
            "Name is required",
        ),
        ("fullName", ["a" * 81], "Please shorten the name to 80 characters"),
        ("email", ["", "   "], "Email is required"),
        ("email", ["asha", "asha@example.com\r\nBcc: b@example.com"], EMAIL_INVALID),
        ("phoneNumber", ["", "+91", " +91 - "], "Phone number is required"),
        ("phoneNumber", ["5876543210", "+91+91+919876543210"], PHONE_INVALID),
        ("address", ["", "\r\n", "\u200c"], "Address is required"),
        ("address", ["a" * 301], "Please shorten the address to 300 characters"),
    ],
    ids=lambda value: "" if isinstance(value, list) else None,
)
def test_customer_errors_returns_message_of_invalid_field(field, values, message):
    for value in values:
        errors = customer_errors({**GOOD, field: value})
        assert errors == {field: message}
        assert type(errors[field]) is str
    rest = {name: value for name, value in GOOD.items() if name != field}
    assert list(customer_errors(rest)) == [field]


def test_customer_errors_lists_fields_in_form_order():
    assert FIELDS == ("fullName", "email", "phoneNumber", "address")
    assert tuple(customer_errors({})) == ("fullName", "email", "phoneNumber", "address")


def test_customer_errors_requires_no_address_without_delivery():
    """Source: specification S18."""
    without = {name: value for name, value in GOOD.items() if name != "address"}
    for details in (without, *({**without, "address": text} for text in ("", " ", "\u200b"))):
        assert customer_errors(details, is_delivered=False) == {}
        assert parse_customer(details, is_delivered=False).address == ""
    errors = customer_errors({**GOOD, "address": "a" * 301}, is_delivered=False)
    assert errors == {"address": "Please shorten the address to 300 characters"}
    assert tuple(customer_errors({}, is_delivered=False)) == ("fullName", "email", "phoneNumber")


def test_parse_customer_normalizes_fields():
    assert parse_customer(
        {
            "fullName": "  Asha\u200b  Rao ",
            "email": " asha.rao@example.com\n",
            "phoneNumber": "098765-43210",
            "address": "Room 12\r\nHostel 4",
            "unknown": "ignored",
        }
    ) == Customer("Asha Rao", "asha.rao@example.com", "+919876543210", "Room 12 Hostel 4")


def test_parse_customer_keeps_markup_and_formulas_as_text():
    texts = ("<b>Asha</b>", "=cmd|' /C calc'!A0", "'; DROP TABLE orders; --", "{{ 7 }} ${7*7}")
    for text in texts:
        customer = parse_customer({**GOOD, "fullName": text, "address": text})
        assert (customer.full_name, customer.address) == (text, text)


def test_parse_customer_raises_value_error_when_details_are_invalid():
    with pytest.raises(ValueError, match="email") as raised:
        parse_customer({**GOOD, "email": "secret-typo"})
    assert "secret-typo" not in str(raised.value)


@given(st.fixed_dictionaries({}, optional=dict.fromkeys(FIELDS, texts)))
def test_parse_customer_succeeds_exactly_when_there_are_no_errors(changes):
    details = {**GOOD, **changes}
    if customer_errors(details):
        with pytest.raises(ValueError, match="invalid contact details"):
            parse_customer(details)
    else:
        customer = parse_customer(details)
        assert customer.full_name
        assert customer.address
        assert is_email(customer.email)
        assert customer.phone.startswith("+91")
        assert len(customer.phone) == 13


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        pytest.param("asha@gmial.com", "asha@gmail.com", id="two letters change places"),
        pytest.param("asha@gmal.com", "asha@gmail.com", id="a letter is missing"),
        pytest.param("asha@gmail.con", "asha@gmail.com", id="the wrong end"),
        pytest.param("asha@GMIAL.com", "asha@gmail.com", id="in capitals"),
        pytest.param("asha@yaho.co.in", "asha@yahoo.co.in", id="another place"),
        pytest.param("asha@gmail.com", "", id="right as it is"),
        pytest.param("asha@mail.com", "", id="a place of its own, though alike"),
        pytest.param("asha@fastmail.com", "", id="another place of its own, though a little alike"),
        pytest.param("asha@students.example", "", id="like none of them"),
        pytest.param("a@b@gmial.com", "a@b@gmail.com", id="the place is after the last @"),
        pytest.param("gmial.com", "", id="no address"),
    ],
)
def test_suggest_email_corrects_mistyped_common_domain(typed, meant):
    # Source: docs/usability.md U7.
    assert suggest_email(typed) == meant


def test_customer_errors_names_each_field_when_input_is_oversized():
    for filling in (" ", "x", "\u0301"):
        oversized = filling * (MAXIMUM_INPUT_CHARACTERS + 1)
        details = dict.fromkeys(FIELDS, oversized)
        assert list(customer_errors(details)) == list(FIELDS)
        assert "address" in customer_errors(GOOD | {"address": oversized}, is_delivered=False)
