"""Publishing menus at the desk. Source: specification 12.1, 12.2, 12.7, 12.8."""

import asyncio
from dataclasses import replace

import pytest

from campus_app import live
from campus_app.catalogue.csv.menu_tables import rows_of_csv
from campus_app.catalogue.rules.menu_version import MenuSource
from campus_app.catalogue.services.menu_versions import MenuVersions
from campus_app.catalogue.sql.menu_versions import SqlMenuVersions
from campus_app.shared.rules.audit import Actor, AuditAction, audit_entry
from campus_app.shared.rules.campus import Campus
from campus_app.shared.rules.errors import Conflict, Invalid, NotFound
from campus_app.shared.rules.money import rupees
from campus_app.shared.sql.audit import SqlAudit
from kit.background import running
from kit.db.errors import DatabaseUnavailable
from tests.helpers.builders import order_request
from tests.helpers.clock import WEDNESDAY
from tests.helpers.databases import sqlite_only
from tests.helpers.errors import ordering_error
from tests.helpers.races import PROCESSES, Together, Unguarded, versions_published
from tests.helpers.waiting import eventually

pytestmark = pytest.mark.anyio

ASHA, RAVI = Actor("Asha"), Actor("Ravi")


@pytest.fixture
def versions(services):
    return services.menu_versions


def priced(versions, prices, restaurant_id=1):
    """Return the table of the menu that is sold, with other prices."""
    table = table_of_current(versions, restaurant_id)
    return [row | {"price": prices.get(row["id"], row["price"])} for row in table]


def table_of_current(versions, restaurant_id=1):
    return rows_of_csv(versions.current(restaurant_id).content)


async def publish(versions, prices, *, note="", by=ASHA, base=None):
    base = base or versions.current(1).base
    return await versions.publish(1, priced(versions, prices), base, note=note, by=by)


def price_of(services, dish_id="104"):
    return services.catalogue.menu(1).by_id[dish_id].price


async def test_published_menu_is_sold_and_stored_with_author_time_and_note(services, versions):
    current = versions.current(1)
    assert (current.source, current.number, current.latest) == (MenuSource.FILE, 0, None)
    assert await versions.history(1, 20) == []
    head = await publish(versions, {"104": "199"}, note=" Monsoon \n prices ")
    assert (head.number, head.author, head.note) == (1, "Asha", "Monsoon prices")
    assert (head.at, head.source) == (WEDNESDAY, MenuSource.DESK)
    assert price_of(services) == rupees(199)
    assert await versions.history(1, 20) == [head]
    assert versions.current(1).latest == head
    assert services.catalogue.revision(1) == "v1"
    assert versions.current(2).source is MenuSource.FILE


@sqlite_only
async def test_newest_200_versions_are_kept_and_audited_for_good(services, versions):
    head = await publish(versions, {"104": "199"})
    store = SqlMenuVersions(services.database)
    first = await store.version(1, head.number)
    entry = audit_entry(WEDNESDAY, ASHA, AuditAction.PUBLISH_MENU, "restaurant 1")
    assert await store.add(replace(first, restaurant_id=2), entry)
    for number in range(2, 204):
        assert await store.add(replace(first, number=number), entry)
    assert not await store.add(replace(first, number=203), entry)
    assert await store.latest_numbers() == {1: 203, 2: 1}
    assert [each.number for each in await store.heads(1, 999)] == list(range(203, 3, -1))
    assert len(await SqlAudit(services.database).entries(limit=999)) == 204


async def test_publish_is_audited_with_what_changed(services, versions):
    await publish(versions, {"104": "199"}, note="Dearer")
    await versions.set_source(1, MenuSource.FILE, RAVI)
    source, published = await SqlAudit(services.database).entries(limit=9)
    assert (published.actor, published.action) == ("Asha", AuditAction.PUBLISH_MENU)
    assert published.subject == "restaurant 1"
    before = services.catalogue.menu(1).by_id["104"].price
    assert published.details == {
        "before": "file",
        "after": "version 1",
        "changed": "1",
        "prices": f"104: {before} → 199.00",
        "note": "Dearer",
    }
    assert (source.actor, source.action) == ("Ravi", AuditAction.CHANGE_MENU_SOURCE)
    assert source.details == {"before": "version 1", "after": "file"}


async def test_another_process_sells_the_published_menu_after_load(services, new_services):
    other = new_services()
    await publish(services.menu_versions, {"104": "199"})
    assert price_of(other) != rupees(199)
    await other.menu_versions.load()
    assert price_of(other) == rupees(199)
    assert other.menu_versions.current(1) == services.menu_versions.current(1)
    assert other.catalogue.revision(1) == services.catalogue.revision(1)
    assert other.menu_versions.changed.is_set()


@sqlite_only
async def test_running_server_sells_what_another_process_published_within_a_second(
    services, new_services, redis
):
    one = new_services(redis_url=redis.url)
    other = new_services(redis_url=redis.url)
    alone = new_services()
    async with running(live.reload_menus(other), live.reload_menus(alone)):
        await asyncio.sleep(0.2)  # both have subscribed, or read once
        await publish(one.menu_versions, {"104": "199"})
        async with asyncio.timeout(5):  # a busy machine is slower than a second
            for each in (other, alone):
                await each.menu_versions.changed.wait()
                assert price_of(each) == rupees(199)
    for each in (one, other):
        await each.pubsub.close()


@sqlite_only
async def test_reload_of_menus_logs_when_database_does_not_answer(services, caplog):
    class Unavailable:
        async def load(self):
            raise DatabaseUnavailable

    broken = replace(services, menu_versions=Unavailable())
    async with running(live.reload_menus(broken)):
        message = "menus: published versions could not be read"
        await eventually(lambda: message in caplog.messages, "it is logged")


async def test_changed_file_is_not_sold_while_menu_comes_from_the_desk(new_services, data_dir):
    services = new_services(data_dir=data_dir)
    versions = services.menu_versions
    await publish(versions, {"104": "199"})
    assert await versions.file_difference(1) is None
    file = data_dir / "menu_1.csv"
    file.write_text(file.read_text().replace('lime.",110,', 'lime.",185,'))
    assert price_of(services) == rupees(199)
    (change,) = (await versions.file_difference(1)).changed
    assert (change.after.id, change.after.price) == ("104", rupees(185))
    await publish(versions, {"104": "200"})
    assert await versions.file_difference(1) is None
    await versions.set_source(1, MenuSource.FILE, ASHA)
    assert price_of(services) == rupees(185)
    assert await versions.file_difference(1) is None


async def test_published_menu_is_sold_when_its_file_is_gone(new_services, data_dir):
    services = new_services(data_dir=data_dir)
    await publish(services.menu_versions, {"104": "199"})
    (data_dir / "menu_1.csv").unlink()
    other = new_services(data_dir=data_dir)
    assert [each.name for each in other.catalogue.file_states() if each.is_broken]
    await other.menu_versions.load()
    assert price_of(other) == rupees(199)
    assert not [each.name for each in other.catalogue.file_states() if each.is_broken]


async def test_undo_publishes_the_former_menu_again(services, versions):
    before = price_of(services)
    await publish(versions, {"104": "199"})
    await publish(versions, {"104": "210"})
    undone = await versions.undo(1, versions.current(1).base, RAVI)
    assert (undone.number, undone.author, undone.note) == (3, "Ravi", "Undo of version 2")
    assert price_of(services) == rupees(199)
    await versions.undo(1, versions.current(1).base, RAVI)
    assert price_of(services) == rupees(210)
    assert before not in (rupees(199), rupees(210))


async def test_undo_of_the_first_version_sells_the_files_menu_of_that_time(services, versions):
    before = services.catalogue.menu(1)
    await publish(versions, {"104": "199"})
    await versions.undo(1, versions.current(1).base, ASHA)
    assert services.catalogue.menu(1) == before
    assert versions.current(1).source is MenuSource.DESK


async def test_undo_and_source_are_refused_when_nothing_is_published(versions):
    error = await ordering_error(versions.set_source(1, MenuSource.DESK, ASHA))
    assert error.code == "nothing_published"
    error = await ordering_error(versions.undo(1, versions.current(1).base, ASHA))
    assert error.code == "nothing_to_undo"
    await publish(versions, {"104": "199"})
    base = versions.current(1).base
    await versions.set_source(1, MenuSource.FILE, ASHA)
    assert (await ordering_error(versions.undo(1, base, ASHA))).code == "menu_changed"
    error = await ordering_error(versions.undo(1, versions.current(1).base, ASHA))
    assert error.code == "nothing_to_undo"


async def test_source_is_switched_to_the_file_and_back(services, versions):
    before = price_of(services)
    await publish(versions, {"104": "199"}, note="Monsoon")
    assert (await versions.set_source(1, MenuSource.FILE, RAVI)).number == 2
    assert price_of(services) == before
    again = await versions.set_source(1, MenuSource.DESK, RAVI)
    assert (again.number, again.latest.note) == (3, "Monsoon")
    assert price_of(services) == rupees(199)
    assert (await versions.set_source(1, MenuSource.DESK, RAVI)).number == 3


async def test_publish_refuses_what_check_menus_would(versions):
    for price in ("", "80/140", "0", "1,2,3"):
        error = await ordering_error(publish(versions, {"104": price}))
        assert (type(error), error.code) == (Invalid, "menu_invalid"), price
    base = versions.current(1).base
    error = await ordering_error(versions.publish(1, [], base, note="", by=ASHA))
    assert error.code == "menu_invalid"
    error = await ordering_error(publish(versions, {"104": "1"}, note="x" * 201))
    assert isinstance(error, Invalid)
    error = await ordering_error(versions.publish(99, [], "", note="", by=ASHA))
    assert isinstance(error, NotFound)
    assert versions.current(1).number == 0


async def test_publish_refuses_the_same_menu_again(versions):
    await publish(versions, {"104": "199"})
    assert (await ordering_error(publish(versions, {}))).code == "menu_same"


async def test_publish_refuses_when_the_menu_is_another_one_by_now(
    new_services, versions, data_dir
):
    base = versions.current(1).base
    await publish(versions, {"104": "199"}, by=RAVI)
    error = await ordering_error(publish(versions, {"104": "210"}, base=base))
    assert (type(error), error.code) == (Conflict, "menu_changed")
    of_file = new_services(data_dir=data_dir).menu_versions
    base = of_file.current(2).base
    file = data_dir / "menu_2.csv"
    file.write_text(file.read_text() + "999,New,,10,Rice\n")
    error = await ordering_error(of_file.publish(2, [], base, note="", by=ASHA))
    assert error.code == "menu_changed"


async def test_cart_and_order_under_way_see_a_published_price_as_a_changed_file(services):
    # Source: docs/invariants.md I10.
    bill = services.ordering.quote(1, Campus.NORTH, {"104": 2}).bill
    request = order_request(
        quantities={"104": 2}, displayed_amounts=[("grand_total", bill.grand_total)]
    )
    placed = await services.ordering.prepare(request)
    await publish(services.menu_versions, {"104": "199"})
    error = await ordering_error(services.ordering.prepare(request))
    assert error.message.startswith("A price has changed.")
    assert error.bill.subtotal == rupees(398)
    kept = await services.payments.orders.by_id(placed.order.id)
    assert kept.order.bill == placed.order.bill


async def test_dish_that_is_gone_can_be_taken_out_of_a_cart(services, versions):
    rows = [row for row in table_of_current(versions) if row["id"] != "104"]
    name = services.catalogue.menu(1).by_id["104"].name
    await versions.publish(1, rows, versions.current(1).base, note="", by=ASHA)
    assert "104" not in services.catalogue.menu(1).by_id
    assert services.catalogue.name_before(1, "104") == name


async def test_menu_as_csv_and_json_is_the_published_one(api, services):
    await publish(services.menu_versions, {"104": "199"})
    text = (await api.get("/data/menu_1.csv")).text
    assert ",199," in next(line for line in text.splitlines() if line.startswith("104,"))
    dishes = [
        dish
        for section in (await api.get("/api/menus/1")).json()["sections"]
        for dish in section["dishes"]
    ]
    assert {each["price"] for each in dishes if each["id"] == "104"} == {"₹199"}
    menus = (await api.get("/api/restaurants/status")).json()["menus"]
    assert menus["1"] == "v1"
    assert menus["2"] == services.catalogue.revision(2) != ""


# Two who publish at once


async def published_at_once(new_services, store):
    """Return how many of five processes published a version on the same menu."""

    def attempt(number, versions):
        rows = priced(versions, {"104": str(200 + number)})
        base = versions.current(1).base
        return versions.publish(1, rows, base, note="", by=Actor(f"device {number}"))

    return await versions_published(
        [new_services().menu_versions for _ in range(PROCESSES)], store, attempt
    )


async def test_one_version_is_published_when_several_publish_at_once(new_services):
    assert await published_at_once(new_services, Together) == 1
    store = new_services().menu_versions
    await store.load()
    assert store.current(1).number == 1


async def test_control_versions_overwrite_each_other_when_the_number_is_not_guarded(new_services):
    assert await published_at_once(new_services, Unguarded) == PROCESSES


async def test_refused_version_leaves_no_audit_entry(services, versions):
    store = SqlMenuVersions(services.database)
    await publish(versions, {"104": "199"})
    version = await store.version(1, 1)
    (entry,) = await SqlAudit(services.database).entries(limit=9)
    assert not await store.add(version, entry)
    assert len(await SqlAudit(services.database).entries(limit=9)) == 1


async def test_process_keeps_the_newer_version_when_an_older_read_ends_late(services, versions):
    await publish(versions, {"104": "199"})
    first = await SqlMenuVersions(services.database).version(1, 1)
    await publish(versions, {"104": "210"})

    class Late:
        async def latest_numbers(self):
            return {1: 3}

        async def version(self, _restaurant_id, _number):
            return first

    late = MenuVersions(services.catalogue, Late(), services.clock, services.pubsub.close)
    late._latest = versions._latest
    await late.load()
    assert price_of(services) == rupees(210)


async def test_version_of_an_unknown_restaurant_is_skipped(new_services, data_dir, services):
    rows = table_of_current(services.menu_versions, 8)
    versions = services.menu_versions
    rows = [row | {"price": "77"} for row in rows]
    await versions.publish(8, rows, versions.current(8).base, note="", by=ASHA)
    restaurants = data_dir / "restaurants.csv"
    lines = restaurants.read_text().splitlines(keepends=True)
    restaurants.write_text("".join(line for line in lines if not line.startswith("8,")))
    fewer = new_services(data_dir=data_dir)
    await fewer.menu_versions.load()
    assert fewer.catalogue.restaurant(8) is None
