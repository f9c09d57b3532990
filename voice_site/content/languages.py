"""The twelve languages of the samples, with the texts of a call in each."""

from dataclasses import dataclass
from enum import StrEnum


class Speaker(StrEnum):
    """The speaker of a turn in a sample."""

    TARA = "TARA"
    CALLER = "Caller"


@dataclass(frozen=True)
class Language:
    """A language by its code, its name in English and in itself, and a call in it."""

    code: str
    name: str
    own_name: str
    greeting: str
    sentence: str
    request: str
    answer: str

    @property
    def direction(self) -> str:
        """Return the writing direction, as HTML's `dir`."""
        return "rtl" if self.code == "ur" else "ltr"

    @property
    def turns(self) -> tuple[tuple[Speaker, str], ...]:
        """Return the call: TARA introduces herself, the caller asks, TARA answers."""
        return (
            (Speaker.TARA, self.sentence),
            (Speaker.CALLER, self.request),
            (Speaker.TARA, self.answer),
        )


LANGUAGES = (
    Language(
        "en",
        "English",
        "English",
        "Hello",
        "Hello, this is Tara. How can I help you today?",
        "I would like to book a seat for Friday.",
        "Of course. Your seat for Friday is booked. Thank you for calling.",
    ),
    Language(
        "hi",
        "Hindi",
        "हिन्दी",
        "नमस्ते",
        "नमस्ते, मैं तारा हूँ। मैं आपकी क्या मदद कर सकती हूँ?",
        "मुझे शुक्रवार के लिए एक सीट बुक करनी है।",
        "ठीक है। शुक्रवार के लिए आपकी सीट बुक हो गई है। धन्यवाद।",
    ),
    Language(
        "ta",
        "Tamil",
        "தமிழ்",
        "வணக்கம்",
        "வணக்கம், நான் தாரா. நான் உங்களுக்கு எப்படி உதவ முடியும்?",
        "வெள்ளிக்கிழமைக்கு ஒரு இடம் முன்பதிவு செய்ய வேண்டும்.",
        "சரி. வெள்ளிக்கிழமைக்கு உங்கள் இடம் முன்பதிவு செய்யப்பட்டது. நன்றி.",
    ),
    Language(
        "te",
        "Telugu",
        "తెలుగు",
        "నమస్కారం",
        "నమస్కారం, నేను తారాను. నేను మీకు ఎలా సహాయం చేయగలను?",
        "శుక్రవారానికి ఒక సీటు బుక్ చేయాలి.",
        "సరే. శుక్రవారానికి మీ సీటు బుక్ అయింది. ధన్యవాదాలు.",
    ),
    Language(
        "kn",
        "Kannada",
        "ಕನ್ನಡ",
        "ನಮಸ್ಕಾರ",
        "ನಮಸ್ಕಾರ, ನಾನು ತಾರಾ. ನಾನು ನಿಮಗೆ ಹೇಗೆ ಸಹಾಯ ಮಾಡಬಹುದು?",
        "ಶುಕ್ರವಾರಕ್ಕೆ ಒಂದು ಸೀಟು ಕಾಯ್ದಿರಿಸಬೇಕು.",
        "ಸರಿ. ಶುಕ್ರವಾರಕ್ಕೆ ನಿಮ್ಮ ಸೀಟು ಕಾಯ್ದಿರಿಸಲಾಗಿದೆ. ಧನ್ಯವಾದಗಳು.",
    ),
    Language(
        "ml",
        "Malayalam",
        "മലയാളം",
        "നമസ്കാരം",
        "നമസ്കാരം, ഞാൻ താരയാണ്. ഞാൻ നിങ്ങളെ എങ്ങനെ സഹായിക്കണം?",
        "വെള്ളിയാഴ്ചത്തേക്ക് ഒരു സീറ്റ് ബുക്ക് ചെയ്യണം.",
        "ശരി. വെള്ളിയാഴ്ചത്തേക്ക് നിങ്ങളുടെ സീറ്റ് ബുക്ക് ചെയ്തു. നന്ദി.",
    ),
    Language(
        "bn",
        "Bengali",
        "বাংলা",
        "নমস্কার",
        "নমস্কার, আমি তারা। আমি আপনাকে কীভাবে সাহায্য করতে পারি?",
        "শুক্রবারের জন্য একটা সিট বুক করতে চাই।",
        "ঠিক আছে। শুক্রবারের জন্য আপনার সিট বুক করা হয়েছে। ধন্যবাদ।",
    ),
    Language(
        "mr",
        "Marathi",
        "मराठी",
        "नमस्कार",
        "नमस्कार, मी तारा. मी तुम्हाला कशी मदत करू शकते?",
        "मला शुक्रवारसाठी एक जागा राखून ठेवायची आहे.",
        "ठीक आहे. शुक्रवारसाठी तुमची जागा राखून ठेवली आहे. धन्यवाद.",
    ),
    Language(
        "gu",
        "Gujarati",
        "ગુજરાતી",
        "નમસ્તે",
        "નમસ્તે, હું તારા છું. હું તમને કેવી રીતે મદદ કરી શકું?",
        "મારે શુક્રવાર માટે એક સીટ બુક કરવી છે.",
        "સારું. શુક્રવાર માટે તમારી સીટ બુક થઈ ગઈ છે. આભાર.",
    ),
    Language(
        "pa",
        "Punjabi",
        "ਪੰਜਾਬੀ",
        "ਸਤ ਸ੍ਰੀ ਅਕਾਲ",
        "ਸਤ ਸ੍ਰੀ ਅਕਾਲ, ਮੈਂ ਤਾਰਾ ਹਾਂ। ਮੈਂ ਤੁਹਾਡੀ ਕੀ ਮਦਦ ਕਰ ਸਕਦੀ ਹਾਂ?",
        "ਮੈਂ ਸ਼ੁੱਕਰਵਾਰ ਲਈ ਇੱਕ ਸੀਟ ਬੁੱਕ ਕਰਨੀ ਹੈ।",
        "ਠੀਕ ਹੈ। ਸ਼ੁੱਕਰਵਾਰ ਲਈ ਤੁਹਾਡੀ ਸੀਟ ਬੁੱਕ ਹੋ ਗਈ ਹੈ। ਧੰਨਵਾਦ।",
    ),
    Language(
        "or",
        "Odia",
        "ଓଡ଼ିଆ",
        "ନମସ୍କାର",
        "ନମସ୍କାର, ମୁଁ ତାରା। ମୁଁ ଆପଣଙ୍କୁ କିପରି ସାହାଯ୍ୟ କରିପାରିବି?",
        "ମୁଁ ଶୁକ୍ରବାର ପାଇଁ ଗୋଟିଏ ସିଟ୍ ବୁକ୍ କରିବାକୁ ଚାହୁଁଛି।",
        "ଠିକ୍ ଅଛି। ଶୁକ୍ରବାର ପାଇଁ ଆପଣଙ୍କ ସିଟ୍ ବୁକ୍ ହୋଇଗଲା। ଧନ୍ୟବାଦ।",
    ),
    Language(
        "ur",
        "Urdu",
        "اردو",
        "السلام علیکم",
        "السلام علیکم، میں تارا ہوں۔ میں آپ کی کیا مدد کر سکتی ہوں؟",
        "مجھے جمعہ کے لیے ایک سیٹ بک کرنی ہے۔",
        "ٹھیک ہے۔ جمعہ کے لیے آپ کی سیٹ بک ہو گئی ہے۔ شکریہ۔",
    ),
)
