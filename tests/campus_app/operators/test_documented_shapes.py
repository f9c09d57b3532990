"""The JSON shapes in docs/operators.md equal the commands' output."""

import asyncio
import json
import re
import shlex
from pathlib import Path

import pytest

from campus_app.operators import menu_commands
from campus_app.operators.commands import ops
from kit.outbox.models import NewJob, enqueue
from tests.helpers.builders import RESERVED_QUANTITIES, reservation_request
from tests.helpers.databases import sqlite_only
from tests.helpers.desk import enrol_desk
from tests.helpers.settings import settings_for
from tests.helpers.tables import execute

PAGE = (Path(__file__).parents[3] / "docs" / "operators.md").read_text(encoding="utf-8")
SHAPES = {
    command: json.loads(example)
    for named, example in re.findall(
        r"^((?:`ops [^`]*--json`(?:, )?)+)[^\n]*\n\n```json\n(.*?)```",
        PAGE,
        re.MULTILINE | re.DOTALL,
    )
    for command in re.findall(r"`ops ([^`]*)`", named)
}


def shape(value):
    """Return the members and types of a JSON value; a list has the shape of its first element."""
    if isinstance(value, dict):
        return {name: shape(member) for name, member in value.items()}
    if isinstance(value, list):
        return [shape(member) for member in value[:1]]
    return "number" if type(value) in {int, float} else type(value).__name__


def test_each_command_has_a_documented_shape():
    assert {shlex.split(command)[0] for command in SHAPES} == set(ops.commands)


@pytest.fixture
def reserved(place, services, completed):
    """A paid table order with all fields that the examples show."""
    request = reservation_request()
    return completed(
        restaurant_id=2, quantities=RESERVED_QUANTITIES, reservation=request.reservation
    )


@pytest.fixture
def waiting_mail(services):
    """A mail that was refused for now."""
    job = NewJob("a key", "mail.vendor", "an order", {}, services.clock.now())
    refused = "UPDATE outbox SET last_error = 'busy' WHERE subject = 'an order'"
    asyncio.run(services.database.write(lambda connection: enqueue(connection, [job])))
    asyncio.run(execute(services.database, refused))


@sqlite_only
@pytest.mark.usefixtures("waiting_mail")
@pytest.mark.parametrize("command", SHAPES)
def test_command_output_matches_documented_shape(
    run, services, reserved, enrolled, monkeypatch, data_dir, command, tmp_path
):
    documented, device = SHAPES[command], enrolled()
    at_desk = asyncio.run(enrol_desk(services)).device
    chosen = settings_for(f"sqlite:///{tmp_path}/unused.db", tmp_path, data_dir=data_dir)
    monkeypatch.setattr(menu_commands, "settings", lambda: chosen)
    with (data_dir / "menu_1.csv").open("a") as file:
        file.write("199,Tea,,free,Hot\n")
    (data_dir / "pictured_prices.csv").write_text("restaurant_id,dish_id,price\n1,101,1.00\n")
    run("close", "3", "--message", "No gas")
    monkeypatch.chdir(tmp_path)  # where `posters` writes its file
    for example, existing in (
        ("AS_482", reserved.number),
        ("9f86d081", at_desk.id if "desk" in command else device.id),
    ):
        command = command.replace(example, existing)
    printed = run(*shlex.split(command)).json
    if "files" in printed:  # only the faulty file has all members
        printed["files"] = [file for file in printed["files"] if file["faults"]]
    if "retried" in printed:  # no job had failed
        documented = documented | {"retried": []}
    if command.startswith("available"):
        documented = documented | {"soldOut": []}
    if command.startswith("audit"):  # the example shows a closure
        assert printed["audit"][0]["action"] == "restaurant.close"
    assert shape(printed) == shape(documented)


@pytest.mark.parametrize("command", sorted(ops.commands))
def test_each_command_and_option_is_documented(command):
    assert f"`ops {command}" in PAGE
    options = [option for parameter in ops.commands[command].params for option in parameter.opts]
    assert [name for name in options if name.startswith("--") and name not in PAGE] == []


@sqlite_only
def test_finished_notification_has_done_time_and_no_next_try(run, reserved):
    (first, *_others) = run("order", reserved.number, "--json").json["notifications"]
    assert first["doneAt"]
    assert first["nextTryAt"] is None
