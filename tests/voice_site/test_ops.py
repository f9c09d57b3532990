"""`ops demo-requests`: the table, the CSV, the JSON."""

import asyncio
import csv
import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.support.databases import sqlite_only
from tests.support.demo import FORM_URL, SENT, site_on
from tests.support.flows import drain
from tests.support.tables import execute
from voice_site.domain.demo_request import read_request
from voice_site.ops import command, harmless
from voice_site.wiring import VARIANTS

ROOT = Path(__file__).parents[2]


@pytest.fixture
def ask(services):
    """Stores demo requests."""

    async def store(changes, is_suspected):
        site = site_on(services)
        await site.demo_requests.take(
            read_request(SENT | changes, VARIANTS), is_suspected=is_suspected
        )
        await drain(services)

    def ask(*, is_suspected=False, **changes):
        asyncio.run(store(changes, is_suspected))

    return ask


@pytest.fixture
def ops(services):
    """Runs the command on these services."""
    site = site_on(services, demo_form_url=FORM_URL)
    mounted = command(lambda work: asyncio.run(work(site)))
    return lambda *arguments: CliRunner().invoke(mounted, arguments)


@sqlite_only
def test_nothing_yet_is_said(ops):
    assert "0 demo requests" in ops().output
    assert ops("--csv").output.splitlines() == ["id"]
    assert json.loads(ops("--json").output) == []


@sqlite_only
def test_the_table_says_who_what_and_how_far(ops, ask):
    ask()
    output = ops().output
    for words in ("Priya Raman", "Southern College", "TARA PRO", "done", "none", "1 demo request"):
        assert words in output


@sqlite_only
def test_the_csv_has_every_field(ops, ask):
    ask()
    ask(fullName="प्रिया, रमन", is_suspected=True)
    rows = list(csv.DictReader(io.StringIO(ops("--csv").output)))
    assert {row["fullName"] for row in rows} == {"Priya Raman", "प्रिया, रमन"}
    assert {row["suspected"] for row in rows} == {"True", "False"}
    (first,) = [row for row in rows if row["fullName"] == "Priya Raman"]
    assert first["phone"] == "+91 98765 43210"
    assert first["selectedVariant"] == "TARA PRO"
    assert (first["mail"], first["spreadsheet"]) == ("done", "none")


@sqlite_only
def test_the_json_has_every_field(ops, ask):
    ask()
    (record,) = json.loads(ops("--json").output)
    assert record["companySize"] == "51-200 employees"
    assert record["suspected"] is False


@pytest.mark.parametrize(
    ("value", "cell"),
    [
        ("=1+1", "'=1+1"),
        ("@x", "'@x"),
        ("-2+3", "'-2+3"),
        ("+cmd|x", "'+cmd|x"),
        ("+91 98765 43210", "+91 98765 43210"),
        ("Priya", "Priya"),
        (True, "True"),
    ],
)
def test_no_cell_is_a_formula(value, cell):
    assert harmless(value) == cell


@sqlite_only
def test_a_database_that_is_away_is_one_line(services, ops):
    asyncio.run(execute(services.database, "DROP TABLE demo_requests"))
    answer = ops()
    assert answer.exit_code == 1
    assert answer.output.strip() == "Error: The database does not answer."


@sqlite_only
def test_it_runs_alone(services, ask):
    ask()
    done = subprocess.run(
        [sys.executable, "-m", "voice_site.ops", "--json"],
        cwd=services.settings.outbox_dir.parent,
        env={
            "PATH": os.environ["PATH"],
            "PYTHONPATH": str(ROOT),
            "DATABASE_URL": services.settings.database_url,
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)[0]["fullName"] == "Priya Raman"
