"""The commands for demo requests: list, retry, delete and purge."""

import asyncio
import csv
import io
import json
import os
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest
from click.testing import CliRunner

from campus_app.shared.rules.periods import span
from kit.spreadsheet import escape_formula
from tests.helpers.databases import sqlite_only
from tests.helpers.demo import FORM_URL, REQUEST_BODY, site_on
from tests.helpers.flows import drain
from tests.helpers.tables import execute
from voice_site.content.plans import VARIANTS
from voice_site.domain.demo_request import read_request
from voice_site.domain.estimate import FIGURES
from voice_site.domain.journey import Journey
from voice_site.ops import commands

ROOT = Path(__file__).parents[2]


@pytest.fixture
def store_request(services):
    """Stores a demo request and runs its jobs."""

    async def store(changes, **more):
        site = site_on(services)
        await site.demo_requests.submit(read_request(REQUEST_BODY | changes, VARIANTS), **more)
        await drain(services)

    def store_request(*, is_suspected=False, journey=None, **changes):
        asyncio.run(store(changes, is_suspected=is_suspected, journey=journey))

    return store_request


@pytest.fixture
def run(services):
    """Runs a command with these services; `answer` is typed at its prompt."""
    site = site_on(services, demo_form_url=FORM_URL)
    made = commands(lambda work: asyncio.run(work(site)), span, lambda: "asha")
    by_name = {each.name: each for each in made}

    def run(command, *arguments, answer=None):
        return CliRunner().invoke(by_name[command], arguments, input=answer)

    return run


@pytest.fixture
def ops(run):
    return partial(run, "demo-requests")


@pytest.fixture
def lead(run):
    return partial(run, "lead")


@pytest.fixture
def delete(run):
    return partial(run, "delete-demo-request")


@pytest.fixture
def purge(run):
    return partial(run, "purge-demo-requests")


@pytest.fixture
def reference(ops, store_request):
    """The reference of a confirmed request."""
    store_request()
    return json.loads(ops("--json").output)[0]["id"][:8]


@sqlite_only
def test_empty_list_is_reported_in_each_format(ops):
    assert "0 demo requests" in ops().output
    assert ops("--csv").output.splitlines() == ["id"]
    assert json.loads(ops("--json").output) == []


@sqlite_only
def test_table_shows_name_company_variant_and_job_states(ops, store_request):
    store_request()
    output = ops().output
    for words in ("Priya Raman", "Southern College", "TARA PRO", "done", "none", "1 demo request"):
        assert words in output


@sqlite_only
def test_csv_and_json_show_requests_with_their_job_states(ops, store_request):
    store_request()
    store_request(fullName="प्रिया, रमन", is_suspected=True)
    rows = list(csv.DictReader(io.StringIO(ops("--csv").output)))
    assert {row["fullName"] for row in rows} == {"Priya Raman", "प्रिया, रमन"}
    assert {row["suspected"] for row in rows} == {"True", "False"}
    (first,) = [row for row in rows if row["fullName"] == "Priya Raman"]
    assert first["phone"] == "+91 98765 43210"
    assert first["selectedVariant"] == "TARA PRO"
    assert (first["mail"], first["spreadsheet"]) == ("done", "none")
    record = next(each for each in json.loads(ops("--json").output) if not each["suspected"])
    assert record["companySize"] == "51-200 employees"


def test_csv_cells_are_not_formulas():
    for value in ("=1+1", "@x", "-2+3", "+cmd|x"):
        assert escape_formula(value) == f"'{value}"
    for value in ("+91 98765 43210", "Priya", True):
        assert escape_formula(value) == str(value)


@sqlite_only
def test_list_shows_state_owner_and_waiting_time_in_campus_time(
    ops, lead, store_request, reference, clock
):
    assert "18 Nov 2026, 13:00" in ops().output
    clock.advance(hours=26)
    assert "new, 26 of 24 h, late" in ops().output
    store_request(email="a.bot@company.example", phone="", is_suspected=True)
    store_request(fullName="Priya R.")
    lead(reference, "--state", "contacted", "--owner", "Asha")
    output = ops().output
    assert "26 of 24 h" not in output
    assert output.index("contacted") < output.index("nobody was told") < output.index("a.bot")
    assert f"of {reference}" in output
    listed = csv.DictReader(io.StringIO(ops("--csv").output))
    (row,) = [each for each in listed if each["fullName"] == "Priya R."]
    assert {name: row[name] for name in ("lead", "state", "owner", "createdAt")} == {
        "lead": reference,
        "state": "contacted",
        "owner": "Asha",
        "createdAt": "2026-11-19T15:00:00+05:30",
    }


@sqlite_only
def test_lead_shows_and_sets_state_owner_and_note_with_history(lead, store_request, reference):
    store_request(phone="+91 91234 56789", selectedVariant="03")
    store_request(email="arun@southern.example", phone="")
    shown = lead(reference, "--state", "qualified", "--note", "Wants Tamil first").output
    for words in (
        f"{reference}, qualified, since 18 Nov 2026, 13:00",
        "Note: Wants Tamil first",
        "Phone: +91 91234 56789",
        "asked for TARA PRO",
        "asked for TARA ENTERPRISE",
        "state: qualified (asha)",
        "Related leads:",
    ):
        assert words in shown
    record = json.loads(lead(reference, "--json").output)
    assert record["requests"][0]["reference"] == record["lead"] == reference
    assert record["history"][1] == {
        "at": "2026-11-18T13:00:00+05:30",
        "by": "asha",
        "set": "note",
        "to": "Wants Tamil first",
    }
    assert len(record["related"]) == 1


@sqlite_only
def test_csv_has_reference_source_figures_and_no_formula(ops, lead, store_request):
    # Source: specification V7.9, V10.12.
    journey = Journey(
        language="hi",
        consent="1",
        figures={each.name: each.initial for each in FIGURES} | {"conversations": 25_000},
        call="hi-clinic",
        campaign={"utm_source": "=1+1"},
    )
    store_request(journey=journey)
    (row,) = csv.DictReader(io.StringIO(ops("--csv").output))
    assert row["reference"] == row["id"][:8] == row["lead"]
    expected = {
        "source": "cta",
        "language": "hi",
        "consentVersion": "1",
        "consentedAt": "2026-11-18T13:00:00+05:30",
        "lastCall": "hi-clinic",
        "utm_source": "'=1+1",
        "utm_term": "",
        "conversations": "25000",
        "agents": "6",
        "estimatePlan": "TARA ENTERPRISE",
        "estimateToday": "153282",
    }
    assert {name: row[name] for name in expected} == expected
    shown = lead(row["reference"]).output
    assert "Calculator: 25,000 conversations a month, 6 agents" in shown
    assert "Consent: version 1, 18 Nov 2026, 13:00" in shown


@sqlite_only
def test_lead_refuses_an_unknown_state_and_a_long_note(lead, reference):
    assert lead(reference, "--state", "sold").exit_code == 2
    assert lead(reference, "--note", "x" * 2_001).exit_code == 2
    assert lead("priya").output.strip() == "Error: There is no demo request priya."


@sqlite_only
def test_delete_removes_every_request_of_a_lead_when_asked_for_all(
    ops, delete, store_request, reference
):
    store_request()
    store_request(email="another@company.example", phone="")
    asked = delete(reference, "--all", answer="n\n").output
    assert "Delete 2 demo requests of Priya Raman, priya@company.example?" in asked
    assert delete(reference, "--all", "--yes").exit_code == 0
    (left,) = json.loads(ops("--json").output)
    assert left["email"] == "another@company.example"


def mark_jobs_dead(services):
    asyncio.run(execute(services.database, "UPDATE outbox SET state = 'dead'"))


@sqlite_only
def test_retry_names_the_requeued_jobs(services, run, reference):
    retry = partial(run, "retry-demo-request")
    assert retry(reference).output == "There is nothing to retry.\n"
    mark_jobs_dead(services)
    assert retry(reference).output == "The server retries within seconds: mail.\n"
    mark_jobs_dead(services)
    retried = json.loads(retry(reference, "--json").output)
    assert retried == {"reference": reference, "retried": ["mail"]}
    unknown = retry("priya")
    assert (unknown.exit_code, unknown.output.strip()) == (
        1,
        "Error: There is no demo request priya.",
    )


@sqlite_only
def test_delete_removes_one_request_after_confirmation(ops, delete, store_request, reference):
    store_request(email="another@company.example")
    rejected = delete(reference, answer="n\n")
    assert rejected.exit_code == 1
    assert f"Delete {reference} of Priya Raman, priya@company.example?" in rejected.output
    assert len(json.loads(ops("--json").output)) == 2
    assert f"Deleted {reference}." in delete(reference, "--yes").output
    (left,) = json.loads(ops("--json").output)
    assert left["email"] == "another@company.example"
    assert delete(reference, "--yes").exit_code == 1
    deleted = delete(left["id"], "--yes", "--json").output
    assert json.loads(deleted) == {"deleted": left["id"]}


@sqlite_only
def test_list_shows_use_case_and_request_without_a_plan(ops, store_request):
    store_request(selectedVariant="none", useCase="=Fees\nand dates")
    assert "None of these yet" in ops().output
    (row,) = csv.DictReader(io.StringIO(ops("--csv").output))
    assert (row["selectedVariant"], row["useCase"]) == ("None of these yet", "'=Fees and dates")


@sqlite_only
def test_purge_removes_old_requests_after_confirmation(ops, purge, store_request, clock):
    store_request()
    store_request(email="another@company.example")
    clock.advance(days=181)
    rejected = purge("--older-than", "180d", answer="n\n")
    assert rejected.exit_code == 1
    assert "Delete 2 demo requests? This can't be undone." in rejected.output
    assert len(json.loads(ops("--json").output)) == 2
    result = purge("--older-than", "180d", answer="y\n")
    assert result.output.endswith("Deleted 2 demo requests.\n")
    assert json.loads(ops("--json").output) == []


@sqlite_only
def test_purge_does_not_prompt_when_no_request_is_old_enough(purge, store_request, clock):
    store_request()
    clock.advance(days=29)
    assert purge("--older-than", "30d").output == "Deleted 0 demo requests.\n"
    clock.advance(days=2)
    before = (clock.now() - span("30d")).isoformat(timespec="seconds")
    result = purge("--older-than", "30d", "--yes", "--json")
    assert json.loads(result.output) == {"before": before, "demoRequests": 1}


@sqlite_only
def test_purge_keeps_requests_for_at_least_a_month(ops, purge, store_request):
    store_request()
    for age in ("", "29d", "719h", "180", "soon", "-30d"):
        assert purge("--older-than", age, "--yes").exit_code == 2, age
    assert len(json.loads(ops("--json").output)) == 1


@sqlite_only
def test_command_reports_a_bug_in_one_line_when_its_table_is_missing(services, run):
    asyncio.run(execute(services.database, "DROP TABLE demo_requests"))
    for command, *arguments in (
        ("demo-requests",),
        ("lead", "0123abcd"),
        ("retry-demo-request", "0123abcd"),
        ("delete-demo-request", "0123abcd", "--yes"),
        ("purge-demo-requests", "--older-than", "30d"),
    ):
        result = run(command, *arguments)
        assert result.exit_code == 1
        said = "Error: A database query is wrong, which is a bug: no such table: demo_requests"
        assert result.output.strip() == said, command


@sqlite_only
def test_ops_runs_as_a_module(services, store_request):
    store_request()
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
