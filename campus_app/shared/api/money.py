"""Amounts in the bodies of responses."""

from decimal import Decimal
from typing import Annotated

from pydantic import PlainSerializer, WithJsonSchema

from campus_app.shared.rules.money import json_number

Money = Annotated[
    Decimal,
    PlainSerializer(json_number),
    WithJsonSchema({"type": "number", "description": "Rupees, at most two decimals."}),
]
