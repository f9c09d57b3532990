"""The fields of the contact details."""

from campus_app.ordering.screens.contact_field import FieldSpec, contact_field
from campus_app.shared.rules.constants import MAXIMUM_INPUT_CHARACTERS


def test_contact_field_limits_typed_characters():
    field = contact_field(FieldSpec("address", "Address", "area", "street-address"))
    assert f"maxLength:{MAXIMUM_INPUT_CHARACTERS}" in str(field).replace(" ", "")
