"""`ops menu-source`, and what `ops check-menus` says of the desk. Source: specification 12.10."""

import asyncio

import pytest

from campus_app.catalogue.csv.menu_tables import rows_of_csv
from campus_app.operators import menu_commands
from campus_app.shared.rules.audit import Actor
from tests.helpers.databases import sqlite_only
from tests.helpers.settings import settings_for

pytestmark = sqlite_only


@pytest.fixture
def published(services):
    """A menu of restaurant 3 that was published at the desk, on which a dish is dearer."""
    versions = services.menu_versions
    current = versions.current(3)
    rows = [
        row | {"price": "99" if row["id"] == "310" else row["price"]}
        for row in rows_of_csv(current.content)
    ]
    asyncio.run(versions.publish(3, rows, current.base, note="Monsoon", by=Actor("Asha")))
    return versions


def sources(run, *words):
    done = run("menu-source", *words, "--json")
    assert done.code == 0, done.out
    return [(each["restaurantId"], each["source"], each["version"]) for each in done.json["menus"]]


def test_menu_source_lists_files_when_nothing_is_published(run):
    assert sources(run) == [(id_, "file", 0) for id_ in range(1, 9)]
    assert "Dosa" in run("menu-source", "3").out


def test_menu_source_shows_version_author_and_note(run, published):
    assert sources(run, "3") == [(3, "desk", 1)]
    (line,) = [line for line in run("menu-source").out.splitlines() if "desk" in line]
    assert "Asha" in line
    assert "Monsoon" in line


def test_menu_source_switches_to_the_file_and_back(run, services, published):
    assert sources(run, "3", "file") == [(3, "file", 2)]
    assert str(services.catalogue.menu(3).by_id["310"].price) == "80.00"
    assert sources(run, "3", "desk") == [(3, "desk", 3)]
    assert str(services.catalogue.menu(3).by_id["310"].price) == "99.00"
    entry = run("audit", "--json").json["audit"][0]
    assert (entry["action"], entry["details"]["before"]) == ("menu.publish", "file")


def test_menu_source_fails_when_nothing_was_published_or_usage_is_wrong(run):
    done = run("menu-source", "3", "desk")
    assert (done.code, done.err) == (1, "ops: Nothing was published at the desk yet.\n")
    assert run("menu-source", "99").code == 1
    assert run("menu-source", "3", "paper").code == 2


def test_check_menus_names_the_menus_of_the_desk(run, published, monkeypatch, data_dir, tmp_path):
    chosen = settings_for(f"sqlite:///{tmp_path}/unused.db", tmp_path, data_dir=data_dir)
    monkeypatch.setattr(menu_commands, "settings", lambda: chosen)
    (data_dir / "pictured_prices.csv").write_text("restaurant_id,dish_id,price\n3,310,80\n")
    done = run("check-menus")
    assert done.code == 0
    assert "menu_3.csv is not sold: version 1 of the desk is" in done.out
    answer = run("check-menus", "--json").json
    assert answer["menusOfDesk"] == [{"restaurantId": 3, "version": 1}]
    (difference,) = answer["priceDifferences"]
    assert (difference["dishId"], difference["price"]) == ("310", 99)


def test_command_sells_what_another_process_has_published(run, new_services, services):
    other = new_services().menu_versions
    current = other.current(3)
    rows = rows_of_csv(current.content)[1:]
    asyncio.run(other.publish(3, rows, current.base, note="", by=Actor("Asha")))
    assert sources(run, "3") == [(3, "desk", 1)]
    assert len(services.catalogue.menu(3).dishes) == len(rows)
