"""Pydantic models of the webhooks' headers and bodies, for the OpenAPI description alone.

A signature covers the raw body, so the adapters parse it, not FastAPI.
"""

from typing import Any

from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_pascal


class PaymentSignature(BaseModel):
    """The headers with the provider's signature of a webhook's timestamp and body."""

    x_webhook_signature: str = Field(default="", description="Cashfree: HMAC-SHA256 in Base64.")
    x_webhook_timestamp: str = Field(default="", description="Cashfree: milliseconds since 1970.")
    x_sandbox_signature: str = Field(default="", description="Sandbox: HMAC-SHA256 in Base64.")
    x_sandbox_timestamp: str = Field(default="", description="Sandbox: milliseconds since 1970.")


class PaymentEvent(BaseModel):
    """A webhook event in the provider's own format; it is read after its signature is verified."""

    type: str = Field(examples=["PAYMENT_SUCCESS"])
    data: dict[str, Any] = Field(examples=[{"reference": "AS_482-1"}])


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


def body_of(model: type[BaseModel], media_type: str) -> dict[str, Any]:
    """Return the `openapi_extra` of an operation that reads its body itself."""
    content = {media_type: {"schema": model.model_json_schema()}}
    return {"requestBody": {"required": True, "content": content}}
