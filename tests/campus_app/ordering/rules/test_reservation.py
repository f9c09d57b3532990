"""Table reservations: slots, bookable day, party sizes, seat holds."""

from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from campus_app.catalogue.rules.opening_hours import OpeningHours
from campus_app.ordering.rules.reservation import (
    SLOTS,
    PreReservation,
    SeatHold,
    SeatHoldState,
    bookable_date,
    can_use_hold,
    has_capacity,
    hold_expiry,
    is_kitchen_open,
    is_party_size,
    is_slot_open,
    is_within_share,
    next_slot_change,
    parse_reservation_id,
    parse_slot,
    seats_taken,
    seats_unpaid,
)

INDIA = ZoneInfo("Asia/Kolkata")
TODAY, TOMORROW = date(2026, 8, 24), date(2026, 8, 25)
NAMES = [f"{hour}:{minute}" for hour in range(12, 18) for minute in ("00", "30")]


def campus(clock):
    return datetime.combine(TODAY, time.fromisoformat(clock), INDIA)


def open_slots(day, moment):
    return [f"{slot:%H:%M}" for slot in SLOTS if is_slot_open(slot, day, moment)]


def test_slots_are_the_twelve_of_the_specification():
    assert [f"{slot:%H:%M}" for slot in SLOTS] == NAMES


def test_is_party_size_accepts_1_to_8():
    # Source: specification 5.14.
    assert [size for size in range(-1, 11) if is_party_size(size)] == [*range(1, 9)]
    assert not any(map(is_party_size, (True, 1.0, "2", None, 10**30)))


def test_parse_slot_accepts_the_name_of_a_slot_only():
    assert [parse_slot(name) for name in NAMES] == [time.fromisoformat(name) for name in NAMES]
    others = ("", "11:30", "18:00", "12:15", "12:00:00", "9:00", " 12:00", "noon", "१२:००")
    assert [text for text in others if parse_slot(text) is not None] == []


@pytest.mark.parametrize(
    ("clock", "day"),
    [
        pytest.param("00:00", TODAY, id="midnight"),
        pytest.param("17:29:59.999999", TODAY, id="just before the last slot"),
        pytest.param("17:30", TOMORROW, id="R7: no slot of today is left"),
        pytest.param("23:59", TOMORROW, id="the end of the day"),
    ],
)
def test_bookable_date_is_tomorrow_after_last_slot(clock, day):
    assert bookable_date(campus(clock)) == day
    assert bookable_date(campus(clock).astimezone(UTC)) == day


def test_bookable_date_is_in_campus_time():
    assert bookable_date(datetime(2026, 8, 24, 18, 29, tzinfo=UTC)) == date(2026, 8, 25)
    assert bookable_date(datetime(2026, 8, 24, 18, 30, tzinfo=UTC)) == date(2026, 8, 25)
    assert bookable_date(datetime(2026, 8, 25, 12, 0, tzinfo=UTC)) == date(2026, 8, 26)
    assert bookable_date(datetime(2026, 12, 31, 12, 0, tzinfo=UTC)) == date(2027, 1, 1)


@pytest.mark.parametrize(
    ("clock", "day", "names"),
    [
        pytest.param("09:00", TODAY, NAMES, id="the whole day lies ahead"),
        pytest.param("11:59:59", TODAY, NAMES, id="a second before the first slot"),
        pytest.param("12:00", TODAY, NAMES[1:], id="5.13: past slots for today are disabled"),
        pytest.param("14:10", TODAY, NAMES[5:], id="in the afternoon"),
        pytest.param("17:29:59", TODAY, ["17:30"], id="a second before the last slot"),
        pytest.param("17:30", TODAY, [], id="today is over"),
        pytest.param("17:30", TOMORROW, NAMES, id="R7: tomorrow's are offered"),
        pytest.param("23:59:59", TOMORROW, NAMES, id="a second before tomorrow"),
        pytest.param("14:10", TOMORROW, [], id="R7: not while today has slots"),
        pytest.param("14:10", TODAY - timedelta(days=1), [], id="yesterday"),
        pytest.param("17:30", TODAY + timedelta(days=2), [], id="the day after tomorrow"),
    ],
)
def test_slot_is_open_until_its_start(clock, day, names):
    assert open_slots(day, campus(clock)) == names
    assert open_slots(day, campus(clock).astimezone(UTC)) == names


@given(st.datetimes(datetime(2024, 1, 1), datetime(2030, 1, 1), timezones=st.just(UTC)))
def test_exactly_one_day_has_open_slots_in_the_future(moment):
    around = [moment.astimezone(INDIA).date() + timedelta(days=days) for days in (-2, -1, 0, 1, 2)]
    days = [day for day in around if open_slots(day, moment)]
    assert days == [bookable_date(moment)]
    for slot in SLOTS:
        lies_ahead = datetime.combine(days[0], slot, INDIA) > moment
        assert is_slot_open(slot, days[0], moment) == lies_ahead


# Seat holds


def hold(state=SeatHoldState.HELD, *, expires="13:30", party=4, slot="17:30"):
    table = PreReservation(2, time.fromisoformat(slot), party, TODAY)
    return SeatHold("an-unguessable-id-000", table, state, campus(expires))


@pytest.mark.parametrize(("has_details", "until"), [(False, "13:10"), (True, "13:30")])
def test_hold_expires_earlier_when_contact_details_are_missing(has_details, until):
    assert hold_expiry(campus("13:00"), has_details=has_details) == campus(until)


@pytest.mark.parametrize(
    ("party", "seats", "unpaid", "is_within"),
    [
        pytest.param(8, 24, 0, True, id="first"),
        pytest.param(4, 24, 8, True, id="exactly half"),
        pytest.param(5, 24, 8, False, id="one more than half"),
        pytest.param(1, 24, 12, False, id="half is held"),
        pytest.param(1, 25, 12, False, id="half of an odd number is rounded down"),
        pytest.param(8, 10, 0, True, id="first of a small restaurant"),
        pytest.param(1, 10, 8, False, id="beside a large first one"),
    ],
)
def test_unpaid_seats_of_an_address_are_at_most_half(party, seats, unpaid, is_within):
    # Source: specification R9.
    assert is_within_share(party, seats, unpaid) is is_within


def test_unpaid_seats_are_those_of_the_address_held_and_unpaid():
    holds = [
        replace(hold(SeatHoldState.HELD), client="a"),
        replace(hold(SeatHoldState.HELD), client="a"),
        replace(hold(SeatHoldState.HELD), client="b"),
        replace(hold(SeatHoldState.FIRM), client="a"),
        replace(hold(SeatHoldState.RELEASED), client="a"),
        replace(hold(SeatHoldState.HELD), client="a", expires_at=campus("13:00")),
    ]
    assert seats_unpaid(holds, "a", campus("13:00")) == 2 * holds[0].reservation.party_size


@pytest.mark.parametrize(
    ("state", "clock", "stands", "can_be_ordered"),
    [
        pytest.param(SeatHoldState.HELD, "13:29:59", True, True, id="held"),
        pytest.param(SeatHoldState.HELD, "13:30", False, False, id="30 minutes are over"),
        pytest.param(SeatHoldState.FIRM, "13:29", True, False, id="paid: not to be ordered twice"),
        pytest.param(SeatHoldState.FIRM, "23:00", True, False, id="paid: for good"),
        pytest.param(SeatHoldState.RELEASED, "13:00", False, False, id="released"),
    ],
)
def test_hold_is_active_until_expiry_unless_firm(state, clock, stands, can_be_ordered):
    assert hold(state).is_active_at(campus(clock)) is stands
    assert hold(state).can_be_ordered_at(campus(clock)) is can_be_ordered


@pytest.mark.parametrize(("clock", "is_so"), [("12:59:59", True), ("13:00", False)])
def test_hold_cannot_be_ordered_after_slot_start(clock, is_so):
    held = hold(slot="13:00", expires="13:10")
    assert held.can_be_ordered_at(campus(clock)) is is_so
    assert held.is_active_at(campus(clock))


@pytest.mark.parametrize(
    ("state", "owner", "replaces", "is_owner_open", "expected"),
    [
        (SeatHoldState.HELD, "", "", False, True),
        (SeatHoldState.HELD, "o1", "", True, False),
        (SeatHoldState.HELD, "o1", "o1", True, True),
        (SeatHoldState.HELD, "o1", "o2", True, False),
        (SeatHoldState.RELEASED, "o1", "", False, True),
        (SeatHoldState.RELEASED, "o1", "", True, False),
        (SeatHoldState.FIRM, "o1", "o1", True, False),
        (SeatHoldState.FIRM, "o1", "", False, False),
    ],
)
def test_can_use_hold_is_true_without_other_open_order(
    state, owner, replaces, is_owner_open, expected
):
    held = replace(hold(state), order_id=owner)
    owned = {"replaces": replaces, "is_owner_open": is_owner_open}
    assert can_use_hold(held, held.reservation, **owned) is expected
    assert can_use_hold(held, hold(party=5).reservation, **owned) is False


def test_seats_taken_counts_active_holds_only():
    holds = [
        hold(party=4),
        hold(party=8, expires="13:00"),
        hold(SeatHoldState.FIRM, party=2, expires="12:00"),
        hold(SeatHoldState.RELEASED, party=7),
    ]
    assert seats_taken(holds, campus("13:00")) == 6
    assert seats_taken([], campus("13:00")) == 0


def test_has_capacity_when_enough_seats_are_free():
    rows = [(4, 24, 20), (5, 24, 20), (1, 24, 24), (1, 0, 0), (8, 8, 0)]
    assert [has_capacity(*row) for row in rows] == [True, False, False, False, True]


@given(st.lists(st.integers(1, 8)), st.integers(0, 48))
def test_accepted_parties_never_exceed_seats(parties, seats):
    seated = []
    for party in parties:
        if has_capacity(party, seats, seats_taken(seated, campus("13:00"))):
            seated.append(hold(party=party))
    assert sum(each.reservation.party_size for each in seated) <= seats


def test_parse_reservation_id_is_empty_for_other_texts():
    assert parse_reservation_id("an-unguessable_ID-000") == "an-unguessable_ID-000"
    texts = ("", "too-short", "x" * 65, "an unguessable id 000", "an-unguessable-id-000\n")
    others = (
        "an-unguessable-id-\x00-x",
        "१२३४५६७८९०१२३४५६७८९०",
        None,
        5,
        ["an-unguessable-id-000"],
    )
    assert [value for value in (*texts, *others) if parse_reservation_id(value)] == []


@pytest.mark.parametrize(
    ("hours", "served"),
    [
        pytest.param(("09:00", "00:00"), NAMES, id="open all day"),
        pytest.param(("13:00", "16:00"), NAMES[2:8], id="opens late, closes early"),
        pytest.param(("17:45", "02:00"), [], id="opens in the evening"),
        pytest.param(("18:00", "12:31"), NAMES[:2], id="past midnight into noon"),
    ],
)
def test_is_kitchen_open_at_slot_start(hours, served):
    opening = OpeningHours(*map(time.fromisoformat, hours))
    found = [f"{slot:%H:%M}" for slot in SLOTS if is_kitchen_open(slot, TODAY, opening)]
    assert found == served


@pytest.mark.parametrize(
    ("clock", "change"),
    [
        ("09:00", campus("12:00")),
        ("11:59:59.999999", campus("12:00")),
        ("12:00", campus("12:30")),
        ("17:29", campus("17:30")),
        ("17:30", datetime.combine(TOMORROW, time(0), INDIA)),
    ],
)
def test_next_slot_change_is_slot_start_or_midnight(clock, change):
    assert next_slot_change(campus(clock)) == change
    assert next_slot_change(campus(clock).astimezone(UTC)) == change


@given(st.datetimes(datetime(2024, 1, 1), datetime(2030, 1, 1), timezones=st.just(UTC)))
def test_slots_do_not_change_before_next_slot_change(moment):
    change = next_slot_change(moment)
    before = change - timedelta(microseconds=1)
    for day in (bookable_date(moment), bookable_date(moment) + timedelta(days=1)):
        assert open_slots(day, before) == open_slots(day, moment)
    assert moment < change <= moment + timedelta(days=1)
