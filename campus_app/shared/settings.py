"""The settings of the ordering product; the only reader of the environment."""

import hashlib
from collections.abc import Sequence
from email.utils import parseaddr
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Self
from urllib.parse import urlsplit

from pydantic import Field, SecretStr, field_validator, model_validator

from kit.mail.headers import is_mail_address
from kit.push.subscription import PushServices
from kit.push.vapid import parse_private_key
from kit.settings import LOOPBACK, DeploymentSettings, load, sender_problems
from kit.urls import checked_base_url, checked_site


class ProviderName(StrEnum):
    """The payment provider."""

    SANDBOX = "sandbox"
    CASHFREE = "cashfree"


class CheckoutMode(StrEnum):
    """How the page `/pay/{token}` starts Cashfree's checkout."""

    SDK = "sdk"
    """By Cashfree's script, as Cashfree documents."""
    FORM = "form"
    """By the form that the script would submit, without loading the script."""


class CallTransport(StrEnum):
    """How missed calls are placed."""

    OUTBOX = "outbox"
    TWILIO = "twilio"


_CASHFREE_SANDBOX = "https://sandbox.cashfree.com/pg"
_CASHFREE_PRODUCTION = "https://api.cashfree.com/pg"
_TWILIO_HOSTS = ".twilio.com"
_TWILIO_TEST_NUMBERS = "+1500555"


class Settings(DeploymentSettings):
    """The settings of this product, from the environment."""

    payment_provider: ProviderName = ProviderName.SANDBOX
    cashfree_client_id: str = ""
    cashfree_client_secret: SecretStr = SecretStr("")
    cashfree_previous_client_secret: SecretStr = SecretStr("")
    cashfree_api_version: str = Field(default="2025-01-01", pattern=r"^20\d\d-[01]\d-[0-3]\d$")
    cashfree_base_url: str = _CASHFREE_SANDBOX
    cashfree_checkout_mode: CheckoutMode = CheckoutMode.SDK
    cashfree_limit_percent: int = Field(default=80, ge=1, le=10_000)
    cashfree_seconds_between_fetches: float = Field(default=3.0, ge=0.0, le=60.0)
    call_transport: CallTransport = CallTransport.OUTBOX
    twilio_account_sid: str = Field(default="", pattern=r"^(AC[0-9a-f]{32})?$")
    twilio_auth_token: SecretStr = SecretStr("")
    twilio_from: str = Field(default="", pattern=r"^(\+[1-9]\d{6,14})?$")
    twilio_base_url: str = "https://api.twilio.com"
    twilio_time_out_seconds: float = Field(default=10.0, gt=0.0, le=15.0)
    missed_calls_per_restaurant_hour: int = Field(default=30, ge=1)
    missed_calls_unwanted_by: str = Field(default="", pattern=r"^(\d+(, ?\d+)*)?$")
    vapid_private_key: SecretStr = SecretStr("")
    web_push_origins: str = ""
    push_contact: str = ""
    prepared_orders_per_minute: int = Field(default=600, ge=300)

    @field_validator("cashfree_base_url", "twilio_base_url")
    @classmethod
    def _check_base_url(cls, url: str) -> str:
        base = checked_base_url(url)
        parts = urlsplit(base)
        if parts.scheme != "https" and parts.hostname not in LOOPBACK:
            raise ValueError("must begin with https://")
        return base

    @field_validator("vapid_private_key")
    @classmethod
    def _check_vapid_key(cls, key: SecretStr) -> SecretStr:
        if key.get_secret_value():
            parse_private_key(key.get_secret_value())
        return key

    @field_validator("push_contact")
    @classmethod
    def _check_contact(cls, address: str) -> str:
        if address and not is_mail_address(address):
            raise ValueError("must be an e-mail address like ops@food-points.example")
        return address

    @field_validator("web_push_origins")
    @classmethod
    def _check_origins(cls, origins: str) -> str:
        named = [each.strip() for each in origins.split(",")]
        return ",".join(checked_site(each) for each in named if each)

    @model_validator(mode="after")
    def _check_cashfree(self) -> Self:
        if self.payment_provider is ProviderName.CASHFREE:
            names = ("cashfree_client_id", "cashfree_client_secret")
            self._require(names, "PAYMENT_PROVIDER=cashfree")
            self._require_matching_keys()
        return self

    @model_validator(mode="after")
    def _check_twilio(self) -> Self:
        if self.call_transport is CallTransport.TWILIO:
            names = ("twilio_account_sid", "twilio_auth_token", "twilio_from")
            self._require(names, "CALL_TRANSPORT=twilio")
        return self

    def _require(self, names: Sequence[str], choice: str) -> None:
        """Require that settings are printable ASCII and not empty."""
        for name in names:
            value = getattr(self, name)
            text = value.get_secret_value() if isinstance(value, SecretStr) else value
            if not text or not text.isascii() or not text.isprintable():
                raise ValueError(f"{name.upper()} must be set for {choice}")

    def _require_matching_keys(self) -> None:
        """Reject test keys in production, and production keys in the sandbox."""
        secret = self.cashfree_client_secret.get_secret_value()
        is_production = self.cashfree_base_url == _CASHFREE_PRODUCTION
        is_test_key = "_test_" in secret or self.cashfree_client_id.startswith("TEST")
        if is_production and is_test_key:
            raise ValueError("CASHFREE_CLIENT_SECRET is a test key, CASHFREE_BASE_URL is not")
        if not is_production and "_prod_" in secret:
            raise ValueError("CASHFREE_CLIENT_SECRET is a production key, CASHFREE_BASE_URL is not")

    @property
    def last_good_dir(self) -> Path:
        """The folder with the last valid copy of each data file.

        It depends on the data folder, so that tests' copies never replace the real data.
        """
        name = hashlib.sha256(str(self.data_dir.resolve()).encode()).hexdigest()[:12]
        return self.outbox_dir.parent / "menus" / name

    @property
    def restaurants_without_calls(self) -> frozenset[int]:
        """The ids of restaurants that must not be called."""
        return frozenset(int(id_) for id_ in self.missed_calls_unwanted_by.split(",") if id_)

    @property
    def push_services(self) -> PushServices:
        """The push services to which messages may be sent."""
        return PushServices(tuple(each for each in self.web_push_origins.split(",") if each))

    @property
    def push_contact_address(self) -> str:
        """The e-mail address at which push services reach the operators."""
        return self.push_contact or parseaddr(self.mail_from)[1]

    def production_problems(self) -> list[str]:
        problems = super().production_problems()
        if self.payment_provider is ProviderName.SANDBOX:
            problems.append("PAYMENT_PROVIDER=sandbox takes no money; production needs cashfree")
        is_cashfree = self.payment_provider is ProviderName.CASHFREE
        if is_cashfree and self.cashfree_base_url != _CASHFREE_PRODUCTION:
            problems.append(f"CASHFREE_BASE_URL must be {_CASHFREE_PRODUCTION} in production")
        if self.call_transport is CallTransport.OUTBOX:
            problems.append("CALL_TRANSPORT=outbox rings no phone; production needs twilio")
        else:
            problems += self._twilio_problems()
        if self.push_contact:
            problems += sender_problems("PUSH_CONTACT", self.push_contact)
        if self.web_push_origins:
            problems.append("WEB_PUSH_ORIGINS must be empty in production: it is for tests")
        if self.redis_url and not self.vapid_private_key.get_secret_value():
            problems.append("VAPID_PRIVATE_KEY must be set with REDIS_URL: all hosts need the same")
        return problems

    def _twilio_problems(self) -> list[str]:
        problems: list[str] = []
        parts = urlsplit(self.twilio_base_url)
        if parts.scheme != "https" or not (parts.hostname or "").endswith(_TWILIO_HOSTS):
            problems.append("TWILIO_BASE_URL must be https://api.twilio.com in production")
        if self.twilio_from.startswith(_TWILIO_TEST_NUMBERS):
            problems.append("TWILIO_FROM is one of Twilio's test numbers, which ring no phone")
        return problems


@cache
def settings() -> Settings:
    """Return the settings of this process.

    Raises:
        SystemExit: With a one-line message, if a setting is invalid.
    """
    return load(Settings)
