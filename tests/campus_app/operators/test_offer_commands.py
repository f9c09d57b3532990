"""`ops offers`. Source: specification 14.7."""

import asyncio
import json

import pytest

from campus_app.ordering.rules.offer_list import offer_json
from campus_app.ordering.rules.offers import OFFERS
from campus_app.shared.rules.audit import Actor
from tests.helpers.databases import sqlite_only

pytestmark = sqlite_only

SATURDAY = offer_json(OFFERS[1])


@pytest.fixture
def write(tmp_path):
    """Writes a file; returns its path."""

    def write(content):
        file = tmp_path / "offers.json"
        file.write_text(content if isinstance(content, str) else json.dumps(content))
        return str(file)

    return write


def test_offers_lists_the_products_own_when_nothing_is_published(run):
    shown = run("offers", "--json").json
    assert (shown["version"], shown["offers"]) == (0, [offer_json(each) for each in OFFERS])
    out = run("offers").out
    assert "Saturday, 6PM to 12AM" in out
    assert "Nothing was published yet" in out


def test_offers_that_were_printed_edited_and_published_hold(run, services, write):
    printed = run("offers", "--json").json
    printed["offers"][1]["percent"] = 15
    done = run("offers", "--publish", write(printed), "--note", "Monsoon")
    assert (done.code, "15% off, 6PM to 12AM" in done.out) == (0, True)
    assert services.offers.offers[1].benefit.percent == 15
    assert "Monsoon" in done.out
    entry = run("audit", "--json").json["audit"][0]
    assert (entry["action"], entry["details"]["note"]) == ("offers.publish", "Monsoon")


def test_undo_holds_the_former_offers_again(run, services, write):
    run("offers", "--publish", write({"version": 0, "offers": []}))
    assert services.offers.offers == ()
    shown = run("offers", "--undo", "--json").json
    assert (shown["version"], shown["note"]) == (2, "Undo of version 1")
    assert services.offers.offers == OFFERS
    assert run("offers", "--publish", write({"version": 0, "offers": []})).code == 1


def test_publish_is_refused_when_somebody_has_published_meanwhile(run, new_services, write):
    asyncio.run(new_services().offers.publish([], 0, note="", by=Actor("Asha")))
    done = run("offers", "--publish", write({"version": 0, "offers": [SATURDAY]}))
    assert done.code == 1
    assert "Someone else has changed the offers meanwhile." in done.err
    assert run("offers", "--json").json["offers"] == []


def test_every_fault_of_a_file_is_named(run, write):
    faulty = {"version": 0, "offers": [SATURDAY | {"percent": 95, "restaurantId": 99}]}
    done = run("offers", "--publish", write(faulty))
    assert done.code == 1
    assert "0.percent: The percentage is a whole number from 1 to 90." in done.err
    assert "0.restaurantId: There is no such restaurant." in done.err


@pytest.mark.parametrize("content", ["", "[]", "{", "{}", '{"version": "1", "offers": []}'])
def test_file_that_is_no_list_of_offers_is_wrong_usage(run, write, content):
    assert run("offers", "--publish", write(content)).code == 2


def test_publish_and_undo_together_are_wrong_usage(run, write):
    assert run("offers", "--publish", write("{}"), "--undo").code == 2
    assert run("offers", "--publish", "missing.json").code == 2
    assert run("offers", "--undo").code == 1
