"""When a restaurant is open: its usual hours, and the other hours of single days.

The hours of a day begin on that day, and may end on the next one. Source: specification R2, 15.1.
"""

from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta

from campus_app.shared.rules.constants import CAMPUS_TIME_ZONE

_MINUTES_PER_HOUR = 60
_MINUTES_PER_DAY = 24 * _MINUTES_PER_HOUR
_DAY = timedelta(days=1)
_DAYS_AROUND = range(-3, 4)
"""The hours of these days decide when a restaurant opens and closes within two days of today."""

Span = tuple[int, int]
"""When hours begin and end, in minutes since the midnight that begins a day."""


@dataclass(frozen=True)
class DayHours:
    """The hours of one day; a `close` at or before `open` is on the next day."""

    day: date
    open: time
    close: time

    @property
    def ends_next_day(self) -> bool:
        """Whether the closing time is on the day after."""
        return self.close <= self.open

    def __str__(self) -> str:
        return f"{self.open:%H:%M}-{self.close:%H:%M}"


@dataclass(frozen=True)
class OpeningHours:
    """From `open` up to, not including, `close`; a close at or before open is past midnight.

    Source: specification R2.
    """

    open: time
    close: time
    days: tuple[DayHours, ...] = ()
    """The days that have other hours."""

    def is_open_at(self, moment: datetime) -> bool:
        """Whether the restaurant is open at an aware datetime of any time zone."""
        local = moment.astimezone(CAMPUS_TIME_ZONE)
        today, minute = local.date(), _minute_of_day(local)
        begins, ends = _span_on(self, today)
        ended = _span_on(self, today - _DAY)[1] - _MINUTES_PER_DAY
        return begins <= minute < ends or minute < ended

    def next_change(self, moment: datetime) -> datetime:
        """Return the next time, strictly later, at which the restaurant opens or closes."""
        local = moment.astimezone(CAMPUS_TIME_ZONE)
        later = [
            each for each in (*_openings(self, local), *_closings(self, local)) if each > local
        ]
        return min(later) if later else _next_usual_opening(self, local)

    def next_opening(self, moment: datetime) -> datetime:
        """Return the next time, strictly later, at which the restaurant opens."""
        local = moment.astimezone(CAMPUS_TIME_ZONE)
        later = [each for each in _openings(self, local) if each > local]
        return min(later) if later else _next_usual_opening(self, local)

    def open_from(self, moment: datetime) -> datetime:
        """Return the first time, not earlier, at which the restaurant is open."""
        return moment if self.is_open_at(moment) else self.next_opening(moment)

    def last_opening(self, moment: datetime) -> datetime:
        """Return the latest time, not later, at which the restaurant opened.

        On a day whose opening was moved to a later time it may have been open before: such a day
        counts from its usual opening. Of a restaurant that never closes, a day ago.
        """
        local = moment.astimezone(CAMPUS_TIME_ZONE)
        days = tuple(replace(each, open=min(each.open, self.open)) for each in self.days)
        earliest = replace(self, days=days)
        before = (each for each in _openings(earliest, local) if each <= local)
        return max(before, default=local - _DAY)

    def closes_at(self, moment: datetime) -> datetime | None:
        """Return when the restaurant closes next; None if it is closed now, or never closes."""
        if not self.is_open_at(moment):
            return None
        local = moment.astimezone(CAMPUS_TIME_ZONE)
        return min((each for each in _closings(self, local) if each > local), default=None)

    def on(self, day: date) -> DayHours:
        """Return the hours of a day, which are the usual ones unless it has others."""
        usual = DayHours(day, self.open, self.close)
        return next((each for each in self.days if each.day == day), usual)

    def are_usual_on(self, day: date) -> bool:
        """Whether a day has the usual hours."""
        return self.on(day) == DayHours(day, self.open, self.close)

    def other_hours(self, moment: datetime) -> str:
        """Return the hours of the day at a time as text; empty if they are the usual ones."""
        day = self.day_at(moment) if self.days else None
        return "" if day is None or self.are_usual_on(day) else str(self.on(day))

    def other_opening(self, moment: datetime) -> str:
        """Return when it opens next as text; empty if at the usual time, or while it is open."""
        if not self.days or self.is_open_at(moment):
            return ""
        opens = f"{self.next_opening(moment):%H:%M}"
        return "" if opens == f"{self.open:%H:%M}" else opens

    def day_at(self, moment: datetime) -> date:
        """Return the day whose hours count at a time.

        After midnight that is the day before, until its hours have ended: those that it has and
        the usual ones.
        """
        local = moment.astimezone(CAMPUS_TIME_ZONE)
        yesterday = local.date() - _DAY
        ended = max(_span_on(self, yesterday)[1], _span(self)[1]) - _MINUTES_PER_DAY
        return yesterday if _minute_of_day(local) < ended else local.date()

    def meets_next_day(self, hours: DayHours) -> bool:
        """Whether hours of a day would last beyond the usual opening of the next day."""
        return _span(hours)[1] > _MINUTES_PER_DAY + _minute_of_day(self.open)

    def __str__(self) -> str:
        return f"{self.open:%H:%M}-{self.close:%H:%M}"


def _openings(hours: OpeningHours, local: datetime) -> list[datetime]:
    """Return the times around a campus time at which it opens after it was closed."""
    spans = _spans_around(hours, local)
    begins = [begin for begin, _ in spans[1:-1] if not _is_within(spans, begin - 1)]
    return _times(begins, local)


def _closings(hours: OpeningHours, local: datetime) -> list[datetime]:
    """Return the times around a campus time from which it is closed."""
    spans = _spans_around(hours, local)
    return _times([end for _, end in spans[1:-1] if not _is_within(spans, end)], local)


def _next_usual_opening(hours: OpeningHours, local: datetime) -> datetime:
    opens = _minute_of_day(hours.open)
    return min(each for each in _times([opens, opens + _MINUTES_PER_DAY], local) if each > local)


def _spans_around(hours: OpeningHours, local: datetime) -> list[Span]:
    """Return the spans of the days around a campus time; they may overlap, and all of them count.

    They are in minutes since the midnight before that time.
    """
    spans: list[Span] = []
    for number in _DAYS_AROUND:
        begin, end = _span_on(hours, local.date() + timedelta(days=number))
        midnight = number * _MINUTES_PER_DAY
        spans.append((midnight + begin, midnight + end))
    return spans


def _span_on(hours: OpeningHours, day: date) -> Span:
    others = (_span(each) for each in hours.days if each.day == day)
    return next(others, None) or _span(hours)


def _span(hours: OpeningHours | DayHours) -> Span:
    begin, end = _minute_of_day(hours.open), _minute_of_day(hours.close)
    return begin, end if begin < end else end + _MINUTES_PER_DAY


def _minute_of_day(clock: time | datetime) -> int:
    return clock.hour * _MINUTES_PER_HOUR + clock.minute


def _is_within(spans: list[Span], minute: int) -> bool:
    return any(begin <= minute < end for begin, end in spans)


def _times(minutes: list[int], local: datetime) -> list[datetime]:
    """Return minutes since the midnight before a campus time as times."""
    midnight = local.replace(hour=0, minute=0, second=0, microsecond=0)
    return [midnight + timedelta(minutes=minute) for minute in minutes]
