"""Start the stack of `deploy/local_stack.py` and the external services."""

import contextlib
import shutil
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import httpx

from deploy.local_stack import Part, started_stack
from tests.fakes.cashfree import CLIENT_ID, CLIENT_SECRET
from tests.fakes.twilio import twilio_settings
from tests.helpers.deployment import RunningDeployment
from tests.helpers.ports import free_port
from tests.helpers.product import OPERATOR_TOKEN, ROOT
from tests.helpers.settings import DATA, ORIGIN
from tools.simulation.plan import Plan
from tools.simulation.stack import NOON, PROCESSES, Ports, Stack
from tools.simulation.write_log import log_writes

_SHIPPED_PHONE, _PHONE = "+91000000000", "+91980000010"
"""Prefixes: the shipped numbers are invalid; only the fake Twilio calls the replacements."""


@contextlib.asynccontextmanager
async def running_stack(plan: Plan, folder: Path) -> AsyncIterator[Stack]:
    """Run the stack and the external services during the block."""
    ports, data = Ports(), data_with_phones(folder)
    settings = settings_of(plan, ports, data)
    with started_stack(PROCESSES, settings, port_for=free_port) as parts:
        with external_services(plan, ports, parts.url, folder):
            stack = Stack(RunningDeployment(parts), ports, data)
            async with stack.control:
                log_writes(parts.database_url)
                await stack.send_command("limits", **plan.limits)
                await stack.set_clocks()
                yield stack


def settings_of(plan: Plan, ports: Ports, data: Path) -> dict[str, str]:
    """Return the settings of the product, with the external services at these ports."""
    call_settings = twilio_settings(f"http://127.0.0.1:{ports.twilio}")
    return {
        "CAMPUS_NOW": NOON.isoformat(),
        "ENVIRONMENT": "development",
        "DEMONSTRATION": "true",
        "OPERATOR_TOKEN": OPERATOR_TOKEN,
        "DATA_DIR": str(data),
        "PUBLIC_URL": ORIGIN,
        "PAYMENT_PROVIDER": "cashfree",
        "CASHFREE_CLIENT_ID": CLIENT_ID,
        "CASHFREE_CLIENT_SECRET": CLIENT_SECRET,
        "CASHFREE_BASE_URL": f"http://127.0.0.1:{ports.cashfree}/pg",
        "CASHFREE_LIMIT_PERCENT": str(plan.limit_percent),
        "MAIL_TRANSPORT": "smtp",
        "SMTP_HOST": "127.0.0.1",
        "SMTP_PORT": str(ports.mail),
        "SMTP_TLS": "none",
        "MISSED_CALLS_PER_RESTAURANT_HOUR": "10000",
        **{name.upper(): value for name, value in call_settings.items()},
    }


def data_with_phones(folder: Path) -> Path:
    """Return a copy of the shipped data with phone numbers that can ring."""
    data = Path(shutil.copytree(DATA, folder / "data"))
    file = data / "restaurants.csv"
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace(_SHIPPED_PHONE, _PHONE), encoding="utf-8")
    return data


@contextlib.contextmanager
def external_services(
    plan: Plan, ports: Ports, site: str, folder: Path, *flags: str
) -> Iterator[Part]:
    """Run the external services during the block, with these further arguments."""
    options = {**vars(ports), "site": site, "speed": plan.speed, "seed": plan.seed}
    arguments = [*(f"--{name}={value}" for name, value in options.items()), *flags]
    part = Part(
        [sys.executable, "-m", "tools.simulation.external_services", *arguments],
        folder / "external_services.log",
        lambda: _is_ready(ports.control),
        run_as={"cwd": ROOT},
    )
    part.start()
    try:
        yield part
    finally:
        part.stop()


def _is_ready(port: int) -> bool:
    try:
        return httpx.get(f"http://127.0.0.1:{port}/records", trust_env=False).is_success
    except httpx.TransportError:
        return False
