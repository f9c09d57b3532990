"""Publishing offers at the desk. Source: specification 14.3 to 14.5."""

import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest

from campus_app import live
from campus_app.ordering.rules.offer_list import offer_json
from campus_app.ordering.rules.offer_version import OfferVersion
from campus_app.ordering.rules.offers import OFFERS, PercentOff
from campus_app.ordering.rules.shortage import without_dish
from campus_app.ordering.sql.offer_versions import SqlOfferVersions, offers_in_force
from campus_app.shared.rules.audit import Actor, AuditAction, audit_entry
from campus_app.shared.rules.campus import Campus
from campus_app.shared.rules.constants import MAXIMUM_VERSIONS
from campus_app.shared.rules.errors import Conflict, Invalid
from campus_app.shared.rules.money import rupees
from campus_app.shared.sql.audit import SqlAudit
from kit.background import running
from kit.db.errors import DatabaseUnavailable
from tests.helpers.builders import order_request
from tests.helpers.clock import WEDNESDAY
from tests.helpers.databases import sqlite_only
from tests.helpers.errors import ordering_error
from tests.helpers.flows import pay
from tests.helpers.races import PROCESSES, Together, Unguarded, versions_published
from tests.helpers.waiting import eventually

pytestmark = pytest.mark.anyio

ASHA, RAVI = Actor("Asha"), Actor("Ravi")
ALL_DAY = {"weekdays": ["wednesday"], "from": "00:00", "until": "00:00"}
TENTH = offer_json(OFFERS[1]) | {"id": "tenth", "title": "A tenth", "restaurantId": 1} | ALL_DAY
"""10% off at restaurant 1 on Wednesdays, which is the day of the tests' clock."""


@pytest.fixture
def versions(services):
    return services.offers


def of_now(versions, *others, **changes):
    """Return the published offers as JSON with further ones; `changes` are those of the first."""
    first, *rest = map(offer_json, versions.offers)
    return [first | changes, *rest, *others]


async def publish(versions, value, *, note="", by=ASHA, base=None):
    base = versions.number if base is None else base
    return await versions.publish(value, base, note=note, by=by)


def discount(services, quantities=None):
    return services.ordering.quote(1, Campus.NORTH, quantities or {"104": 4}).bill.discount


async def test_offers_of_the_product_hold_until_some_are_published(versions):
    assert (versions.offers, versions.number, versions.history()) == (OFFERS, 0, [])


async def test_published_offer_holds_and_is_stored_with_author_time_and_note(services, versions):
    assert discount(services) == 0
    version = await publish(versions, of_now(versions, TENTH), note=" Monsoon \n sale ")
    assert (version.number, version.author, version.note) == (1, "Asha", "Monsoon sale")
    assert (version.at, version.offers[:2]) == (WEDNESDAY, OFFERS)
    assert discount(services) == rupees(44)
    assert versions.history() == [version]


@sqlite_only
async def test_newest_200_versions_and_those_of_a_week_are_kept(services, new_services, clock):
    store, at = SqlOfferVersions(services.database), clock.now()
    entry = audit_entry(at, ASHA, AuditAction.PUBLISH_OFFERS, "offers")
    days = (9, 9, 9, 7, *[0] * 200)
    for number, day in enumerate(days, start=1):
        version = OfferVersion(number, at - timedelta(days=day), "Asha", "", OFFERS)
        assert await store.add(version, entry)
    assert [each.number for each in await store.after(0)] == list(range(4, 205))
    other = new_services().offers
    await other.load()
    assert other.number == 204
    assert (await other.undo(204, ASHA)).number == 205


async def test_publish_is_audited_with_what_changed(services, versions):
    await publish(versions, [of_now(versions, title="Free")[0], TENTH], note="Why")
    (entry,) = await SqlAudit(services.database).entries(limit=9)
    assert (entry.actor, entry.action, entry.subject) == (
        *("Asha", AuditAction.PUBLISH_OFFERS, "offers"),
    )
    details = dict(entry.details)
    assert "title A tenth" in details.pop("new")
    assert "id saturday" in details.pop("gone")
    assert "title Free" in details.pop("changed")
    assert details == {"before": "version 0", "after": "version 1", "note": "Why"}


async def test_another_process_applies_published_offers_after_load(services, new_services):
    other = new_services()
    await publish(services.offers, of_now(services.offers, TENTH))
    await publish(services.offers, of_now(services.offers, title="Free"))
    assert discount(other) == 0
    await other.offers.load()
    await other.offers.load()
    assert discount(other) == rupees(44)
    assert other.offers.history() == services.offers.history()
    assert other.offers.changed.is_set()


@sqlite_only
async def test_running_server_applies_what_another_process_published_within_a_second(
    services, new_services, redis
):
    one = new_services(redis_url=redis.url)
    other = new_services(redis_url=redis.url)
    alone = new_services()
    async with running(live.reload_offers(other), live.reload_offers(alone)):
        await asyncio.sleep(0.2)  # both have subscribed, or read once
        await publish(one.offers, of_now(one.offers, TENTH))
        async with asyncio.timeout(5):  # a busy machine is slower than a second
            for each in (other, alone):
                await each.offers.changed.wait()
                assert discount(each) == rupees(44)
    for each in (one, other):
        await each.pubsub.close()


@sqlite_only
async def test_reload_of_offers_logs_when_database_does_not_answer(services, caplog):
    class Unavailable:
        async def load(self):
            raise DatabaseUnavailable

    broken = replace(services, offers=Unavailable())
    async with running(live.reload_offers(broken)):
        message = "offers: published versions could not be read"
        await eventually(lambda: message in caplog.messages, "it is logged")


async def test_undo_publishes_the_former_offers_again(versions):
    await publish(versions, of_now(versions, TENTH))
    await publish(versions, [])
    undone = await versions.undo(2, RAVI)
    assert (undone.number, undone.author, undone.note) == (3, "Ravi", "Undo of version 2")
    assert [each.id for each in versions.offers] == ["wednesday", "saturday", "tenth"]
    await versions.undo(3, RAVI)
    assert versions.offers == ()


async def test_undo_of_the_first_version_holds_the_products_offers_again(versions):
    assert (await ordering_error(versions.undo(0, ASHA))).code == "nothing_to_undo"
    await publish(versions, [])
    assert (await ordering_error(versions.undo(0, ASHA))).code == "offers_changed"
    await versions.undo(1, ASHA)
    assert (versions.offers, versions.number) == (OFFERS, 2)


@pytest.mark.parametrize(
    "changes", [{"percent": 91}, {"restaurantId": 99}, {"title": ""}, {"weekdays": []}]
)
async def test_publish_refuses_invalid_offers(versions, changes):
    error = await ordering_error(publish(versions, [TENTH | changes]))
    (name,) = changes
    assert (type(error), error.code, list(error.fields)) == (
        *(Invalid, "offers_invalid", [f"0.{name}"]),
    )
    assert versions.number == 0


async def test_publish_refuses_the_same_offers_and_a_long_note(versions):
    assert (await ordering_error(publish(versions, of_now(versions)))).code == "offers_same"
    error = await ordering_error(publish(versions, [], note="x" * 201))
    assert isinstance(error, Invalid)


async def test_publish_refuses_when_somebody_has_published_meanwhile(versions, new_services):
    await publish(new_services().offers, [], by=RAVI)
    error = await ordering_error(publish(versions, [TENTH], base=0))
    assert (type(error), error.code) == (Conflict, "offers_changed")
    assert versions.offers == ()


async def published_at_once(new_services, store):
    """Return how many of five processes published a version on the same offers."""

    def attempt(number, versions):
        return publish(versions, [TENTH | {"percent": number + 1}], by=Actor(f"device {number}"))

    return await versions_published(
        [new_services().offers for _ in range(PROCESSES)], store, attempt
    )


async def test_one_version_is_published_when_several_publish_at_once(new_services):
    assert await published_at_once(new_services, Together) == 1
    versions = new_services().offers
    await versions.load()
    assert versions.number == 1


async def test_control_offers_overwrite_each_other_when_the_number_is_not_guarded(new_services):
    assert await published_at_once(new_services, Unguarded) == PROCESSES


async def test_refused_version_leaves_no_audit_entry(services, versions):
    version = await publish(versions, [])
    (entry,) = await SqlAudit(services.database).entries(limit=9)
    assert not await SqlOfferVersions(services.database).add(version, entry)
    assert len(await SqlAudit(services.database).entries(limit=9)) == 1


async def test_versions_of_the_last_days_are_kept_and_the_one_that_held_before(services):
    # An order of the 10th is computed again with the version of the 9th.
    store, day = SqlOfferVersions(services.database), timedelta(days=1)
    entry = audit_entry(WEDNESDAY, ASHA, AuditAction.PUBLISH_OFFERS, "offers")
    ages = [10, 9, 3, *[0] * (MAXIMUM_VERSIONS + 1)]
    for number, age in enumerate(ages, start=1):
        version = OfferVersion(number, WEDNESDAY - age * day, "Asha", "", OFFERS)
        assert await store.add(version, entry)
    stored = await store.after(0)
    assert [each.number for each in stored] == list(range(2, len(ages) + 1))


# Orders under way


async def test_order_under_way_keeps_its_price_and_a_new_one_is_asked_again(services, versions):
    # Source: docs/invariants.md I10.
    await publish(versions, [TENTH])
    bill = services.ordering.quote(1, Campus.NORTH, {"104": 4}).bill
    request = order_request(
        quantities={"104": 4}, displayed_amounts=[("grand_total", bill.grand_total)]
    )
    placed = await services.ordering.prepare(request)
    await publish(versions, [])
    error = await ordering_error(services.ordering.prepare(request))
    assert error.message.startswith("A price has changed.")
    assert error.bill.discount == 0
    kept = await services.payments.orders.by_id(placed.order.id)
    assert (kept.order.bill, kept.order.bill.discount_name) == (placed.order.bill, "A tenth")


async def test_dish_that_is_not_cooked_costs_what_it_did_with_the_offer_of_its_time(
    services, versions, clock
):
    await publish(versions, [TENTH])
    order = (await services.ordering.prepare(order_request(quantities={"104": 3, "112": 1}))).order
    order = (await pay(services, await services.payments.orders.by_id(order.id))).order
    clock.advance(minutes=1)
    await publish(versions, [TENTH | {"percent": 50}])
    at = order.created_at
    assert versions.in_force_at(at) == await services.database.read(
        lambda connection: offers_in_force(connection, at)
    )
    (offer,) = versions.in_force_at(at)
    assert offer.benefit == PercentOff(10)
    reduced = without_dish(order, "112", versions.in_force_at(at))
    (line,) = [each for each in order.lines if each.dish_id == "112"]
    assert order.bill.total - reduced.bill.total == line.total * 9 / 10
    assert versions.in_force_at(WEDNESDAY - timedelta(days=1)) == OFFERS
