"""Models of the call webhooks' headers and bodies, for the OpenAPI description alone."""

from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_pascal


class CallSignature(BaseModel):
    """The headers with Twilio's signature of a webhook's address and fields."""

    x_twilio_signature: str = Field(default="", description="HMAC in Base64.")
    x_twilio_webhooks_signature_settings: str = Field(
        default="", description="The key and the algorithm; SHA-1 if missing."
    )


class CallEvent(BaseModel):
    """The members of Twilio's status callback that are read."""

    model_config = ConfigDict(alias_generator=to_pascal, populate_by_name=True)

    account_sid: str = Field(examples=["AC" + "0" * 32])
    call_sid: str = Field(examples=["CA" + "0" * 32])
    call_status: str = Field(examples=["no-answer"])
    sequence_number: str = Field(default="", examples=["3"])
