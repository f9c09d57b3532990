"""The tokens of days, times and numbers, and how a number is read from them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from voice_site.domain.talk.lexicon import GRAMMAR
from voice_site.domain.talk.tokens import Found, Vocabulary, Word

_VOCABULARY = Vocabulary(GRAMMAR)
_TENS = range(20, 100, 10)
_UNITS = range(1, 10)
_LONGEST_NUMBER = 2
NUMERIC: Final = ("number", "digits")


@dataclass(frozen=True)
class Token:
    """A word or phrase of the grammar at words[start:end], or any other word of kind 'word'."""

    kind: str
    value: str
    start: int
    end: int

    def means(self, *concepts: str) -> bool:
        """Whether it is one of the words of the grammar with these concepts."""
        return self.kind == "time" and self.value in concepts


_END = Token("end", "", 0, 0)


class Tokens:
    """The tokens of a sentence; beyond its ends there are tokens of kind 'end'."""

    def __init__(self, words: Sequence[Word]) -> None:
        found = {each.start: each for each in _VOCABULARY.find(list(words))}
        tokens: list[Token] = []
        at = 0
        while at < len(words):
            tokens.append(_token(words[at], at, found.get(at)))
            at = tokens[-1].end
        self._tokens = tokens

    def __len__(self) -> int:
        return len(self._tokens)

    def __getitem__(self, at: int) -> Token:
        return self._tokens[at] if 0 <= at < len(self._tokens) else _END

    def number(self, at: int) -> tuple[int, int] | None:
        """Return the number of up to two digits that begins here, and where it ends."""
        token = self[at]
        if token.means("DO") and self._is_two(at):
            return 2, at + 1
        if token.kind not in NUMERIC or len(token.value) > _LONGEST_NUMBER:
            return None
        value, after = int(token.value), self[at + 1]
        is_in_words = token.kind == after.kind == "number"
        if is_in_words and value in _TENS and int(after.value) in _UNITS:
            return value + int(after.value), at + 2
        return value, at + 1

    def _is_two(self, at: int) -> bool:
        """Whether `do` is the Hindi number: beside a number, or before hours or days."""
        after, before = self[at + 1], self[at - 1]
        return (
            after.means("OCLOCK", "DAYS", "WEEK")
            or after.kind in (*NUMERIC, "month")
            or before.kind in NUMERIC
            or before.means("PLUS_QUARTER", "LESS_QUARTER")
        )


def _token(word: Word, at: int, found: Found | None) -> Token:
    if found and word.kind == "word":
        kind, _, value = found.value.partition(":")
        return Token(kind, value, found.start, found.end)
    return Token(word.kind, word.plain, at, at + 1)
