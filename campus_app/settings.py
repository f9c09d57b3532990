"""The settings of the ordering product; the only reader of the environment."""

from enum import StrEnum
from functools import cache
from pathlib import Path

from pydantic import Field

from campus_app.infrastructure.settings import DeploymentSettings, load


class ProviderName(StrEnum):
    """Who takes the money."""

    SANDBOX = "sandbox"


class CallTransport(StrEnum):
    """How missed calls leave."""

    OUTBOX = "outbox"


class Settings(DeploymentSettings):
    """Everything that an operator decides."""

    payment_provider: ProviderName = ProviderName.SANDBOX
    call_transport: CallTransport = CallTransport.OUTBOX
    data_dir: Path = Path(__file__).parents[1] / "data"
    prepared_orders_per_minute: int = Field(default=600, ge=300)

    def production_problems(self) -> list[str]:
        problems = super().production_problems()
        if self.payment_provider is ProviderName.SANDBOX:
            problems.append("PAYMENT_PROVIDER=sandbox takes no money; production needs cashfree")
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
