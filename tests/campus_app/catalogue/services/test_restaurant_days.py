"""Today's hours and seats: what follows them, in this process and in others. Source: 15.1 to 15.5."""

import asyncio
from datetime import time, timedelta

import pytest

from campus_app import live
from campus_app.catalogue.rules.restaurant import RestaurantDay
from campus_app.catalogue.sql.restaurant_days import SqlRestaurantDays
from campus_app.ordering.rules.order import OrderState
from campus_app.shared.rules.audit import Actor
from campus_app.shared.rules.errors import Invalid, NotFound
from kit.background import running
from tests.helpers.builders import at, order_request, reservation_request
from tests.helpers.clock import WEDNESDAY
from tests.helpers.databases import sqlite_only
from tests.helpers.errors import ordering_error
from tests.helpers.flows import pay, press

pytestmark = pytest.mark.anyio

ASHA = Actor("Asha")
TODAY = WEDNESDAY.date()


@pytest.fixture
def days(services):
    return services.restaurant_days


def status_of(services, restaurant_id):
    return next(each for each in services.statuses.all() if each.restaurant_id == restaurant_id)


def seats_at(day, slot):
    return day.seats_left[time.fromisoformat(slot)]


async def stored(services):
    return await SqlRestaurantDays(services.database).all_days()


# What follows


async def test_kitchen_closes_and_opens_at_the_hours_of_today(services, days, clock):
    await days.set_hours(1, ASHA, closes=time(14))
    assert (status_of(services, 1).state, status_of(services, 1).hours) == ("OPEN", "10:30-14:00")
    assert services.statuses.next_boundary() == at(14)
    clock.set(at(14))
    assert status_of(services, 1).state == "CLOSED"
    refusal = await ordering_error(services.ordering.prepare(order_request()))
    assert refusal.code == "restaurant_closed"
    clock.set(at(10, 30, day=19))
    assert (status_of(services, 1).state, status_of(services, 1).hours) == ("OPEN", "")


async def test_change_after_midnight_is_of_the_evening_before(services, days, clock):
    clock.set(at(1, day=19))
    await days.set_hours(4, ASHA, closes=time(3))
    assert await stored(services) == [RestaurantDay(4, TODAY, time(17), time(3))]
    clock.set(at(3, day=19))
    assert (status_of(services, 4).state, status_of(services, 4).opens) == ("CLOSED", "")
    await days.set_usual_hours(4, ASHA)
    assert status_of(services, 4).state == "OPEN"


@sqlite_only
async def test_dish_is_sold_out_until_the_opening_of_today(services, days, clock):
    clock.set(at(6))
    await days.set_hours(3, ASHA, opens=time(11))
    await services.statuses.set_sold_out(3, "301", is_sold_out=True)
    clock.set(at(10, 59))
    assert services.statuses.is_sold_out(3, "301")
    assert status_of(services, 3).opens == "11:00"
    clock.set(at(11))
    assert not services.statuses.is_sold_out(3, "301")


@sqlite_only
async def test_listeners_are_notified_of_new_hours_of_an_open_kitchen(services, days):
    changes = services.statuses.changes()
    await anext(changes)
    await days.set_hours(1, ASHA, closes=time(18))
    assert [each.hours for each in await anext(changes)] == ["10:30-18:00"]
    await changes.aclose()


async def test_payment_that_was_begun_is_honoured_when_the_kitchen_closes_earlier(services, days):
    begun, placed = [await services.ordering.prepare(order_request()) for _ in range(2)]
    await services.checkouts.open(begun)
    await days.set_hours(1, ASHA, closes=time(13))
    refusal = await ordering_error(services.checkouts.open(placed))
    assert refusal.code == "restaurant_closed"
    assert await press(services, begun)
    paid = await services.payments.reconcile(begun.payment)
    assert paid.order.state is OrderState.CONFIRMED


async def test_fewer_seats_refuse_new_tables_and_keep_reserved_ones(services, days, clock):
    table = await services.ordering.prepare(reservation_request())
    await days.set_seats(2, 3, ASHA)
    restaurant = services.reservations.restaurant()
    day = await services.reservations.day(restaurant)
    assert (seats_at(day, "17:30"), seats_at(day, "17:00")) == (0, 3)
    refusal = await ordering_error(services.ordering.prepare(reservation_request(slot="17:00")))
    assert refusal.code == "slot_unavailable"
    assert (await pay(services, table)).order.state is OrderState.CONFIRMED
    clock.set(at(17, 30))  # from now on tomorrow's slots are offered
    assert seats_at(await services.reservations.day(restaurant), "17:00") == 24


@sqlite_only
async def test_slots_end_with_the_hours_of_today(services, days):
    await days.set_hours(2, ASHA, closes=time(15))
    day = await services.reservations.day(services.reservations.restaurant())
    assert max(day.seats_left) == time(14, 30)


# What is stored


async def test_hours_and_seats_of_a_day_are_set_and_taken_back_apart(services, days):
    await days.set_hours(2, ASHA, opens=time(8), closes=time(0, 30))
    await days.set_seats(2, 10, ASHA)
    assert await stored(services) == [RestaurantDay(2, TODAY, time(8), time(0, 30), 10)]
    await days.set_usual_hours(2, ASHA)
    assert await stored(services) == [RestaurantDay(2, TODAY, seats=10)]
    await days.set_seats(2, None, ASHA)
    assert await stored(services) == [RestaurantDay(2, TODAY)]
    assert services.catalogue.restaurant(2).hours.other_hours(WEDNESDAY) == ""
    entries = await services.operations.audit.entries(subject="restaurant 2", limit=9)
    assert [(each.action, each.details["after"]) for each in reversed(entries)] == [
        ("restaurant.hours", "08:00-00:30"),
        ("restaurant.seats", "10"),
        ("restaurant.hours", "09:00-00:00"),
        ("restaurant.seats", "24"),
    ]
    assert {(each.actor, each.details["day"]) for each in entries} == {("Asha", "2026-11-18")}


async def test_hours_and_seats_that_are_set_at_once_are_both_stored(services, new_services):
    await asyncio.gather(
        services.restaurant_days.set_hours(2, ASHA, closes=time(18)),
        new_services().restaurant_days.set_seats(2, 10, ASHA),
    )
    assert await stored(services) == [RestaurantDay(2, TODAY, time(9), time(18), 10)]


async def test_days_of_the_past_are_deleted_with_a_later_change(services, days, clock):
    await days.set_seats(2, 10, ASHA)
    clock.set(WEDNESDAY + timedelta(days=8))
    await days.set_seats(2, 12, ASHA)
    assert [each.seats for each in await stored(services)] == [12]


@sqlite_only
@pytest.mark.parametrize(
    ("change", "error"),
    [
        (lambda days: days.set_hours(99, ASHA, closes=time(18)), NotFound),
        (lambda days: days.set_usual_hours(99, ASHA), NotFound),
        (lambda days: days.set_seats(99, 10, ASHA), NotFound),
        (lambda days: days.set_hours(3, ASHA, opens=time(11), closes=time(10)), Invalid),
        (lambda days: days.set_seats(1, 10, ASHA), Invalid),
        (lambda days: days.set_seats(2, -1, ASHA), Invalid),
        (lambda days: days.set_seats(2, 201, ASHA), Invalid),
    ],
)
async def test_invalid_change_is_refused_and_stores_nothing(services, days, change, error):
    with pytest.raises(error):
        await change(days)
    assert await stored(services) == []


# Other processes


async def test_hours_and_seats_survive_a_restart(services, new_services):
    await services.restaurant_days.set_hours(1, ASHA, closes=time(13))
    again = new_services()
    assert status_of(again, 1).state == "OPEN"
    await again.restaurant_days.load()
    assert again.catalogue.restaurants() == services.catalogue.restaurants()
    assert status_of(again, 1).state == "CLOSED"


@sqlite_only
async def test_running_servers_follow_another_process_within_a_second(new_services, redis):
    one, other = (new_services(redis_url=redis.url) for _ in range(2))
    alone = new_services()
    async with running(live.reload_availability(other), live.reload_availability(alone)):
        await asyncio.sleep(0.2)  # both have subscribed, or read once
        listened = [each.statuses.changes() for each in (other, alone)]
        for changes in listened:
            await anext(changes)
        await one.restaurant_days.set_hours(1, ASHA, closes=time(13))
        async with asyncio.timeout(5):  # a busy machine is slower than a second
            for changes in listened:
                assert [each.state for each in await anext(changes)] == ["CLOSED"]
    for each in (one, other):
        await each.pubsub.close()
