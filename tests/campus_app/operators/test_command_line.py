"""The command line beside a running server.

The effect of each command on either database is tested in test_commands.py.
"""

import json
import os
import pwd
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import httpx
import pytest

from campus_app.build import BUILT_FROM
from kit.http.client import ssl_context
from tests.e2e.server import Server
from tests.helpers.builders import order_body
from tests.helpers.clock import WEDNESDAY
from tests.helpers.databases import sqlite_only
from tests.helpers.product import eventually

ME = pwd.getpwuid(os.getuid()).pw_name
ORDERS_MEANWHILE = 40


class Installation(Server):
    """A running server with its own database, and operators' commands on its machine."""

    def __init__(self, folder, database_url):
        super().__init__(folder, WEDNESDAY)
        self._database_url = database_url

    def _environment(self):
        return super()._environment() | {"DATABASE_URL": self._database_url}

    def ops(self, *words, **settings):
        """Run a command that must succeed; return its output."""
        done = self.run_ops(*words, **settings)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout) if "--json" in words else done.stdout

    def place(self):
        """Store an order over HTTP; return the response."""
        answer = httpx.post(
            f"{self.url}/payment/prepare-order", json=order_body(), timeout=20, verify=ssl_context()
        )
        assert answer.status_code == 201, answer.text
        return answer.json()

    def pay(self, number, amount):
        """Pay as a customer, and wait for the notifications."""
        self.get(f"/api/payment-form/{amount}?order_id={number}")
        form = {"order_id": number, "button": "pay"}
        httpx.post(f"{self.url}/sandbox/pay", data=form, timeout=30)
        self.wait_until_notified(number)
        eventually(lambda: self.is_recorded(number), "all notifications are recorded as sent")

    def is_recorded(self, number):
        status = self.get(f"/email-status/{number}").json()
        return (status["emailsSent"], status["missedCallStatus"]) == (2, "success")

    def statuses(self):
        return self.get("/api/restaurants/status").json()["statuses"]


@pytest.fixture
def installation(database_url, tmp_path):
    if not BUILT_FROM.exists():
        pytest.fail("The pages are not built: run make build", pytrace=False)
    installation = Installation(tmp_path / "installation", database_url)
    installation.start()
    yield installation
    installation.stop()
    assert installation.logged_errors() == []


@sqlite_only
def test_ops_commands_work_beside_a_running_server(installation, tmp_path, sqlite_template):
    closed = installation.ops("close", "3", "--message", "No <b>gas</b>", "--json")
    assert closed["setByServer"] is True
    assert installation.statuses()["3"] == {
        "isOpen": False,
        "message": "No <b>gas</b>",
        "state": "DELIVERY UNAVAILABLE",
    }
    assert "The running server has published it to all pages." in installation.ops("open", "3")
    assert installation.statuses()["3"]["isOpen"] is True

    prepared = installation.place()
    number = prepared["orderId"]
    installation.pay(number, prepared["paymentBreakdown"]["preOrderPayment"])
    file = installation.ops("order", number, "--json")
    assert (file["state"], file["payment"]["state"]) == ("confirmed", "paid")
    assert {notification["state"] for notification in file["notifications"]} == {"done"}
    assert installation.ops("orders", "--unpaid", "--json")["total"] == 0

    with ThreadPoolExecutor(4) as customers:
        meanwhile = [customers.submit(installation.place) for _ in range(ORDERS_MEANWHILE)]
        said = installation.ops("close", "4", OPERATOR_TOKEN="")
        assert "a server that runs shows it to all pages within a second" in said
        eventually(lambda: installation.statuses()["4"]["isOpen"] is False, "the server shows it")
        installation.ops("order", number)
        assert len({each.result()["orderId"] for each in meanwhile}) == ORDERS_MEANWHILE
    assert installation.ops("orders", "--unpaid", "--json")["total"] == ORDERS_MEANWHILE

    much_later = (WEDNESDAY + timedelta(days=200)).isoformat()
    purge = ("purge", "--older-than", "180d", "--json")
    assert installation.run_ops(*purge, CAMPUS_NOW=much_later).returncode == 1
    purged = installation.ops(*purge, "--yes", CAMPUS_NOW=much_later)
    assert purged["orders"] == 1 + ORDERS_MEANWHILE
    assert installation.ops("order", number, "--json")["userDetails"]["fullName"] == ""
    assert installation.status_of(number)["status"] == "SUCCESS"

    removed = installation.ops("purge-demo-requests", "--older-than", "52w", "--yes", "--json")
    assert removed["demoRequests"] == 0
    unknown = installation.run_ops("retry-demo-request", "0123abcd", "--json")
    assert (unknown.returncode, "no demo request 0123abcd" in unknown.stdout) == (1, True)

    lines = installation.ops("audit", "--json")["audit"]
    assert {line["actor"] for line in lines} == {ME}
    assert [(line["action"], line["details"].get("via")) for line in reversed(lines)] == [
        ("restaurant.close", "http"),
        ("restaurant.open", "http"),
        ("order.show", None),
        ("restaurant.close", None),
        ("order.show", None),
        ("orders.purge", None),
        ("order.show", None),
    ]

    other = tmp_path / "other.db"  # of another installation, whose server this one is not
    other.write_bytes(sqlite_template.read_bytes())
    elsewhere = {"DATABASE_URL": f"sqlite:///{other}"}
    assert installation.ops("close", "3", "--json", **elsewhere)["setByServer"] is False
    listed = installation.ops("restaurants", "--json", **elsewhere)["restaurants"]
    assert listed[2]["isOpen"] is False


@pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
def test_override_set_while_server_is_down_applies_after_start(installation):
    installation.stop()
    answer = installation.ops("close", "3", "--message", "No gas", "--json")
    assert answer["setByServer"] is False
    installation.start()
    assert eventually(installation.statuses, "the statuses")["3"]["message"] == "No gas"


@sqlite_only
def test_invalid_settings_are_reported_in_one_line(tmp_path, database_url):
    done = Installation(tmp_path / "i", database_url).run_ops("restaurants", PORT="none")
    assert done.returncode == 1
    (line,) = done.stderr.splitlines()
    assert line.startswith("Settings: PORT")


@sqlite_only
@pytest.mark.parametrize("command", ["restaurants", "demo-requests"])
def test_missing_data_folder_is_reported_in_one_line(tmp_path, database_url, command):
    missing = str(tmp_path / "missing")
    done = Installation(tmp_path / "i", database_url).run_ops(command, DATA_DIR=missing)
    assert (done.returncode, done.stdout) == (1, "")
    (line,) = done.stderr.splitlines()
    assert line.startswith(f"ops: {missing}/restaurants.csv: No such file or directory.")
    assert "DATA_DIR" in line
