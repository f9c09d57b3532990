"""The twelve languages of TARA, with a greeting in each."""

from dataclasses import dataclass
from enum import StrEnum

from kit.text import gettext_noop


class Speaker(StrEnum):
    """The speaker of a turn in a call."""

    TARA = "TARA"
    CALLER = "Caller"


@dataclass(frozen=True)
class Language:
    """A language by its code, its name in English and in itself, and a greeting in it."""

    code: str
    name: str
    own_name: str
    greeting: str
    sentence: str
    """What TARA says first."""

    @property
    def direction(self) -> str:
        """Return the writing direction, as HTML's `dir`."""
        return "rtl" if self.code == "ur" else "ltr"


LANGUAGES = (
    Language(
        "en",
        gettext_noop("English"),
        "English",
        "Hello",
        "Hello, this is Tara. How can I help you today?",
    ),
    Language(
        "hi",
        gettext_noop("Hindi"),
        "हिन्दी",
        "नमस्ते",
        "नमस्ते, मैं तारा हूँ। मैं आपकी क्या मदद कर सकती हूँ?",
    ),
    Language(
        "ta",
        gettext_noop("Tamil"),
        "தமிழ்",
        "வணக்கம்",
        "வணக்கம், நான் தாரா. நான் உங்களுக்கு எப்படி உதவ முடியும்?",
    ),
    Language(
        "te",
        gettext_noop("Telugu"),
        "తెలుగు",
        "నమస్కారం",
        "నమస్కారం, నేను తారాను. నేను మీకు ఎలా సహాయం చేయగలను?",
    ),
    Language(
        "kn",
        gettext_noop("Kannada"),
        "ಕನ್ನಡ",
        "ನಮಸ್ಕಾರ",
        "ನಮಸ್ಕಾರ, ನಾನು ತಾರಾ. ನಾನು ನಿಮಗೆ ಹೇಗೆ ಸಹಾಯ ಮಾಡಬಹುದು?",
    ),
    Language(
        "ml",
        gettext_noop("Malayalam"),
        "മലയാളം",
        "നമസ്കാരം",
        "നമസ്കാരം, ഞാൻ താരയാണ്. ഞാൻ നിങ്ങളെ എങ്ങനെ സഹായിക്കണം?",
    ),
    Language(
        "bn",
        gettext_noop("Bengali"),
        "বাংলা",
        "নমস্কার",
        "নমস্কার, আমি তারা। আমি আপনাকে কীভাবে সাহায্য করতে পারি?",
    ),
    Language(
        "mr",
        gettext_noop("Marathi"),
        "मराठी",
        "नमस्कार",
        "नमस्कार, मी तारा. मी तुम्हाला कशी मदत करू शकते?",
    ),
    Language(
        "gu",
        gettext_noop("Gujarati"),
        "ગુજરાતી",
        "નમસ્તે",
        "નમસ્તે, હું તારા છું. હું તમને કેવી રીતે મદદ કરી શકું?",
    ),
    Language(
        "pa",
        gettext_noop("Punjabi"),
        "ਪੰਜਾਬੀ",
        "ਸਤ ਸ੍ਰੀ ਅਕਾਲ",
        "ਸਤ ਸ੍ਰੀ ਅਕਾਲ, ਮੈਂ ਤਾਰਾ ਹਾਂ। ਮੈਂ ਤੁਹਾਡੀ ਕੀ ਮਦਦ ਕਰ ਸਕਦੀ ਹਾਂ?",
    ),
    Language(
        "or",
        gettext_noop("Odia"),
        "ଓଡ଼ିଆ",
        "ନମସ୍କାର",
        "ନମସ୍କାର, ମୁଁ ତାରା। ମୁଁ ଆପଣଙ୍କୁ କିପରି ସାହାଯ୍ୟ କରିପାରିବି?",
    ),
    Language(
        "ur",
        gettext_noop("Urdu"),
        "اردو",
        "السلام علیکم",
        "السلام علیکم، میں تارا ہوں۔ میں آپ کی کیا مدد کر سکتی ہوں؟",
    ),
)
