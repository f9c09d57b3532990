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


@pytest.mark.parametrize(
    ("text", "digits"),
    [
        pytest.param("9876543210", "9876543210", id="5.3: ten digits starting with 9"),
        pytest.param("8876543210", "8876543210", id="5.3: ten digits starting with 8"),
        pytest.param("7876543210", "7876543210", id="5.3: ten digits starting with 7"),
        pytest.param("6876543210", "6876543210", id="5.3: ten digits starting with 6"),
        pytest.param("+919876543210", "9876543210", id="5.3: the +91 prefix is removed"),
        pytest.param("+91 9876543210", "9876543210", id="a space behind the prefix"),
        pytest.param("+91-98765-43210", "9876543210", id="hyphens"),
        pytest.param("(+91) 98765.43210", "9876543210", id="brackets and a point"),
        pytest.param("98765 43210", "9876543210", id="in two halves"),
        pytest.param("  98765\t43210\n", "9876543210", id="blanks around and inside"),
        pytest.param("98765\u00a043210", "9876543210", id="a no-break space"),
        pytest.param("98765\u201343210", "9876543210", id="an en dash"),
        pytest.param("98765\u201143210", "9876543210", id="a no-break hyphen"),
        pytest.param("098765-43210", "9876543210", id="a trunk zero"),
        pytest.param("0091 98765 43210", "9876543210", id="0091"),
        pytest.param("00919876543210", "9876543210", id="0091 without a space"),
        pytest.param("919876543210", "9876543210", id="91 without a plus"),
        pytest.param("+91 09876543210", "9876543210", id="the prefilled +91 and a trunk zero"),
        pytest.param("+91 919876543210", "9876543210", id="the prefilled +91 and 91"),
        pytest.param("+91 +91 98765 43210", "9876543210", id="the prefilled +91 and a pasted +91"),
        pytest.param("+91 0091 98765 43210", "9876543210", id="the prefilled +91 and 0091"),
        pytest.param("+91 919198765432", "9198765432", id="the prefilled +91, 91 and 91..."),
        pytest.param("9198765432", "9198765432", id="a number that starts with 91"),
        pytest.param("+91 91987 65432", "9198765432", id="+91 and a number that starts with 91"),
        pytest.param("91 91987 65432", "9198765432", id="91 and a number that starts with 91"),
        pytest.param("\u202a+919876543210\u202c", "9876543210", id="pasted with bidi marks"),
        pytest.param("\u200b9876543210", "9876543210", id="pasted with a zero-width space"),
        pytest.param("९८७६५४३२१०", "9876543210", id="Devanagari digits"),
        pytest.param("+91 ९८७६५ ४३२१०", "9876543210", id="+91 and Devanagari digits"),
        pytest.param("９８７６５４３２１０", "9876543210", id="full-width digits"),
        pytest.param("＋９１ ９８７６５ ４３２１０", "9876543210", id="all of it full-width"),
        pytest.param("٩٨٧٦٥٤٣٢١٠", "9876543210", id="Arabic digits"),
    ],
)
def test_national_number_accepts_common_spellings(text, digits):
    assert national_number(text) == digits


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("", id="empty"),
        pytest.param("+91", id="the prefix alone"),
        pytest.param("5876543210", id="5.3: starting with 5"),
        pytest.param("0876543210", id="5.3: starting with 0"),
        pytest.param("1234567890", id="5.3: starting with 1"),
        pytest.param("+915876543210", id="5.3: +91 and starting with 5"),
        pytest.param("987654321", id="nine digits"),
        pytest.param("98765432101", id="eleven digits"),
        pytest.param("+91 98765 4321", id="+91 and nine digits"),
        pytest.param("+91 98765 432101", id="+91 and eleven digits"),
        pytest.param("+91 +91 +91 98765 43210", id="the prefix three times"),
        pytest.param("+919191 9876543210", id="the prefix over and over"),
        pytest.param("+91 91 98765 4321", id="the prefix twice and nine digits"),
        pytest.param("9191 98765 43210", id="91 twice without a plus"),
        pytest.param("+9876543210", id="a plus alone"),
        pytest.param("98765+43210", id="a plus inside"),
        pytest.param("+1 987 654 3210", id="another country"),
        pytest.param("+44 7700 900123", id="a third country"),
        pytest.param("011 2345 6789", id="a landline of Delhi"),
        pytest.param("022-2345-6789", id="a landline of Mumbai"),
        pytest.param("+91 33 2345 6789", id="a landline of Kolkata"),
        pytest.param("044 2345 6789", id="a landline of Chennai"),
        pytest.param("0361 234 5678", id="a landline of Guwahati"),
        pytest.param("1800 123 4567", id="a toll-free number"),
        pytest.param("100", id="a short number"),
        pytest.param("9876543abc", id="letters inside"),
        pytest.param("call 9876543210", id="letters before"),
        pytest.param("9876543210 ext 1", id="letters behind"),
        pytest.param("98765O3210", id="the letter O for a zero"),
        pytest.param("9876543210, 9876543211", id="two numbers"),
        pytest.param("9876543210\n9876543211", id="two lines"),
        pytest.param("98765/43210", id="a slash"),
        pytest.param("-", id="punctuation alone"),
        pytest.param("九八七六五四三二一〇", id="numerals that are no digits"),
    ],
)
def test_national_number_is_empty_for_other_numbers(text):
    assert national_number(text) == ""


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


@pytest.mark.parametrize(
    "text",
    [
        "asha@example.com",
        "asha.rao@example.com",
        "asha+campus@example.co.in",
        "ASHA_RAO-1@Example.COM",
        "2021cs101@students.campus.example",
        "o'hara@example.com",
        "a@b.co",
        "9@9.co",
        "a.9@9b9.co",
        "asha@99.example",
        "asha@xn--bcher-kva.example",
        pytest.param("asha@example.xn--h2brj9c", id="10.53: India's top-level domain in Hindi"),
        pytest.param("asha@xn--p1b6ci4b4b3a.XN--11B5BS3A9AJ6G", id="in capitals"),
        pytest.param("asha@x.xn--" + "b" * 59, id="a top-level domain of 63 characters"),
        pytest.param("a" * 64 + "@example.com", id="64 characters before the @"),
        pytest.param("asha@" + "b" * 63 + ".com", id="a label of 63 characters"),
        pytest.param("a" * 64 + "@" + f"{LABEL_61}." * 3 + "com", id="254 characters"),
    ],
)
def test_is_email_accepts_valid_addresses(text):
    assert is_email(text) is True


@pytest.mark.parametrize(
    "text",
    [
        "",
        "asha",
        "asha@",
        "@example.com",
        "asha@example",
        "asha@@example.com",
        "asha@rao@example.com",
        "asha rao@example.com",
        "asha@exa mple.com",
        "asha@example..com",
        ".asha@example.com",
        "asha.@example.com",
        "asha..rao@example.com",
        "asha@.example.com",
        "asha@example.com.",
        "asha@-example.com",
        "asha@example-.com",
        "asha@example.c",
        "asha@example.123",
        "asha@10.0.0.1",
        "asha@[10.0.0.1]",
        "asha,rao@example.com",
        "asha@example.com,b@example.com",
        "Asha <asha@example.com>",
        "mailto:asha@example.com",
        '"asha rao"@example.com',
        "asha@exam_ple.com",
        pytest.param("asha@example.com\n", id="a line behind it"),
        pytest.param("asha@example.com\r\nBcc: b@example.com", id="a header behind it"),
        pytest.param("आशा@example.com", id="Devanagari"),
        pytest.param("asha@example.भारत", id="a top-level domain in Devanagari"),
        pytest.param("asha@example.xn--", id="an empty top-level domain"),
        pytest.param("asha@example.xn--a-", id="a top-level domain that ends with a hyphen"),
        pytest.param("asha@x.xn--" + "b" * 60, id="a top-level domain of 64 characters"),
        pytest.param("asha@example.c0m", id="a top-level domain with a digit"),
        pytest.param("asha@exаmple.com", id="a Cyrillic letter"),
        pytest.param("a" * 65 + "@example.com", id="65 characters before the @"),
        pytest.param("asha@" + "b" * 64 + ".com", id="a label of 64 characters"),
        pytest.param("a" * 64 + "@a" + f"{LABEL_61}." * 3 + "com", id="255 characters"),
        pytest.param("asha@example." + "c" * 64, id="a last label of 64 characters"),
        pytest.param("a@" + "a." * 5_000, id="endless labels"),
    ],
)
def test_is_email_rejects_invalid_addresses(text):
    assert is_email(text) is False


def test_customer_errors_is_empty_when_details_are_valid():
    assert customer_errors(GOOD) == {}


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        pytest.param("fullName", "", "Name is required", id="5.1: no name"),
        pytest.param("fullName", " \t ", "Name is required", id="a blank name"),
        pytest.param("fullName", "\u200b\u202e", "Name is required", id="an invisible name"),
        pytest.param("fullName", "\u200d", "Name is required", id="a name of a joiner alone"),
        pytest.param("fullName", "\u3164", "Name is required", id="a name of a filler alone"),
        pytest.param("fullName", "\u2800", "Name is required", id="a name of a blank pattern"),
        pytest.param(
            "fullName", "a" * 81, "Please shorten the name to 80 characters", id="81 characters"
        ),
        pytest.param("email", "", "Email is required", id="5.2: no e-mail"),
        pytest.param("email", "   ", "Email is required", id="a blank e-mail"),
        pytest.param(
            "email", "asha", "Please enter a valid email address", id="5.2: not an address"
        ),
        pytest.param(
            "email",
            "asha@example.com\r\nBcc: b@example.com",
            "Please enter a valid email address",
            id="a header behind the address",
        ),
        pytest.param("phoneNumber", "", "Phone number is required", id="5.3: no phone"),
        pytest.param("phoneNumber", "+91", "Phone number is required", id="the prefix alone"),
        pytest.param("phoneNumber", " +91 - ", "Phone number is required", id="prefix, spaced"),
        pytest.param(
            "phoneNumber",
            "5876543210",
            "Please enter a valid Indian phone number",
            id="5.3: not an Indian number",
        ),
        pytest.param(
            "phoneNumber",
            "+91+91+919876543210",
            "Please enter a valid Indian phone number",
            id="the prefix three times",
        ),
        pytest.param("address", "", "Address is required", id="5.4: no address"),
        pytest.param("address", "\r\n", "Address is required", id="a blank address"),
        pytest.param("address", "\u200c", "Address is required", id="an address of a joiner"),
        pytest.param(
            "address",
            "a" * 301,
            "Please shorten the address to 300 characters",
            id="301 characters",
        ),
    ],
)
def test_customer_errors_returns_message_of_invalid_field(field, value, message):
    errors = customer_errors({**GOOD, field: value})
    assert errors == {field: message}
    assert type(errors[field]) is str


@pytest.mark.parametrize(
    ("field", "message"),
    [
        ("fullName", "Name is required"),
        ("email", "Email is required"),
        ("phoneNumber", "Phone number is required"),
        ("address", "Address is required"),
    ],
)
def test_customer_errors_requires_missing_field(field, message):
    rest = {name: value for name, value in GOOD.items() if name != field}
    assert customer_errors(rest) == {field: message}


def test_customer_errors_lists_fields_in_form_order():
    assert FIELDS == ("fullName", "email", "phoneNumber", "address")
    assert tuple(customer_errors({})) == ("fullName", "email", "phoneNumber", "address")


@pytest.mark.parametrize(("field", "length"), [("fullName", 80), ("address", 300)])
def test_customer_errors_accepts_maximum_length(field, length):
    assert customer_errors({**GOOD, field: "a" * length}) == {}
    assert customer_errors({**GOOD, field: f"  {'a' * length}  "}) == {}


@pytest.mark.parametrize("address", ["", " ", "\u200b"])
def test_customer_errors_requires_no_address_without_delivery(address):
    """Source: specification S18."""
    details = {**GOOD, "address": address}
    assert customer_errors(details, is_delivered=False) == {}
    assert parse_customer(details, is_delivered=False).address == ""
    without = {name: value for name, value in GOOD.items() if name != "address"}
    assert customer_errors(without, is_delivered=False) == {}
    assert parse_customer(without, is_delivered=False).address == ""


def test_customer_errors_limits_address_without_delivery():
    errors = customer_errors({**GOOD, "address": "a" * 301}, is_delivered=False)
    assert errors == {"address": "Please shorten the address to 300 characters"}


def test_customer_errors_requires_other_fields_without_delivery():
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


@pytest.mark.parametrize("filling", [" ", "x", "\u0301"])
def test_customer_errors_names_each_field_when_input_is_oversized(filling):
    oversized = filling * (MAXIMUM_INPUT_CHARACTERS + 1)
    details = dict.fromkeys(FIELDS, oversized)
    assert list(customer_errors(details)) == list(FIELDS)
    assert "address" in customer_errors(GOOD | {"address": oversized}, is_delivered=False)
