"""The settings of the deployment, common to both products. Source: specification C2."""

import ipaddress
from email.utils import parseaddr
from enum import StrEnum
from pathlib import Path
from typing import Self, TypeVar
from urllib.parse import urlsplit

from pydantic import (
    AwareDatetime,
    Field,
    SecretStr,
    ValidationError,
    field_validator,
    model_validator,
)
from pydantic_settings import BaseSettings, SettingsConfigDict

from kit.http.sockets import IdleAllowance, SocketAllowance
from kit.mail.domains import has_reserved_domain
from kit.mail.headers import is_header_text, is_mail_address
from kit.mail.helo import checked_helo, helo_name, is_qualified
from kit.mail.smtp import SmtpServer, SmtpTls
from kit.urls import checked_base_url, checked_site, is_host

LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
"""Host names and addresses of the local machine."""
SHORTEST_TOKEN = 32
"""Minimum number of characters of OPERATOR_TOKEN in production."""
SettingsT = TypeVar("SettingsT", bound="DeploymentSettings")


class Environment(StrEnum):
    """The kind of deployment; production rejects unsafe settings."""

    DEVELOPMENT = "development"
    PRODUCTION = "production"


class MailTransport(StrEnum):
    """How e-mails are sent: written to the outbox folder, or over SMTP."""

    OUTBOX = "outbox"
    SMTP = "smtp"


class LogFormat(StrEnum):
    """The format of log records."""

    TEXT = "text"
    """One line of text per record, for people."""
    JSON = "json"
    """One JSON object per line, for log collectors."""


class DeploymentSettings(BaseSettings):
    """Settings from the environment, else from `.env`; immutable."""

    model_config = SettingsConfigDict(
        env_file=".env", env_ignore_empty=True, extra="ignore", frozen=True
    )

    environment: Environment = Environment.DEVELOPMENT
    demonstration: bool = False
    port: int = Field(default=3000, ge=1, le=65535)
    listen_address: str = "0.0.0.0"  # noqa: S104 - students reach it from their phones
    public_url: str = ""
    trusted_proxies: str = "127.0.0.1"
    processes: int = Field(default=1, ge=1, le=256)
    database_url: str = Field(default="sqlite:///var/food_points.db", repr=False)
    redis_url: str = Field(default="", repr=False)
    campus_now: AwareDatetime | None = None
    mail_transport: MailTransport = MailTransport.OUTBOX
    smtp_host: str = ""
    smtp_port: int = Field(default=587, ge=1, le=65535)
    smtp_username: str = ""
    smtp_password: SecretStr = SecretStr("")
    smtp_tls: SmtpTls = SmtpTls.STARTTLS
    smtp_helo: str = ""
    mail_from: str = "FOOD_points <orders@food-points.example>"
    outbox_dir: Path = Path("var/outbox")
    data_dir: Path = Path(__file__).parents[1] / "data"
    operator_token: SecretStr = SecretStr("")
    otel_exporter_otlp_endpoint: str = ""
    otel_service_name: str = "food-points"
    otel_traces_sampler_arg: float = Field(default=1.0, ge=0.0, le=1.0)
    log_format: LogFormat = LogFormat.TEXT
    request_header_seconds: float = Field(default=20.0, ge=1.0)
    request_body_seconds: float = Field(default=60.0, ge=1.0)
    sockets_per_address: int = Field(default=5_000, ge=10)
    idle_sessions: int = Field(default=2_000, ge=0)
    idle_sessions_per_address: int = Field(default=500, ge=0)
    idle_session_seconds: int = Field(default=600, ge=1)
    session_messages_per_second: int = Field(default=30, ge=1)
    address_messages_per_second: int = Field(default=600, ge=10)

    @field_validator("public_url")
    @classmethod
    def _check_site(cls, url: str) -> str:
        return checked_site(url) if url else url

    @field_validator("otel_exporter_otlp_endpoint")
    @classmethod
    def _check_otel_endpoint(cls, url: str) -> str:
        return checked_base_url(url) if url else url

    @field_validator("smtp_host")
    @classmethod
    def _check_host(cls, host: str) -> str:
        if host and not is_host(host):
            raise ValueError("must be a host's name or address, without a scheme or a port")
        return host

    @field_validator("smtp_helo")
    @classmethod
    def _check_helo(cls, host: str) -> str:
        return checked_helo(host) if host else host

    @field_validator("mail_from")
    @classmethod
    def _check_sender(cls, sender: str) -> str:
        return checked_sender(sender)

    @field_validator("operator_token")
    @classmethod
    def _check_token(cls, token: SecretStr) -> SecretStr:
        text = token.get_secret_value()
        if not (text.isascii() and text.isprintable() and text == text.strip()):
            raise ValueError("must be printable ASCII: it is sent in a header")
        return token

    @field_validator("database_url")
    @classmethod
    def _check_database_url(cls, url: str) -> str:
        if not url.startswith(("sqlite:///", "postgresql://", "postgresql+psycopg://")):
            raise ValueError("must begin with sqlite:/// or postgresql://")
        if url.removeprefix("sqlite:///") in {"", ":memory:"}:
            raise ValueError("must name a file after sqlite:///")
        return url.replace("postgresql://", "postgresql+psycopg://", 1)

    @field_validator("redis_url")
    @classmethod
    def _check_redis_url(cls, url: str) -> str:
        if url and not url.startswith(("redis://", "rediss://", "unix://")):
            raise ValueError("must begin with redis://, rediss:// or unix://")
        return url

    @field_validator("listen_address")
    @classmethod
    def _check_ip_address(cls, address: str) -> str:
        return str(ipaddress.ip_address(address))

    @field_validator("trusted_proxies")
    @classmethod
    def _check_networks(cls, addresses: str) -> str:
        networks = [ipaddress.ip_network(each.strip()) for each in addresses.split(",")]
        if any(network.prefixlen == 0 for network in networks):
            raise ValueError("must not be every address: a proxy may claim any client")
        return ",".join(map(str, networks))

    @model_validator(mode="after")
    def _check_processes(self) -> Self:
        if self.processes > 1 and not self.redis_url:
            raise ValueError("PROCESSES above 1 need REDIS_URL: all processes share the sessions")
        if self.processes > 1 and self.database_url.startswith("sqlite"):
            raise ValueError("PROCESSES above 1 need PostgreSQL: SQLite is one machine's file")
        return self

    @model_validator(mode="after")
    def _check_smtp(self) -> Self:
        if self.mail_transport is MailTransport.SMTP and not self.smtp_host:
            raise ValueError("MAIL_TRANSPORT=smtp needs SMTP_HOST")
        is_named, is_secret = bool(self.smtp_username), bool(self.smtp_password.get_secret_value())
        if self.mail_transport is MailTransport.SMTP and is_named is not is_secret:
            raise ValueError("SMTP_USERNAME and SMTP_PASSWORD need each other")
        if self.smtp_tls is SmtpTls.NONE and self.smtp_host not in {"", *LOOPBACK}:
            raise ValueError("SMTP_TLS=none sends passwords in clear; only to this machine")
        return self

    @model_validator(mode="after")
    def _check_production(self) -> Self:
        if self.environment is Environment.PRODUCTION:
            for problem in self.production_problems():
                raise ValueError(problem)
        elif self.is_encrypted and not self.demonstration:
            raise ValueError(
                "ENVIRONMENT must be production with an https:// PUBLIC_URL, or"
                " DEMONSTRATION=true, which every page shows: development takes no money"
            )
        return self

    def production_problems(self) -> list[str]:
        """Return why these settings are unsafe in production; empty if they are safe."""
        problems: list[str] = []
        if self.mail_transport is MailTransport.OUTBOX:
            problems.append("MAIL_TRANSPORT=outbox sends nothing; production needs smtp")
        if not self.is_encrypted:
            problems.append("PUBLIC_URL must begin with https:// in production")
        if len(self.operator_token.get_secret_value()) < SHORTEST_TOKEN:
            problems.append(
                f"OPERATOR_TOKEN must have at least {SHORTEST_TOKEN} characters in production"
            )
        if self.demonstration:
            problems.append("DEMONSTRATION must not be set in production: its orders are real")
        if self.campus_now is not None:
            problems.append("CAMPUS_NOW must not be set in production: the clock is the real one")
        problems += sender_problems("MAIL_FROM", self.mail_from)
        if not is_qualified(self.smtp_helo or self._public_host):
            problems.append("SMTP_HELO must be this host's full name: PUBLIC_URL has no domain")
        return problems

    @property
    def mail_server(self) -> SmtpServer:
        """Address and credentials of the mail server."""
        return SmtpServer(
            host=self.smtp_host,
            port=self.smtp_port,
            tls=self.smtp_tls,
            username=self.smtp_username,
            password=self.smtp_password.get_secret_value(),
            helo=helo_name(self.smtp_helo or self._public_host),
        )

    @property
    def origin(self) -> str:
        """The URL at which browsers reach the site, without a trailing slash."""
        return (self.public_url or f"http://localhost:{self.port}").rstrip("/")

    @property
    def own_origin(self) -> str:
        """The URL of this process on its own machine, bypassing any proxy."""
        address = ipaddress.ip_address(self.listen_address)
        host = "127.0.0.1" if address.is_unspecified else str(address)
        return f"http://[{host}]:{self.port}" if ":" in host else f"http://{host}:{self.port}"

    @property
    def is_encrypted(self) -> bool:
        """Whether browsers reach the site over https."""
        return urlsplit(self.origin).scheme == "https"

    @property
    def _public_host(self) -> str:
        return urlsplit(self.origin).hostname or "localhost"

    @property
    def allowed_hosts(self) -> list[str]:
        """Host names that the server answers; any in development."""
        if self.environment is Environment.PRODUCTION:
            own = (urlsplit(self.origin).hostname, urlsplit(self.own_origin).hostname)
            return [*LOOPBACK, *filter(None, own)]
        return ["*"]

    @property
    def sockets(self) -> SocketAllowance:
        """Limits of WebSockets and messages per address and per session."""
        return SocketAllowance(
            self.sockets_per_address,
            of_session_per_second=self.session_messages_per_second,
            of_address_per_second=self.address_messages_per_second,
        )

    @property
    def idle_allowance(self) -> IdleAllowance:
        """Limits on the number and lifetime of sessions without a WebSocket."""
        return IdleAllowance(
            self.idle_sessions_per_address, self.idle_sessions, self.idle_session_seconds
        )

    @property
    def allowed_origins(self) -> tuple[str, ...]:
        """Origins whose pages may connect to the server; in development also localhost."""
        if self.environment is Environment.PRODUCTION:
            return (self.origin,)
        local = (f"http://localhost:{self.port}", f"http://127.0.0.1:{self.port}")
        return tuple(dict.fromkeys((self.origin, *local)))


def checked_sender(sender: str) -> str:
    """Return an address with or without a name, as From states it.

    Raises:
        ValueError: If it is none.
    """
    if not (is_header_text(sender) and is_mail_address(parseaddr(sender)[1])):
        raise ValueError("must be like FOOD_points <orders@food-points.example>")
    return sender


def sender_problems(name: str, sender: str) -> list[str]:
    """Return why a setting's address must not leave in production; empty if it may."""
    if not has_reserved_domain(parseaddr(sender)[1]):
        return []
    return [f"{name} must be an address of your own domain: mail servers refuse reserved ones"]


def explain(error: ValidationError) -> str:
    """Return one line that names the first invalid setting and the reason, without its value."""
    first = error.errors(include_url=False, include_input=False, include_context=False)[0]
    name = "_".join(str(part) for part in first["loc"]).upper()
    reason = first["msg"].removeprefix("Value error, ")
    return f"{name}: {reason}" if name else reason


def load(kind: type[SettingsT]) -> SettingsT:
    """Return settings of this class from the environment.

    Raises:
        SystemExit: With a one-line message, if a setting is invalid.
    """
    try:
        return kind()
    except ValidationError as error:
        raise SystemExit(f"Settings: {explain(error)}") from None
