"""Texts as the phonemes that Kokoro reads, by espeak-ng."""

import re
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass

_PUNCTUATION = ";:,.!?।"
_PHRASES = re.compile(rf"[^{_PUNCTUATION}]+[{_PUNCTUATION}]*")
_VOICES = {"en": "en-us", "hi": "hi"}
"""espeak-ng's name of each language."""


def _pairs(text: str) -> dict[str, str]:
    return dict(pair.split("=") for pair in text.split())


_DIPHTHONGS = "a^ɪ=I a^ʊ=W e^ɪ=A o^ʊ=O ɔ^ɪ=Y aɪ=I aʊ=W eɪ=A oʊ=O ɔɪ=Y d^ʒ=ʤ dʒ=ʤ t^ʃ=ʧ tʃ=ʧ"
_SPELLINGS = {
    "en": _pairs(f"{_DIPHTHONGS} ə^l=ᵊl ʲ= ɚ=əɹ r=ɹ x=k ɐ=ə ɬ=l ɜːɹ=ɜɹ ɜː=ɜɹ ɪə=iə ː= ɾ=T e=A o=ɔ"),
    "hi": _pairs(f"{_DIPHTHONGS} r.=ɽ ɦ=h"),
}
"""espeak-ng's spellings and those that the model was trained on, in the order of replacement."""
_JOINED = {("in", "the"), ("on", "the"), ("i", "am"), ("has", "not")}
"""English words that espeak-ng returns as one."""
_NAMES = _pairs("tara=tˈɑɹə mehta=mˈɛtɑ rohan=ɹˈOhən sharma=ʃˈɑɹmə kesar=kˈAsəɹ")
"""Indian names that espeak-ng reads as if they were American."""


@dataclass(frozen=True)
class Word:
    """A word, or words that are spoken as one, with its punctuation and its phonemes."""

    text: str
    phonemes: str


def words_of(text: str, language: str) -> list[Word]:
    """Return the words of a text.

    espeak-ng reads phrase by phrase: its old versions return no punctuation.

    Raises:
        ValueError: If the words and their phonemes can't be matched; add the pair to `_JOINED`.
    """
    phrases = [phrase.strip() for phrase in _PHRASES.findall(text)]
    return [word for phrase in phrases for word in _phrase(phrase, language)]


def _phrase(phrase: str, language: str) -> Iterator[Word]:
    bare = phrase.rstrip(_PUNCTUATION)
    punctuation = phrase[len(bare) :]
    texts, phonemes = _spoken_words(bare), _phonemes(bare, language)
    if len(texts) != len(phonemes):
        raise ValueError(f"{texts} are spoken as {phonemes}")
    pause = punctuation.replace("।", ".")
    for text, known in zip(texts[:-1], phonemes[:-1], strict=True):
        yield Word(text, _NAMES.get(text.lower(), known))
    last = _NAMES.get(texts[-1].lower(), phonemes[-1])
    yield Word(texts[-1] + punctuation, last + pause)


def _spoken_words(phrase: str) -> list[str]:
    spoken: list[str] = []
    for word in phrase.split():
        if spoken and (spoken[-1].lower(), word.lower()) in _JOINED:
            spoken[-1] += f" {word}"
        else:
            spoken.append(word)
    return spoken


def _phonemes(phrase: str, language: str) -> list[str]:
    command = ["espeak-ng", "-q", "--ipa", "--tie=^", "-v", _VOICES[language], phrase]
    ipa = subprocess.run(command, check=True, capture_output=True, text=True).stdout  # noqa: S603
    for spelling, trained in _SPELLINGS[language].items():
        ipa = ipa.replace(spelling, trained)
    return re.sub("[\u200d^-]", "", ipa).split()
