"""Texts as the phonemes that Kokoro reads, by espeak-ng."""

import re
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass

_PUNCTUATION = ";:,.!?।"
_PHRASES = re.compile(rf"[^{_PUNCTUATION}]+[{_PUNCTUATION}]*")
_VOICES = {"en": "en-us", "hi": "hi"}
"""espeak-ng's name of each language; `en-in` is English with sounds of Hindi."""


def _pairs(text: str) -> dict[str, str]:
    return dict(pair.split("=") for pair in text.split())


_DIPHTHONGS = "a^ɪ=I a^ʊ=W e^ɪ=A o^ʊ=O ɔ^ɪ=Y aɪ=I aʊ=W eɪ=A oʊ=O ɔɪ=Y d^ʒ=ʤ dʒ=ʤ t^ʃ=ʧ tʃ=ʧ"
_SPELLINGS = {
    "en": _pairs(f"{_DIPHTHONGS} ə^l=ᵊl ʲ= ɚ=əɹ r=ɹ x=k ɐ=ə ɬ=l ɜːɹ=ɜɹ ɜː=ɜɹ ɪə=iə ː= ɾ=T e=A o=ɔ"),
    "hi": _pairs(f"{_DIPHTHONGS} r.=ɽ ɦ=h"),
}
"""espeak-ng's spellings and those that the model was trained on, in the order of replacement."""
_ACCENTS = {"en-in": _pairs("T=ʈ t=ʈ d=ɖ θ=tʰ ð=d w=ʋ v=ʋ A=eː O=oː ɹ=ɾ")}
"""Sounds of American English, and those of Hindi that speakers in India use for them."""
_JOINED = {("in", "the"), ("on", "the"), ("i", "am"), ("has", "not")}
"""English words that espeak-ng returns as one."""
_CORRECTIONS = _pairs(
    "Tara=tˈɑɹə Mehta=mˈɛtɑ Rohan=ɹˈOhən Sharma=ʃˈɑɹmə Kesar=kˈAsəɹ Himadri=hɪmˈɑdɹi "
    "Arun=ˈʌɹʊn Varun=vˈʌɹʊn Nair=nˈAəɹ Half=hˈɑf"
)
"""Indian names that espeak-ng reads as if they were American, and 'Half' at a sentence's start.

There, without a word before it, the American vowel (`hˈæf`) is heard as 'have'; this one is that of
Indian English.
"""
_PRONOUN = re.compile(r"I\b")
_STRESS = "ˌ"
"""Secondary stress, with which the model was trained to read 'I'.

espeak-ng returns none. The model then gives the word 70 ms and almost no sound at the start of a
sentence.
"""


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
    texts, phonemes = _spoken_words(bare), _phonemes(bare, language[:2])
    if len(texts) != len(phonemes):
        raise ValueError(f"{texts} are spoken as {phonemes}")
    pause = punctuation.replace("।", ".")
    spoken = [_pronounced(*pair, language) for pair in zip(texts, phonemes, strict=True)]
    yield from map(Word, texts[:-1], spoken[:-1])
    yield Word(texts[-1] + punctuation, spoken[-1] + pause)


def _pronounced(text: str, phonemes: str, language: str) -> str:
    """Return the phonemes of a word, corrected where espeak-ng's mislead the model."""
    spoken = _CORRECTIONS.get(text, phonemes) if language != "hi" else phonemes
    if _PRONOUN.match(text) and spoken.startswith("I"):
        spoken = _STRESS + spoken
    for american, indian in _ACCENTS.get(language, {}).items():
        spoken = spoken.replace(american, indian)
    return spoken


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
