"""The settings of the ordering product; the only reader of the environment."""

from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Self
from urllib.parse import urlsplit

from pydantic import Field, SecretStr, field_validator, model_validator

from campus_app.infrastructure.settings import LOOPBACK, DeploymentSettings, load


class ProviderName(StrEnum):
    """Who takes the money."""

    SANDBOX = "sandbox"
    CASHFREE = "cashfree"


class CheckoutMode(StrEnum):
    """How our own page starts Cashfree's checkout."""

    SDK = "sdk"
    """By Cashfree's script, as it documents it."""
    FORM = "form"
    """By the form that this script submits, without loading it."""


class CallTransport(StrEnum):
    """How missed calls leave."""

    OUTBOX = "outbox"


_CASHFREE_SANDBOX = "https://sandbox.cashfree.com/pg"
_CASHFREE_PRODUCTION = "https://api.cashfree.com/pg"


class Settings(DeploymentSettings):
    """Everything that an operator decides."""

    payment_provider: ProviderName = ProviderName.SANDBOX
    cashfree_client_id: str = ""
    cashfree_client_secret: SecretStr = SecretStr("")
    cashfree_previous_client_secret: SecretStr = SecretStr("")
    cashfree_api_version: str = Field(default="2025-01-01", pattern=r"^20\d\d-[01]\d-[0-3]\d$")
    cashfree_base_url: str = _CASHFREE_SANDBOX
    cashfree_checkout_mode: CheckoutMode = CheckoutMode.SDK
    cashfree_limit_percent: int = Field(default=80, ge=1, le=100)
    cashfree_seconds_between_fetches: float = Field(default=3.0, ge=0.0, le=60.0)
    call_transport: CallTransport = CallTransport.OUTBOX
    data_dir: Path = Path(__file__).parents[1] / "data"
    prepared_orders_per_minute: int = Field(default=600, ge=300)

    @field_validator("cashfree_base_url")
    @classmethod
    def _is_safe(cls, url: str) -> str:
        parts = urlsplit(url)
        is_loopback = parts.scheme == "http" and parts.hostname in LOOPBACK
        if not parts.hostname or not (parts.scheme == "https" or is_loopback):
            raise ValueError("must begin with https://")
        return url.rstrip("/")

    @model_validator(mode="after")
    def _has_credentials(self) -> Self:
        if self.payment_provider is ProviderName.CASHFREE:
            for name in ("cashfree_client_id", "cashfree_client_secret"):
                value = getattr(self, name)
                text = value.get_secret_value() if isinstance(value, SecretStr) else value
                if not text or not text.isascii() or not text.isprintable():
                    raise ValueError(f"{name.upper()} must be set for PAYMENT_PROVIDER=cashfree")
            self._require_matching_keys()
        return self

    def _require_matching_keys(self) -> None:
        """Refuse keys of Cashfree's test world for its real one, and the other way round."""
        secret = self.cashfree_client_secret.get_secret_value()
        is_production = self.cashfree_base_url == _CASHFREE_PRODUCTION
        is_test_key = "_test_" in secret or self.cashfree_client_id.startswith("TEST")
        if is_production and is_test_key:
            raise ValueError("CASHFREE_CLIENT_SECRET is a test key, CASHFREE_BASE_URL is not")
        if not is_production and "_prod_" in secret:
            raise ValueError("CASHFREE_CLIENT_SECRET is a production key, CASHFREE_BASE_URL is not")

    def production_problems(self) -> list[str]:
        problems = super().production_problems()
        if self.payment_provider is ProviderName.SANDBOX:
            problems.append("PAYMENT_PROVIDER=sandbox takes no money; production needs cashfree")
        is_cashfree = self.payment_provider is ProviderName.CASHFREE
        if is_cashfree and self.cashfree_base_url != _CASHFREE_PRODUCTION:
            problems.append(f"CASHFREE_BASE_URL must be {_CASHFREE_PRODUCTION} in production")
        if self.call_transport is CallTransport.OUTBOX:
            problems.append("CALL_TRANSPORT=outbox rings no phone; production needs twilio")
        return problems


@cache
def settings() -> Settings:
    """Return the settings of this process.

    Raises:
        SystemExit: With one clear line, if a setting is wrong.
    """
    return load(Settings)
