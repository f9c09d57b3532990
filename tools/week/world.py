"""The running product, its external services, and its campus clock."""

import os
import shlex
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
from playwright.sync_api import Browser, Page

from campus_app.catalogue.screens.campus_state import STORAGE_KEY
from deploy.local_stack import started_stack
from kit.clock import SystemClock
from tests.helpers.deployment import RunningDeployment
from tests.helpers.ports import free_port
from tests.helpers.product import ROOT
from tools.simulation.plan import FULL
from tools.simulation.stack import NOON, Ports
from tools.simulation.stack_setup import data_with_phones, external_services, settings_of

SALES_EMAIL = "sales@davinci.example"
_PROCESSES = 2
_START_SECONDS = 2.0
_PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
_COMPUTER = {"viewport": {"width": 1280, "height": 800}, "reduced_motion": "reduce"}


@dataclass
class World:
    """The product as its visitors and operators have it, and the outside world."""

    deployment: RunningDeployment
    control: httpx.Client
    browser: Browser
    data: Path
    clock: SystemClock

    @property
    def url(self) -> str:
        """The public address."""
        return self.deployment.url

    @property
    def now(self) -> datetime:
        """The campus time."""
        return self.clock.now().astimezone(NOON.tzinfo)

    def page(self, *, is_phone: bool = True) -> Page:
        """Return a tab of a new phone or computer."""
        origin = {"origin": self.url, "localStorage": [{"name": STORAGE_KEY, "value": "north"}]}
        options: dict[str, Any] = _PHONE if is_phone else _COMPUTER
        context = self.browser.new_context(
            base_url=self.url,
            service_workers="block",
            storage_state={"origins": [origin]},  # pyright: ignore[reportArgumentType]
            **options,
        )
        context.clock.install()
        return context.new_page()

    def send(self, command: str, **content: Any) -> None:
        """Send a command to the external services."""
        self.control.post(f"/{command}", json=content).raise_for_status()

    def records(self) -> dict[str, Any]:
        """Return what the payment provider, the telephone and the mail server have seen."""
        return self.control.get("/records").json()

    def advance_to(self, moment: datetime) -> None:
        """Restart all processes at a later campus time."""
        for part in self.deployment.parts.backends:
            part.stop()
        self.clock = SystemClock.starting_at(moment)
        self.send("clock", offset_seconds=self.clock.offset.total_seconds())
        for part in self.deployment.parts.backends:
            started = self.clock.now() + timedelta(seconds=_START_SECONDS)
            part.environment = {**part.environment, "CAMPUS_NOW": started.isoformat()}
            part.start()

    def shell(self, command: str) -> str:
        """Run a line that an operator types, in a folder with `data`; return what it prints.

        `ops` is the product's command line.
        """
        python = shlex.quote(sys.executable)
        script = f'ops() {{ (cd {shlex.quote(str(ROOT))} && {python} -m campus_app.ops "$@"); }}\n'
        environment = self.deployment.parts.backends[0].environment
        done = subprocess.run(
            ["bash", "-euc", script + command],
            env={
                "PATH": os.environ["PATH"],
                **environment,
                "CAMPUS_NOW": self.clock.now().isoformat(),
            },
            cwd=self.data.parent,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
        return done.stdout

    def mails_to(self, address: str) -> list[dict[str, Any]]:
        """Return the e-mails that the mail server has accepted for an address."""
        return [each for each in self.records()["mails"] if each["recipient"] == address]


@contextmanager
def running_world(browser: Browser, folder: Path) -> Iterator[World]:
    """Run the product and the external services during the block."""
    ports, data = Ports(), data_with_phones(folder)
    settings = settings_of(FULL, ports, data) | {
        "CASHFREE_CHECKOUT_MODE": "form",
        "SALES_EMAIL": SALES_EMAIL,
    }
    del settings["PUBLIC_URL"]  # browsers come back to the address of this machine
    with (
        started_stack(_PROCESSES, settings, port_for=free_port) as parts,
        external_services(FULL, ports, parts.url, folder, "--for-browsers"),
        httpx.Client(
            base_url=f"http://127.0.0.1:{ports.control}", trust_env=False, timeout=30
        ) as control,
    ):
        world = World(RunningDeployment(parts), control, browser, data, SystemClock())
        world.advance_to(NOON)
        yield world
