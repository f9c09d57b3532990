"""When a data file that changes counts: a file may be saved in several writes."""

import os
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

Stamp = tuple[int, int, int] | None
"""Modification time, change time and size; None if the file is missing."""

UNSETTLED: Final[Stamp] = (0, 0, 0)
"""The stamp of a file that is being written when it is first looked at."""
_FACTOR_WITHOUT_LINE_END: Final = 10
"""How much longer a file must be still whose last row has no line ending.

Some programs write none; a file that is cut off usually has none either.
"""
_LONGEST_LINE_END: Final = 4
"""The bytes of a line ending in UTF-16."""
_NS_PER_SECOND: Final = 1_000_000_000


def stamp_of(file: str) -> Stamp:
    """Return a file's stamp.

    It includes the ctime, since copying a file may preserve its mtime.
    """
    try:
        stat = os.stat(file)  # noqa: PTH116 - at every click; takes a third of pathlib's time
    except OSError:
        return None
    return (stat.st_mtime_ns, stat.st_ctime_ns, stat.st_size)


def ends_with_line(file: str) -> bool:
    """Whether the last bytes of a file have a line ending; a missing or empty file has."""
    try:
        with Path(file).open("rb") as stream:
            stream.seek(0, os.SEEK_END)
            stream.seek(max(0, stream.tell() - _LONGEST_LINE_END))
            end = stream.read()
    except OSError:
        return True
    text = end.replace(b"\0", b"")
    return not text or text.endswith((b"\n", b"\r"))


@dataclass
class _Seen:
    settled: Stamp
    latest: Stamp
    since: float


@dataclass
class SettledStamps:
    """The stamps of files that have been still for `still_seconds`.

    Until a changed file has been still, its stamp stays the previous one, so that nothing reads
    half of it. A file that is first looked at counts at once, unless it was written within
    `still_seconds`: then its stamp is UNSETTLED.
    """

    still_seconds: float = 0.0
    monotonic: Callable[[], float] = time.monotonic
    wall_ns: Callable[[], int] = time.time_ns
    _seen: dict[str, _Seen] = field(default_factory=dict[str, _Seen])

    def stamp(self, file: str) -> Stamp:
        """Return a file's latest stamp, or the stamp before while the file is being written."""
        latest = stamp_of(file)
        if not self.still_seconds:
            return latest
        seen, now = self._seen.get(file), self.monotonic()
        if seen is None:
            settled = UNSETTLED if self.is_young(file) else latest
            self._seen[file] = _Seen(settled, latest, now)
            return settled
        if seen.settled == latest:
            seen.latest = latest
        elif seen.latest != latest:
            seen.latest, seen.since = latest, now
        elif now - seen.since >= self._needed(file):
            seen.settled = latest
        return seen.settled

    def is_young(self, file: str) -> bool:
        """Whether a file was written within `still_seconds`."""
        stamp = stamp_of(file)
        age_ns = self.wall_ns() - stamp[0] if stamp else -1
        return 0 <= age_ns < self.still_seconds * _NS_PER_SECOND

    def _needed(self, file: str) -> float:
        factor = 1 if ends_with_line(file) else _FACTOR_WITHOUT_LINE_END
        return self.still_seconds * factor
