"""How long a speaker waits before a turn.

People answer within 0.2 s to 0.9 s: a short reply at once, a long answer, which needs a look into
a calendar, later. The same turn waits equally long in each run.
"""

from itertools import pairwise
from zlib import crc32

from voice_site.content.calls import Call, Turn
from voice_site.content.languages import Speaker

LEAD_IN_SECONDS = 0.45
"""The silence before the first turn and after the last one."""
OVERLAP_SECONDS = 0.5
"""How long both speak before the one who is interrupted stops."""
_LONG_WORDS = 14
_QUICK, _USUAL, _LOOKS_UP, _SEPARATE = (0.2, 0.45), (0.35, 0.6), (0.6, 0.8), (0.5, 0.8)
"""The least and the greatest gap. The speech itself has 0.05 s of silence at either end."""


def gap_before(turn: Turn, call: Call, language: str) -> float:
    """Return the seconds between the turn before, in the order of the file, and this one."""
    least, greatest = _bounds(turn, call)
    place = crc32(f"{language} {call.id} {turn.id}".encode()) / 2**32
    return round(least + place * (greatest - least), 2)


def _bounds(turn: Turn, call: Call) -> tuple[float, float]:
    if turn.speaker is Speaker.TARA and len(turn.text.split()) > _LONG_WORDS:
        return _LOOKS_UP
    if _is_separate(turn, call):
        return _SEPARATE
    return _QUICK if turn.speaker is Speaker.CALLER else _USUAL


def _is_separate(turn: Turn, call: Call) -> bool:
    """Return whether the replay stops or jumps before the turn, which takes it 0.3 s."""
    ids = [each.id for each in call.turns]
    before = ids[ids.index(turn.id) - 1]
    paths = [[each.id for each in (*call.opening, *reply)] for reply in call.replies]
    after = {follower for path in paths for each, follower in pairwise(path) if each == before}
    return bool(paths) and after != {turn.id}
