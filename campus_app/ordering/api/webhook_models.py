"""What OpenAPI says of the payment webhooks' headers and bodies; the route reads the raw ones."""

from typing import Any

from pydantic import BaseModel, Field


class PaymentSignature(BaseModel):
    """The headers with the provider's signature of a webhook's timestamp and body."""

    x_webhook_signature: str = Field(default="", description="Cashfree: HMAC-SHA256 in Base64.")
    x_webhook_timestamp: str = Field(default="", description="Cashfree: milliseconds since 1970.")
    x_sandbox_signature: str = Field(default="", description="Sandbox: HMAC-SHA256 in Base64.")
    x_sandbox_timestamp: str = Field(default="", description="Sandbox: milliseconds since 1970.")


class PaymentEvent(BaseModel):
    """A webhook event in the provider's own format; it is read after its signature is verified."""

    type: str = Field(examples=["PAYMENT_SUCCESS"])
    data: dict[str, Any] = Field(examples=[{"reference": "AS-0123456789abcdef0123456789abcdef"}])
