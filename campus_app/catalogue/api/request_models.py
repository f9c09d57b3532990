"""Pydantic models of requests about restaurants and dishes."""

from typing import Annotated

from pydantic import AwareDatetime, BeforeValidator, Field, StrictBool, StrictInt

from campus_app.shared.api.request_models import RequestModel, Text, to_text_id
from campus_app.shared.rules.constants import MAXIMUM_STATUS_CHARACTERS


class SelectionRequest(RequestModel):
    """The restaurant that a visitor chose."""

    restaurant_id: StrictInt = Field(examples=[1])
    restaurant_name: Text = Field(examples=["Pehla Food Point"])
    timestamp: Annotated[str, BeforeValidator(to_text_id), Field(max_length=64)] = Field(
        examples=["2026-11-18T13:00:00+05:30"]
    )


class StatusOverride(RequestModel):
    """The operator's override."""

    is_open: StrictBool = Field(examples=[False])
    message: str = Field(
        default="", max_length=MAXIMUM_STATUS_CHARACTERS, examples=["Power cut in the kitchen"]
    )
    until: AwareDatetime | None = Field(
        default=None, description="When a closing ends by itself; never without it."
    )


class DishAvailability(RequestModel):
    """Whether a dish is on sale."""

    is_available: StrictBool = Field(examples=[False])
