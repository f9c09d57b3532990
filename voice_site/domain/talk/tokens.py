"""From a sentence to words in one spelling, and the phrases of a vocabulary among them."""

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

_NUKTA = "\u093c"
_CHANDRABINDU, _ANUSVARA = "\u0901", "\u0902"
_JOINERS = re.compile("[\u200b-\u200d]")
_WORD = re.compile(
    r"(?P<date>(?<![\d/-])(?:\d{4}-\d{1,2}-\d{1,2}"
    r"|(?:\d{1,2}/\d{1,2}|(?:0?[1-9]|[12]\d|3[01])-(?:0?[1-9]|1[0-2]))(?:[/-]\d{2,4})?)(?![/\d-]))"
    r"|(?P<clock>\d{1,2}[:.]\d{2}(?!\d))"
    r"|(?P<nth>\d{1,2}(?:st|nd|rd|th)\b)"
    r"|(?P<digits>\d+)"
    r"|(?P<word>[@%]|[^\W\d_](?:[^\W\d_]|[\u0900-\u0963'])*)"
)
_DOUBLE_LETTER = re.compile(r"([a-z])\1")
_FOLDS = (("aa", "a"), ("ee", "i"), ("ii", "i"), ("oo", "u"), ("uu", "u"), ("w", "v"), ("z", "j"))
_SHORTEST_FOLDED = 4
DEVANAGARI: Final = re.compile("[\u0900-\u0963]")


@dataclass(frozen=True)
class Word:
    """A word of a sentence."""

    plain: str
    """In small letters and in one spelling."""
    said: str
    kind: str
    """'word', 'digits', 'nth' (3rd), 'clock' (9:30) or 'date' (3/12)."""


@dataclass(frozen=True)
class Found:
    """A word or phrase of a vocabulary at words[start:end]."""

    value: str
    start: int
    end: int


def words_of(sentence: str) -> list[Word]:
    """Return the words of a sentence without its punctuation."""
    said = unicodedata.normalize("NFC", _JOINERS.sub("", sentence)).replace("’", "'")
    return [
        Word(plain(match.group()), match.group(), match.lastgroup or "word")
        for match in _WORD.finditer(_with_plain_digits(said))
    ]


def plain(text: str) -> str:
    """Return a text in small letters, without what spellings of Devanagari differ in."""
    composed = unicodedata.normalize("NFC", text).replace(_NUKTA, "")
    return composed.replace(_CHANDRABINDU, _ANUSVARA).lower()


def folded(word: str) -> str:
    """Return a word without what spellings of Hindi in Latin letters differ in."""
    for long, short in _FOLDS:
        word = word.replace(long, short)
    return _DOUBLE_LETTER.sub(r"\1", word)


def _with_plain_digits(text: str) -> str:
    return "".join(str(unicodedata.digit(each)) if each.isdecimal() else each for each in text)


class Vocabulary:
    """Words and phrases by what they mean.

    A phrase is also found in another spelling, if all its words have at least four letters.
    """

    def __init__(self, table: Mapping[str, str]) -> None:
        """`table` has the phrases of each meaning, with commas between them."""
        self._exact = {
            tuple(word.plain for word in words_of(phrase)): value
            for value, phrases in table.items()
            for phrase in phrases.split(",")
        }
        self._folded = {
            key: value
            for words, value in self._exact.items()
            if min(map(len, key := tuple(map(folded, words)))) >= _SHORTEST_FOLDED
        }
        self._longest = max(map(len, self._exact))

    def find(self, words: list[Word]) -> list[Found]:
        """Return the longest phrases from left to right; none overlap."""
        found: list[Found] = []
        start = 0
        while start < len(words):
            match = self._at(words, start)
            if match:
                found.append(match)
            start = match.end if match else start + 1
        return found

    def _at(self, words: list[Word], start: int) -> Found | None:
        for length in range(min(self._longest, len(words) - start), 0, -1):
            key = tuple(word.plain for word in words[start : start + length])
            value = self._exact.get(key) or self._folded.get(tuple(map(folded, key)))
            if value:
                return Found(value, start, start + length)
        return None


def vocabulary_words(*tables: Mapping[str, str] | str) -> frozenset[str]:
    """Return every single word of tables and lists of phrases, as it is and folded."""
    lists: Iterable[str] = (
        text for table in tables for text in ([table] if isinstance(table, str) else table.values())
    )
    plain_words = {word.plain for text in lists for word in words_of(text)}
    spelled = {folded(word) for word in plain_words}
    return frozenset(plain_words | {word for word in spelled if len(word) >= _SHORTEST_FOLDED})
