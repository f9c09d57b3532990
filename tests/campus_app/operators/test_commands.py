"""Every command through its entry point: output, effect and errors."""

import asyncio
import contextlib
import csv
import os
import pwd
import shutil
import sqlite3
import zipfile
from dataclasses import replace

import pytest
from sqlalchemy import text

from campus_app import wiring
from campus_app.catalogue.csv.catalogue import CsvCatalogue
from campus_app.catalogue.csv.last_good import LastGoodCopies
from campus_app.migrate import upgrade
from campus_app.operators import entry, menu_commands
from campus_app.ordering.rules.cooking import CookingState
from campus_app.ordering.rules.errors import ProviderRejected, ProviderUnavailable
from campus_app.ordering.rules.instructions import Instructions
from campus_app.ordering.rules.payment import PaymentState
from campus_app.shared import current
from campus_app.shared.migrations import VERSIONS
from campus_app.shared.rules.constants import UNSEEN_SECONDS
from campus_app.shared.rules.money import format_rupees, json_number
from kit.db.schema_version import newest_revision
from tests.helpers.builders import RESERVED_QUANTITIES
from tests.helpers.databases import sqlite_only
from tests.helpers.flows import calls, drain, mails, press
from tests.helpers.kitchens import enrol
from tests.helpers.providers import ScriptedProvider
from tests.helpers.qr_codes import read_terminal_qr_code
from tests.helpers.settings import ORIGIN, settings_for
from tests.helpers.tables import execute

ME = pwd.getpwuid(os.getuid()).pw_name


def audit(run):
    lines = run("audit", "--json").json["audit"]
    return [(line["actor"], line["action"], line["subject"]) for line in lines]


# Restaurants


@sqlite_only
def test_restaurants_lists_each_state(run):
    done = run("restaurants")
    assert done.code == 0
    for word in ("Pehla Food Point", "Kulhad Café", "OPEN", "CLOSED", "10:30-20:30"):
        assert word in done.out


@sqlite_only
def test_restaurants_names_an_override_only_where_there_is_one(run):
    run("close", "3")
    lines = {line.split()[0]: line for line in run("restaurants").out.splitlines()[1:] if line}
    assert " closed " in lines["3"]
    assert [id_ for id_, line in lines.items() if " closed " in line or " on " in line] == ["3"]


def test_close_and_open_change_state_and_write_audit(run):
    closed = run("close", "3", "--message", "No  gas\nuntil six")
    assert (closed.code, closed.err) == (0, "")
    assert closed.out.splitlines() == [
        "Dosa Depot is DELIVERY UNAVAILABLE (No gas until six).",
        "It is in the database: a server that runs shows it to all pages within a second.",
    ]
    listed = {each["id"]: each for each in run("restaurants", "--json").json["restaurants"]}
    assert (listed[3]["isOpen"], listed[3]["message"]) == (False, "No gas until six")
    assert run("open", "3").out.startswith("Dosa Depot is OPEN.")
    assert audit(run) == [
        (ME, "restaurant.open", "restaurant 3"),
        (ME, "restaurant.close", "restaurant 3"),
    ]


@sqlite_only
def test_message_is_escaped_for_the_terminal(run):
    run("close", "3", "--message", "[red]gas[/red] :fire: ☹ \x1b[2J")
    shown = run("restaurants").out
    assert "[red]gas[/red] :fire: ☹ [2J" in shown.replace("\n", " ")
    assert "\x1b" not in shown


def test_close_for_a_time_keeps_its_end_when_it_has_a_message(run, clock):
    # Source: specification 10.21.
    done = run("close", "3", "--for", "30m", "--json")
    assert (done.json["message"], done.json["state"]) == ("Back at 13:30", "DELIVERY UNAVAILABLE")
    done = run("close", "3", "--for", "30m", "--message", "No gas")
    assert "No gas · Back at 13:30" in done.out
    assert "Back at 13:30" in run("restaurants").out.replace("\n", " ")
    clock.advance(minutes=30)
    assert "Back at" not in run("restaurants").out


def test_dish_is_sold_out_and_available_again(run):
    # Source: specification 10.20.
    done = run("sold-out", "1", "104")
    assert (done.code, done.out.splitlines()[0]) == (0, "Sold out: Rajma Chawal.")
    assert run("available", "1", "104").out.splitlines()[0] == "Sold out: nothing."
    assert [action for _, action, _ in audit(run)] == ["dish.available", "dish.sold_out"]


@sqlite_only
def test_sold_out_fails_when_menu_cannot_be_read(run, monkeypatch, new_services, data_dir):
    (data_dir / "menu_1.csv").unlink()
    services = new_services(data_dir=data_dir)
    monkeypatch.setattr(current, "services", lambda: services)
    done = run("sold-out", "1", "104")
    assert (done.code, done.err) == (1, "ops: Failed to load menu (Status: 404)\n")


# Orders


@sqlite_only
def test_orders_lists_no_customer_names(run, completed, place):
    order, unpaid = completed(), place().order
    done = run("orders")
    assert done.code == 0
    for word in (order.number, unpaid.number, "confirmed", "pending", "2 orders"):
        assert word in done.out
    assert format_rupees(order.bill.grand_total) in done.out
    assert "Aarav" not in done.out + run("orders", "--json").out


def test_orders_filters_by_state(run, completed, place, services):
    order, unpaid = completed(), place().order

    def found(*words):
        answer = run("orders", "--json", *words).json
        assert answer["total"] == len(answer["orders"])
        return [line["key"] for line in answer["orders"]]

    assert found("--unpaid") == [unpaid.id]
    assert found("--refund") == found("--paid-late") == found("--failed-notifications") == []
    asyncio.run(execute(services.database, "UPDATE outbox SET state = 'dead'"))
    assert found("--failed-notifications") == [order.id]


def test_orders_lists_unseen_orders(run, completed, enrolled, clock):
    # Source: specification 10.29.
    completed()
    enrolled(2)
    order = completed(restaurant_id=2, quantities=RESERVED_QUANTITIES)
    clock.advance(minutes=5)
    assert [each["key"] for each in run("orders", "--unseen", "--json").json["orders"]] == [
        order.id
    ]
    assert "1 order" in run("orders", "--unseen").out


def test_orders_filters_by_time_and_limit(run, place, clock):
    for _ in range(3):
        place()
        clock.advance(hours=1)
    assert run("orders", "--since", "90m", "--json").json["total"] == 1
    assert run("orders", "--since", "2026-11-18T14:00", "--json").json["total"] == 2
    assert run("orders", "--since", "2026-11-19", "--json").json["orders"] == []
    some = run("orders", "--limit", "2", "--json").json
    assert (len(some["orders"]), some["total"]) == (2, 3)
    assert "3 orders, the 2 newest shown" in run("orders", "--limit", "2").out


# The account of a day. Source: specification 10.22.


def test_day_sheet_shows_paid_orders_and_sums(run, completed, place):
    order, unpaid = completed(), place(note="unpaid").order
    done = run("day-sheet")
    for word in (order.number, format_rupees(order.bill.remaining), "18 Nov 2026", "1 paid order"):
        assert word in done.out
    assert unpaid.number not in done.out
    assert "Aarav" not in done.out
    sums = run("day-sheet", "--restaurant", "1", "--json").json["sums"]
    assert sums["paid"] == json_number(order.bill.online)
    assert run("day-sheet", "--date", "2026-11-17", "--json").json["orders"] == []


@sqlite_only
def test_day_sheet_writes_files_for_spreadsheets(run, completed, services, tmp_path):
    order = completed()
    asyncio.run(execute(services.database, "UPDATE orders SET restaurant_name = '=1+1'"))
    csv_file, workbook = tmp_path / "day.csv", tmp_path / "day.xlsx"
    assert run("day-sheet", "--csv", str(csv_file), "--xlsx", str(workbook)).code == 0
    header, line, sums = csv.reader(csv_file.read_text(encoding="utf-8-sig").splitlines())
    assert header[:2] == ["Order", "Restaurant"]
    assert line[:4] == [order.number, "'=1+1", "2026-11-18 13:00", "confirmed"]
    assert [line[6], line[7]] == [f"{order.bill.online:.2f}", f"{order.bill.remaining:.2f}"]
    assert sums[5:] == line[5:]
    with zipfile.ZipFile(workbook) as book:
        page = book.read("xl/worksheets/sheet1.xml").decode()
        texts = book.read("xl/sharedStrings.xml").decode()
    assert "<f>" not in page
    assert "'=1+1" in texts
    assert f"<v>{json_number(order.bill.online)}</v>" in page


@sqlite_only
def test_day_sheet_names_a_file_that_cannot_be_written(run):
    done = run("day-sheet", "--csv", "/no/such/folder/day.csv")
    assert (done.code, done.out) == (1, "")
    assert done.err.startswith("ops: ")
    assert done.err.count("\n") == 1


def test_order_shows_all_details_and_writes_audit(run, completed):
    order = completed(instructions=Instructions("Less spice", "Ring at the gate", no_cutlery=True))
    done = run("order", order.number)
    assert done.code == 0
    for word in (
        order.id,
        "Aarav Sharma",
        "+91 98000 00001",
        "Less spice",
        "Ring at the gate",
        "Cutlery",
        order.lines[0].name,
        "mail.customer",
        "call.vendor",
        "order.show",
        "paid",
        format_rupees(order.bill.remaining),
    ):
        assert word in done.out
    (line,) = run("audit", "--json").json["audit"]
    assert (line["actor"], line["action"], line["subject"]) == (ME, "order.show", order.id)
    assert line["details"] == {"number": order.number}
    for name in (order.id, order.number.lower()):
        assert run("order", name, "--json").json["orderId"] == order.number


@sqlite_only
def test_order_says_how_far_the_kitchen_is(run, completed, enrolled, services):
    order, device = completed(), enrolled()
    assert run("order", order.number, "--json").json["cooking"] == {
        "state": "sent",
        "seenAt": None,
        "changedAt": None,
    }
    asyncio.run(press_ready(services, device, order))
    cooking = run("order", order.number, "--json").json["cooking"]
    assert (cooking["state"], cooking["seenAt"]) == ("ready", cooking["changedAt"])
    shown = run("order", order.number).out
    assert "ready" in shown[shown.index("Kitchen") :]


async def press_ready(services, device, order):
    states = {"saw": CookingState.SENT, "target": CookingState.READY}
    await services.kitchen_boards.press(device, "0123456789abcdef", order.id, **states)


@pytest.mark.parametrize("contact", ["098000-00001", "AARAV@students.example"])
def test_order_lists_those_of_a_phone_number_or_email(run, completed, place, contact):
    numbers = {completed().number, place().order.number}
    found = run("order", contact, "--json").json
    assert {each["orderId"] for each in found["orders"]} == numbers
    shown = run("order", contact).out
    assert all(number in shown for number in numbers)
    (line, *_others) = run("audit", "--json").json["audit"]
    assert (line["action"], line["details"]) == ("orders.find", {"found": "2"})
    unknown = run("order", "nobody@students.example", "--json").json
    assert unknown["error"]["code"] == "unknown_order"


def test_retry_notifications_requeues_dead_jobs(run, completed, services):
    order = completed()
    assert run("retry-notifications", order.number).out == "There is nothing to retry.\n"
    assert asyncio.run(drain(services)) == 0
    asyncio.run(
        execute(services.database, "UPDATE outbox SET state = 'dead' WHERE topic LIKE 'mail%'")
    )
    done = run("retry-notifications", order.number)
    assert done.out == "The server retries within seconds: mail.customer, mail.vendor.\n"
    assert asyncio.run(drain(services)) == 2
    assert sorted(mails(services)) == ["mail.customer", "mail.vendor"]
    assert len(calls(services)) == 1
    assert audit(run) == [(ME, "notifications.retry", order.id)] * 2
    entries = run("audit", "--json").json["audit"]
    assert [entry["details"]["notifications"] for entry in entries] == [
        "mail.customer, mail.vendor",
        "none",
    ]


# Mails and purging


def test_mail_lists_waiting_and_given_up_mails_by_reason(run, completed, services):
    # Source: specification C1.20.
    assert run("mail", "--json").json == {"mails": []}
    completed()
    for topic, state, reason in [
        ("mail.vendor", "ready", "the mail server answered 450 4.2.0 to RCPT"),
        ("mail.customer", "dead", "the mail server answered 550 5.1.1 to RCPT"),
    ]:
        statement = "UPDATE outbox SET state = :state, last_error = :reason WHERE topic = :topic"
        asyncio.run(execute(services.database, statement, state=state, reason=reason, topic=topic))
    given_up, waiting = run("mail", "--json").json["mails"]
    assert (given_up["topic"], given_up["isWaiting"], given_up["nextTryAt"]) == (
        "mail.customer",
        False,
        None,
    )
    assert (waiting["topic"], waiting["isWaiting"], waiting["count"]) == ("mail.vendor", True, 1)
    assert waiting["reason"] == "the mail server answered 450 4.2.0 to RCPT"
    table = run("mail").out
    assert "given up" in table
    assert "450 4.2.0 to RCPT" in table


def test_retry_mail_counts_waiting_mails_and_writes_audit(run, completed, services):
    assert run("retry-mail").out == "The server retries 0 e-mails within seconds.\n"
    completed()
    asyncio.run(
        execute(
            services.database,
            "UPDATE outbox SET state = 'ready', run_at_ms = run_at_ms + 300000, "
            "last_error = 'channel down: cut' WHERE topic = 'mail.vendor'",
        )
    )
    assert run("retry-mail", "--json").json == {"waiting": 1}
    assert audit(run) == [(ME, "mail.retry", "mails")] * 2


def test_purge_removes_old_orders_after_confirmation(run, completed, place, clock):
    order = completed()
    clock.advance(days=200)
    place()
    assert run("purge", "--older-than", "180d", answer="").code == 1
    rejected = run("purge", "--older-than", "180d", answer="n\n")
    assert (rejected.code, rejected.out) == (1, "")
    assert "Delete the personal data of 1 order? This can't be undone. [y/N]" in rejected.err
    assert rejected.err.splitlines()[-1] == "ops: Not confirmed: nothing was changed."
    assert run("order", order.id, "--json").json["userDetails"]["fullName"] == "Aarav Sharma"

    done = run("purge", "--older-than", "180d", answer="y\n")
    assert (done.code, done.out) == (0, "Deleted the personal data of 1 order.\n")
    shown = run("order", order.id, "--json").json
    assert set(shown["userDetails"].values()) == {""}
    assert shown["payment"]["paid"] == shown["bill"]["preOrderPayment"] > 0
    assert "deleted" in run("order", order.id).out
    answer = run("retry-notifications", order.number)
    assert (answer.code, answer.err) == (1, "ops: The personal data of this order was deleted.\n")


@sqlite_only
def test_purge_asks_nothing_with_yes_or_when_nothing_matches(run, place, clock):
    assert run("purge", "--older-than", "1d").out == "Deleted the personal data of 0 orders.\n"
    place()
    clock.advance(days=2)
    done = run("purge", "--older-than", "1d", "--yes", "--json")
    assert (done.code, done.json["orders"]) == (0, 1)
    assert "1/1" in done.err


# Menus


@pytest.fixture
def menus(monkeypatch, data_dir, tmp_path):
    """A data folder that a test may break, as configured in the settings."""
    chosen = settings_for(f"sqlite:///{tmp_path}/unused.db", tmp_path, data_dir=data_dir)
    monkeypatch.setattr(menu_commands, "settings", lambda: chosen)
    return data_dir


@sqlite_only
def test_check_menus_reports_no_faults_when_valid(run, menus):
    done = run("check-menus")
    assert (done.code, done.out[:9], done.out[-10:]) == (0, "12 files,", " 0 faults\n")
    assert run("check-menus", "--json").json["faults"] == 0


@sqlite_only
def test_check_menus_names_the_fault_and_exits_with_1(run, menus):
    with (menus / "menu_3.csv").open("a") as file:
        file.write("399,Tea,,[red]free,Hot\n")
    done = run("check-menus")
    assert done.code == 1
    (line,) = [line for line in done.out.splitlines() if "menu_3.csv" in line]
    assert "price" in line
    assert "'[red]free' is not an amount" in line
    answer = run("check-menus", "--json")
    assert answer.code == 1
    (faulty,) = [file for file in answer.json["files"] if file["faults"]]
    assert (faulty["file"], faulty["faults"][0]["column"]) == ("menu_3.csv", "price")


@sqlite_only
def test_check_menus_names_a_faulty_fact_about_tara(run, menus):
    with (menus / "tara_facts.csv").open("a", encoding="utf-8") as file:
        file.write("notice,30 days,30 दिन,\nhosting,In Mumbai,,\n")
    done = run("check-menus")
    assert done.code == 1
    lines = [line.split() for line in done.out.splitlines() if "tara_facts.csv" in line]
    assert [(line[1], line[2]) for line in lines] == [("15", "fact"), ("16", "fact")]


@sqlite_only
def test_check_menus_needs_no_facts_about_tara(run, menus):
    (menus / "tara_facts.csv").unlink()
    assert run("check-menus").out.startswith("11 files,")


@sqlite_only
def test_check_menus_works_without_database_when_restaurants_are_broken(menus, monkeypatch, run):
    (menus / "restaurants.csv").write_text("nothing\n")
    shutil.rmtree(menu_commands.settings().last_good_dir, ignore_errors=True)
    monkeypatch.setattr(current, "services", lambda: wiring.build(menu_commands.settings()))
    assert run("check-menus").code == 1
    done = run("restaurants")
    assert (done.code, done.out) == (1, "")
    (line,) = done.err.splitlines()
    assert line.startswith("ops: ")
    assert line.endswith("(see: ops check-menus)")


@sqlite_only
def test_check_menus_needs_no_database(run, menus, monkeypatch, tmp_path):
    built = wiring.build(settings_for(f"sqlite:///{tmp_path}", tmp_path, data_dir=menus))
    monkeypatch.setattr(current, "services", lambda: built)
    done = run("check-menus")
    built.close()
    assert (done.code, done.out[:9]) == (0, "12 files,")


@sqlite_only
def test_broken_menu_is_one_fault_that_names_its_last_good_copy(run, menus):
    chosen = menu_commands.settings()
    CsvCatalogue(menus, last_good=LastGoodCopies(chosen.last_good_dir)).menu(3)
    (menus / "menu_3.csv").write_bytes(b"")
    done = run("check-menus", "--json")
    assert (done.code, done.json["faults"]) == (1, 1)
    (faulty,) = [file for file in done.json["files"] if file["faults"]]
    assert "the file is empty; the last good copy, of " in faulty["faults"][0]["reason"]


# The desk. Source: specification 11.1.


def test_desk_link_opens_the_desk_of_its_person(run, services):
    made = run("desk-link", "--role", "support", "--name", "Asha", "--json").json
    origin, _, token = made["url"].rpartition("/desk/")
    assert (origin, made["expiresAt"]) == (ORIGIN, "2026-11-18T14:00:00+05:30")
    device = asyncio.run(services.desk_devices.enrol(token)).device
    (listed,) = run("desk-devices", "--json").json["devices"]
    assert (listed["id"], listed["name"], listed["role"]) == (device.id, "Asha", "support")
    assert run("revoke-desk-device", device.id, "--json").json["revoked"]
    assert run("desk-devices", "--json").json == {"devices": []}


@pytest.mark.parametrize("words", [["--role", "cook", "--name", "A"], ["--role", "owner"], []])
def test_desk_link_needs_a_role_and_a_name(run, words):
    assert run("desk-link", *words).code == 2


# Kitchen boards. Source: specification 10.24.


def test_kitchen_link_enrols_one_device_and_writes_audit(run, services, clock):
    made = run("kitchen-link", "2", "--json").json
    origin, _, token = made["url"].rpartition("/kitchen/")
    assert (origin, made["expiresAt"]) == (ORIGIN, "2026-11-19T13:00:00+05:30")
    enrolment = asyncio.run(services.kitchen_devices.enrol(token))
    clock.advance(hours=2)
    asyncio.run(services.kitchen_devices.device_of(enrolment.token))
    device = {
        "id": enrolment.device.id,
        "restaurantId": 2,
        "restaurantName": "Kulhad Café",
        "enrolledAt": "2026-11-18T13:00:00+05:30",
        "lastUsedAt": "2026-11-18T15:00:00+05:30",
    }
    assert run("kitchen-devices", "--json").json == {"devices": [device]}
    assert audit(run) == [
        (f"kitchen device {device['id']}", "kitchen.enrol", "restaurant 2"),
        (ME, "kitchen.link", "restaurant 2"),
    ]
    assert device["id"] in run("audit").out
    assert token not in run("audit", "--json").out


@sqlite_only
def test_kitchen_link_prints_a_readable_qr_code(run):
    url, expiry, *code = run("kitchen-link", "1").out.splitlines()
    assert read_terminal_qr_code("\n".join(code)) == url
    assert expiry == "It works for one device, until 19 Nov 2026 13:00:00."


@sqlite_only
def test_kitchen_link_qr_code_sets_both_colors_on_a_terminal(run, monkeypatch):
    for name, value in {"FORCE_COLOR": "1", "COLORTERM": "truecolor", "COLUMNS": "20"}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.delenv("NO_COLOR", raising=False)
    url, _expiry, *code = run("kitchen-link", "1").out.splitlines()
    white_on_black, reset = "\x1b[38;2;255;255;255;48;2;0;0;0m", "\x1b[0m"
    assert {line.startswith(white_on_black) and line.endswith(reset) for line in code} == {True}
    blocks = [line.removeprefix(white_on_black).removesuffix(reset) for line in code]
    assert read_terminal_qr_code("\n".join(blocks)) == url


def test_kitchen_devices_lists_those_of_one_restaurant(run, enrolled):
    first, other = enrolled(1), enrolled(2)
    assert [each["id"] for each in run("kitchen-devices", "2", "--json").json["devices"]] == [
        other.id
    ]
    shown = run("kitchen-devices").out
    for word in (first.id, other.id, "Kulhad Café", "18 Nov 2026 13:00:00", "2 devices"):
        assert word in shown
    assert "0 devices" in run("kitchen-devices", "3").out


def test_revoked_kitchen_device_is_not_listed_or_recognised(run, services):
    enrolment = asyncio.run(enrol(services))
    device = enrolment.device.id
    assert run("revoke-kitchen-device", device).out == f"The device {device} is revoked.\n"
    assert run("kitchen-devices", "--json").json == {"devices": []}
    assert asyncio.run(services.kitchen_devices.device_of(enrolment.token)) is None
    assert audit(run)[0] == (ME, "kitchen.revoke", f"device {device}")
    repeated = run("revoke-kitchen-device", device)
    assert (repeated.code, repeated.err) == (1, "ops: There is no such device.\n")


# Names that nothing has

RESTAURANT = ("unknown_restaurant", "There is no such restaurant.")
ORDER = ("unknown_order", "There is no such order.")
DEVICE = ("unknown_device", "There is no such device.")


@sqlite_only
@pytest.mark.parametrize(
    ("words", "error"),
    [
        (["close", "9" * 30], RESTAURANT),
        (["open", "9"], RESTAURANT),
        (["sold-out", "9", "104"], RESTAURANT),
        (["day-sheet", "--restaurant", "9"], RESTAURANT),
        (["sold-out", "1", "999"], ("unknown_item", "There is no such dish on this menu.")),
        (["kitchen-link", "9"], RESTAURANT),
        (["kitchen-devices", "9"], RESTAURANT),
        (["order", "AS_101"], ORDER),
        (["order", "x\0" + "0" * 5_000], ORDER),
        (["retry-notifications", "' OR 1=1 --"], ORDER),
        (["revoke-kitchen-device", "00000000"], DEVICE),
        (["revoke-kitchen-device", "\udcff"], DEVICE),
    ],
)
def test_unknown_name_is_reported_in_one_line(run, words, error):
    code, message = error
    done = run(*words)
    assert (done.code, done.out, done.err) == (1, "", f"ops: {message}\n")
    done = run(*words, "--json")
    assert (done.code, done.err) == (1, "")
    assert done.json == {"error": {"code": code, "message": message}}
    assert audit(run) == []


# The audit


def test_audit_filters_by_time_and_limit(run, clock):
    run("close", "3", "--message", "No gas")
    clock.advance(hours=2)
    run("open", "3")
    assert [action for _, action, _ in audit(run)] == ["restaurant.open", "restaurant.close"]
    assert len(run("audit", "--since", "1h", "--json").json["audit"]) == 1
    assert len(run("audit", "--limit", "1", "--json").json["audit"]) == 1
    for word in (ME, "restaurant.close", "restaurant 3", "message: No gas", "18 Nov 2026 13:00:00"):
        assert word in run("audit").out


@sqlite_only
def test_operator_is_the_system_user_whatever_the_environment_says(run, monkeypatch):
    for name in ("USER", "LOGNAME", "USERNAME"):
        monkeypatch.setenv(name, "somebody else")
    run("close", "3")
    assert audit(run)[0][0] == ME


def test_operator_is_named_by_uid_when_user_has_no_name(monkeypatch):
    monkeypatch.setattr(os, "getuid", lambda: 4_000_000)
    assert entry.operator().name == "user 4000000"


# Invalid usage


@sqlite_only
@pytest.mark.parametrize(
    "words",
    [
        "nonsense",
        "restaurants --nonsense",
        "close",
        "close 0",
        "close 3 --for 25h",
        "close 3 --for 0m",
        "close 3 --for soon",
        "day-sheet --restaurant x",
        "day-sheet --date yesterday",
        "orders --since soon",
        "orders --since 2026-02-30",
        "orders --limit 0",
        "orders --unpaid --refund",
        "purge --yes",
        "purge --older-than 180",
        "purge --older-than 0d",
        "purge --older-than 23h",
        "purge --older-than 180d;id",
        "kitchen-link 0",
    ],
)
def test_invalid_usage_is_reported_in_one_line_with_exit_code_2(run, words):
    done = run(*words.split())
    assert (done.code, done.out) == (2, "")
    (line,) = done.err.splitlines()
    assert line.startswith("ops: ")
    as_json = run(*words.split(), "--json")
    assert (as_json.code, as_json.json["error"]["code"]) == (2, "usage")


@sqlite_only
def test_usage_error_contains_no_terminal_control_characters(run):
    done = run("close", "3", "\x1b[2Jnonsense\u202e")
    assert done.code == 2
    assert done.err.removesuffix("\n").isprintable()


@sqlite_only
def test_close_rejects_message_that_is_too_long(run):
    done = run("close", "3", "--message", "x" * 201)
    assert done.code == 2
    assert "Please shorten the message to 200 characters." in done.err
    assert run("close", "3", "--message", "x" * 200).code == 0
    assert run("close", "3", "--json").json["message"] == "Temporarily Closed"


# Database errors


@sqlite_only
@pytest.mark.parametrize(
    ("url", "said"),
    [
        pytest.param(
            "sqlite:///{folder}",
            "The database can't be used now (unable to open database file). Please try again",
            id="a folder",
        ),
        pytest.param(
            "sqlite:///{folder}/new.db",
            "The database schema is outdated: it is at revision none, this release needs ",
            id="never migrated",
        ),
        pytest.param(
            "postgresql+psycopg://nobody@127.0.0.1:1/none",
            "The database can't be used now (connection failed: ",
            id="closed port",
        ),
        pytest.param(
            "postgresql+psycopg://nobody@127.0.0.1:1/none?sslmod=x",
            'The database can\'t be used now (invalid connection option "sslmod").',
            id="unknown option",
        ),
    ],
)
def test_unavailable_database_is_reported_in_one_line(run, monkeypatch, tmp_path, url, said):
    chosen = settings_for(url.format(folder=tmp_path), tmp_path)
    built = wiring.build(chosen)
    monkeypatch.setattr(current, "services", lambda: built)
    done = run("restaurants")
    built.close()
    assert (done.code, done.out) == (1, "")
    (line,) = done.err.splitlines()
    assert line.startswith(f"ops: {said}")


def test_command_names_both_revisions_when_database_is_behind(
    run, monkeypatch, tmp_path, postgres, database_url
):
    with contextlib.ExitStack() as stack:
        if database_url.startswith("sqlite"):
            url = f"sqlite:///{tmp_path}/behind.db"
        else:
            url = stack.enter_context(postgres.empty_database())
        upgrade(url)
        built = wiring.build(settings_for(url, tmp_path))
        stack.callback(built.close)
        asyncio.run(built.database.execute(text("UPDATE alembic_version SET version_num = '0000'")))
        monkeypatch.setattr(current, "services", lambda: built)
        done = run("orders")
    assert (done.code, done.out) == (1, "")
    assert done.err == (
        "ops: The database schema is outdated: it is at revision 0000, this release needs"
        f" {newest_revision(VERSIONS)}. Please run: make migrate\n"
    )


def test_command_reports_a_bug_when_a_table_is_missing(run, services):
    asyncio.run(services.database.execute(text("DROP TABLE audit")))
    done = run("audit")
    assert (done.code, done.out) == (1, "")
    assert done.err.splitlines()[-1].startswith("ops: A database query is wrong, which is a bug: ")
    assert "can't be used" not in done.err


@sqlite_only
def test_locked_database_is_reported_in_one_line(run, services, monkeypatch, database_url):
    monkeypatch.setattr("kit.db.engine._SQLITE_BUSY_TIMEOUT_SECONDS", 0.05)
    other = sqlite3.connect(database_url.removeprefix("sqlite:///"), isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    built = wiring.build(services.settings, services.clock)
    monkeypatch.setattr(current, "services", lambda: built)
    done = run("close", "3")
    other.close()
    built.close()
    assert done.code == 1
    assert done.err == (
        "ops: The database can't be used now (database is locked). Please look at what was changed"
        " before you try again.\n"
    )


# Refunds


@pytest.fixture
def late(place, services, clock):
    """An order paid after it had expired."""
    stored = place()

    async def pay_late():
        await services.checkouts.open(stored)
        await press(services, stored)
        await services.payments.orders.transition(stored.payment, PaymentState.EXPIRED, "")
        await services.payments.reconcile(stored.payment)

    asyncio.run(pay_late())
    return stored.order


def to_refund(run):
    return [line["key"] for line in run("orders", "--refund", "--json").json["orders"]]


def test_refund_sends_due_money_and_clears_it_from_list(run, late):
    assert to_refund(run) == [late.id]
    done = run("refund", late.number)
    assert (done.code, done.err) == (0, "")
    for word in (late.number, "done", format_rupees(late.bill.online), "had lapsed"):
        assert word in done.out
    assert to_refund(run) == []
    assert audit(run)[0] == (ME, "order.refund", late.id)
    first, again = (run("refund", late.number, "--json").json for _ in range(2))
    assert first == again
    shown = run("order", late.number, "--json").json
    assert [refund["state"] for refund in shown["refunds"]] == ["done"]
    assert "done" in run("order", late.number).out


@sqlite_only
def test_refund_of_confirmed_order_requires_force(run, completed):
    order = completed()
    rejected = run("refund", order.number)
    assert (rejected.code, rejected.out) == (1, "")
    assert "--force" in rejected.err
    done = run("refund", order.number, "--force", "--yes", "--json")
    assert done.json["refunds"][0]["state"] == "done"
    assert run("order", order.number, "--json").json["state"] == "refund_due"


@sqlite_only
def test_refund_of_confirmed_order_asks_for_confirmation(run, completed):
    order = completed()
    amount = format_rupees(order.bill.online)
    for answer in ("n\n", ""):
        rejected = run("refund", order.number, "--force", answer=answer)
        assert (rejected.code, rejected.out) == (1, "")
        assert f"Order {order.number} is confirmed. Cancel it and refund {amount}?" in rejected.err
        assert rejected.err.endswith("ops: Not confirmed: nothing was changed.\n")
    assert run("order", order.number, "--json").json["state"] == "confirmed"
    assert run("refund", order.number, "--force", answer="y\n").code == 0
    again = run("refund", order.number, "--force")
    assert (again.code, "confirmed" in again.err) == (0, False)


@sqlite_only
def test_refund_of_a_part_asks_and_says_what_is_left(run, completed):
    order = completed()
    online = order.bill.online
    refused = run("refund", order.number, "--part", "10", answer="n\n")
    assert (
        f"Give back ₹10 of {order.number}? {format_rupees(online)} of its payment is left."
        in refused.err
    )
    assert run("refund", order.number, "--part", "10", answer="y\n").code == 0
    again = run("refund", order.number, "--part", "2.50", answer="n\n")
    assert f"{format_rupees(online - 10)} of its payment is left." in again.err
    shown = run("order", order.number, "--json").json
    assert (shown["state"], [each["amount"] for each in shown["refunds"]]) == ("confirmed", [10])
    for wrong in (("--part", "free"), ("--part", "-1"), ("--part", "1", "--force")):
        assert run("refund", order.number, *wrong).code == 2


@sqlite_only
def test_today_lists_what_needs_somebody_until_it_is_settled(run, completed, services, clock):
    assert run("today").out == "Nobody is needed.\n"
    asyncio.run(enrol(services))
    order = completed()
    clock.advance(seconds=UNSEEN_SECONDS)
    assert f"{order.restaurant_name} has not seen {order.number}" in run("today").out
    settled = ("settle", order.number, "unseen", "--note", "Phoned the kitchen")
    assert run(*settled).out == "Settled. It needs nobody any more.\n"
    assert run(*settled, "--json").json == {"orderId": order.number, "settled": False}
    assert run("today", "--json").json == {"lines": []}
    assert audit(run)[0] == (ME, "order.settle", order.id)
    for wrong in (("refund", "--note", "x"), ("unseen",), ("unseen", "--note", "")):
        assert run("settle", order.number, *wrong).code != 0


@sqlite_only
def test_refund_fails_when_order_is_not_paid(run, place):
    done = run("refund", place().order.number, "--force")
    assert (done.code, done.err) == (1, "ops: Nothing was paid for this order.\n")
    assert run("refund", "AS_999999", "--json").json["error"]["code"] == "unknown_order"


@sqlite_only
@pytest.mark.parametrize(
    ("change", "code"),
    [("paid_currency = 'USD'", "other_currency"), ("paid_paise = NULL", "amount_unknown")],
)
def test_refund_fails_when_currency_or_amount_is_unknown(run, late, services, change, code):
    asyncio.run(execute(services.database, f"UPDATE payments SET {change}"))
    assert run("refund", late.number, "--json").json["error"]["code"] == code
    assert to_refund(run) == [late.id]


@sqlite_only
@pytest.mark.parametrize(
    ("error", "code", "state"),
    [
        (ProviderUnavailable("away"), "provider_unavailable", "asked"),
        (ProviderRejected("no"), "provider_refused", "due"),
    ],
)
def test_refund_stays_pending_when_provider_fails(
    run, late, services, monkeypatch, error, code, state
):
    provider = ScriptedProvider()
    provider.error = error
    refunds = replace(services.payments.refunds, provider=provider)
    operations = replace(services.operations, refunds=refunds)
    working = current.services
    monkeypatch.setattr(current, "services", lambda: replace(services, operations=operations))
    assert run("refund", late.number, "--json").json["error"]["code"] == code
    assert "provider" in run("refund", late.number).err
    monkeypatch.setattr(current, "services", working)
    (refund,) = run("order", late.number, "--json").json["refunds"]
    assert refund["state"] == state
    assert to_refund(run) == [late.id]
    assert run("refund", late.number, "--json").json["refunds"][0]["state"] == "done"
