"""The figures as files, over HTTP. Source: specification 13.6."""

import csv
import io
import zipfile

import pytest

from campus_app.operators.rules.desk import DeskRole
from tests.helpers.builders import order_request
from tests.helpers.databases import sqlite_only
from tests.helpers.desk import cookie_of, enrol_desk
from tests.helpers.flows import pay
from tests.helpers.kitchens import enrol
from tests.helpers.tables import execute

pytestmark = [pytest.mark.anyio, sqlite_only]

CSV, XLSX = "/api/desk/figures.csv", "/api/desk/figures.xlsx"


async def test_files_have_the_figures_and_no_formula(api, services):
    stored = await pay(services, await services.ordering.prepare(order_request()))
    await execute(services.database, "UPDATE orders SET restaurant_name = '=1+1'")
    headers = {"cookie": cookie_of(await enrol_desk(services))}
    answer = await api.get(CSV, headers=headers)
    assert answer.headers["cache-control"] == "no-store"
    assert "figures-2026-11-12-2026-11-18.csv" in answer.headers["content-disposition"]
    rows = list(csv.reader(io.StringIO(answer.content.decode("utf-8-sig"))))
    bill = stored.order.bill
    assert ["2026-11-12 – 2026-11-18", "1", *[f"{bill.grand_total:.2f}"]] == rows[2][:3]
    assert any(row[:1] == ["'=1+1"] for row in rows)
    answer = await api.get(XLSX, headers=headers, params={"first": "2026-11-18"})
    with zipfile.ZipFile(io.BytesIO(answer.content)) as book:
        pages = [book.read(name).decode() for name in book.namelist() if "/sheet" in name]
    assert pages
    assert all("<f>" not in page for page in pages)


async def test_files_are_for_owners_alone(api, services):
    kitchen = await enrol(services)
    others = [await enrol_desk(services, role) for role in (DeskRole.SUPPORT, DeskRole.SALES)]
    for cookie in (f"deskDevice={kitchen.token}", "deskDevice=x", "", *map(cookie_of, others)):
        for path in (CSV, XLSX):
            answer = await api.get(path, headers={"cookie": cookie})
            assert (answer.status_code, answer.content) == (403, b"")


async def test_unknown_file_is_refused(api, services):
    headers = {"cookie": cookie_of(await enrol_desk(services))}
    assert (await api.get("/api/desk/figures.pdf", headers=headers)).status_code in {400, 404, 422}
