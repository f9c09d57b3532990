"""What the Pydantic models of all JSON bodies share.

Unknown members are ignored. Types are strict: a member of another type is an error.
"""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

from campus_app.shared.rules.constants import MAXIMUM_INPUT_CHARACTERS


def to_text_id(value: object) -> object:
    """Return the text of an id that was sent as a number."""
    return str(value) if type(value) is int else value


Text = Annotated[str, Field(max_length=MAXIMUM_INPUT_CHARACTERS)]


class RequestModel(BaseModel):
    """A JSON object whose members are in camelCase."""

    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True)
