"""Names of people in a sentence: what is said beside `my name is` or `बोल रहा हूँ`."""

from collections.abc import Sequence

from voice_site.domain.talk import lexicon, topics
from voice_site.domain.talk.tokens import Found, Vocabulary, Word, folded, vocabulary_words

_FRAMES = Vocabulary(topics.NAME_FRAMES)
_SURNAMES = vocabulary_words(lexicon.DOCTORS)
_KNOWN = vocabulary_words(
    *(lexicon.WEEKDAYS, lexicon.MONTHS, lexicon.DOCTORS, lexicon.COURSES, lexicon.NUMBERS),
    *(lexicon.ORDINALS, lexicon.TIMES, topics.TOPICS, topics.TALK, topics.NAME_FRAMES),
    *(topics.HINDI, topics.FILLER),
)
_MOST_WORDS = 3
_INTRODUCTIONS = ("NAME_IS", "I_AM", "FOR")
_LAST_WORDS = ("SPEAKING", "KE_NAAM")
_IS = ("is", "है", "hai")


def is_known(word: Word) -> bool:
    """Whether the demonstration has this word in one of its lists, or it is a number."""
    return word.kind != "word" or word.plain in _KNOWN or folded(word.plain) in _KNOWN


def find_names(words: Sequence[Word], *, is_asked: bool) -> list[Found]:
    """Return the name that a sentence gives; if it was asked for, any unknown words are one.

    At most one name is returned: the first one that is introduced as such.
    """
    frames = _FRAMES.find(list(words))
    for frame in frames:
        if frame.value in _INTRODUCTIONS and (name := _name_after(words, frame)):
            return [name]
        if frame.value in _LAST_WORDS and (name := _name_before(words, frame.start)):
            return [name]
        if frame.value == "NAME_IS" and (name := _name_of_inversion(words, frame)):
            return [name]
    if not is_asked:
        return []
    begins = next((at for at, word in enumerate(words) if _may_begin(word)), len(words))
    name = _name_from(words, begins)
    return [name] if name else []


def _name_after(words: Sequence[Word], frame: Found) -> Found | None:
    begins = frame.end
    if begins < len(words) and words[begins].plain in _IS:
        begins += 1
    if frame.value == "FOR" and not (begins < len(words) and words[begins].said[0].isupper()):
        return None
    if frame.value == "NAME_IS" and _is_written_as_name(words, begins):
        return _name_from(words, begins, least=1)
    return _name_from(words, begins)


def _is_written_as_name(words: Sequence[Word], at: int) -> bool:
    """Whether a word in Latin letters is written with a capital: `my name is Meet`."""
    return at < len(words) and words[at].kind == "word" and words[at].said[0].isupper()


def _name_from(words: Sequence[Word], begins: int, *, least: int = 0) -> Found | None:
    """Return the unknown words from here, the `least` first ones also if they are known.

    Surnames of doctors are those of other people, too.
    """
    end = begins + least
    while end < min(len(words), begins + _MOST_WORDS) and (
        not is_known(words[end]) or (end > begins and words[end].plain in _SURNAMES)
    ):
        end += 1
    return _found(words, begins, end)


def _name_of_inversion(words: Sequence[Word], frame: Found) -> Found | None:
    """Return the name of `Rohit hai mera naam`."""
    is_at = frame.start - 1
    return _name_before(words, is_at) if is_at > 0 and words[is_at].plain in _IS else None


def _name_before(words: Sequence[Word], end: int) -> Found | None:
    begins = end
    while begins > max(0, end - _MOST_WORDS) and _may_begin(words[begins - 1]):
        begins -= 1
    return _found(words, begins, end)


def _may_begin(word: Word) -> bool:
    return not is_known(word)


def _found(words: Sequence[Word], begins: int, end: int) -> Found | None:
    if begins >= end:
        return None
    said = [word.said for word in words[begins:end]]
    return Found(" ".join(each.title() if each.islower() else each for each in said), begins, end)
