"""Scripted calls to three businesses, in the languages that TARA's voice speaks.

A call has one place where the caller chooses between replies; the first reply is the call as it is
played from start to end. `scenes.py` has the calls without a choice.
"""

from dataclasses import dataclass
from itertools import chain

from kit.text import gettext_noop
from voice_site.content.languages import Speaker


@dataclass(frozen=True)
class Turn:
    """What one speaker says without a pause for the other; `id` is unique in its call."""

    id: str
    speaker: Speaker
    text: str
    spoken: str = ""
    """The same words in the script that the voice reads, if `text` is in another one."""
    unsaid: str = ""
    """The rest of the sentence, which the other speaker cuts off."""


@dataclass(frozen=True)
class Call:
    """A call: the turns before the choice, and those after each reply, the caller's first.

    A call without a choice has no replies.
    """

    id: str
    industry: str
    """One of the industries of the demo request's form."""
    title: str
    opening: tuple[Turn, ...]
    replies: tuple[tuple[Turn, ...], ...] = ()
    lang: str = ""
    """The language tag of the texts, if it is not that of the voice."""

    @property
    def turns(self) -> tuple[Turn, ...]:
        """Return every turn once: the call with the first reply, then those of the others."""
        turns = {turn.id: turn for turn in chain(self.opening, *self.replies)}
        return tuple(turns.values())

    @property
    def main_path(self) -> tuple[Turn, ...]:
        """Return the turns of the call with the first reply."""
        return self.opening + (self.replies[0] if self.replies else ())


def tara(id_: str, text: str, *, spoken: str = "", unsaid: str = "") -> Turn:
    """Return a turn of TARA."""
    return Turn(id_, Speaker.TARA, text, spoken, unsaid)


def caller(id_: str, text: str, *, spoken: str = "") -> Turn:
    """Return a turn of the caller."""
    return Turn(id_, Speaker.CALLER, text, spoken)


_CLINIC_NAME_EN = caller("name", "Rohan Sharma.")
_ORDER_THANKS_EN = caller("thanks", "No, that's all. Thank you.")
_ORDER_BYE_EN = tara("goodbye", "You're welcome. Have a nice day.")

_ENGLISH = (
    Call(
        "clinic",
        "Healthcare",
        gettext_noop("An appointment at a clinic"),
        (
            tara("greeting", "Sunrise Skin Clinic, good morning. I'm Tara. How can I help you?"),
            caller("request", "Hello. I'd like to see Doctor Mehta on Friday."),
            tara(
                "offer",
                "Of course. On Friday, Doctor Mehta is free at eleven in the morning, or at half "
                "past four. Which one suits you?",
            ),
        ),
        (
            (
                caller("afternoon", "Half past four, please."),
                tara("ask-afternoon", "Half past four it is. May I have your name?"),
                _CLINIC_NAME_EN,
                tara(
                    "booked-afternoon",
                    "Thank you, Rohan. You will see Doctor Mehta on Friday at half past four. I "
                    "have sent the details to your phone.",
                ),
            ),
            (
                caller("morning", "Eleven in the morning is better."),
                tara("ask-morning", "Eleven in the morning, then. May I have your name?"),
                _CLINIC_NAME_EN,
                tara(
                    "booked-morning",
                    "Thank you, Rohan. You will see Doctor Mehta on Friday at eleven. I have sent "
                    "the details to your phone.",
                ),
            ),
            (
                caller("person", "I would rather talk to a person."),
                tara(
                    "hand-over",
                    "I understand. I am connecting you to the front desk, and I will tell them "
                    "that you want to see Doctor Mehta on Friday.",
                ),
            ),
        ),
    ),
    Call(
        "college",
        "Education",
        gettext_noop("A question to a college"),
        (
            tara("greeting", "Horizon College, admissions. I'm Tara. What would you like to know?"),
            caller("request", "When is the last date to apply for engineering?"),
            tara(
                "offer",
                "Applications for engineering close on the thirtieth of June. The form takes ten "
                "minutes. Shall I send you the link?",
            ),
        ),
        (
            (
                caller("link", "Yes, please send me the link."),
                tara("ask-number", "Gladly. Shall I send it to this number?"),
                caller("this-number", "Yes, this number is fine."),
                tara(
                    "sent",
                    "It is on its way. I will also remind you one week before the last date.",
                ),
            ),
            (
                caller("fees", "Tell me about the fees first."),
                tara(
                    "fees-answer",
                    "The tuition fee is one lakh twenty thousand rupees a year. The best hundred "
                    "in the entrance test pay half. I am sending you the list of all fees.",
                ),
            ),
            (
                caller("hostel", "Is there a hostel for girls?"),
                tara(
                    "hostel-answer",
                    "Yes, there is one on the campus. A counsellor will call you today, and tell "
                    "you which rooms are free.",
                ),
            ),
        ),
    ),
    Call(
        "order",
        "E-commerce",
        gettext_noop("The status of an order"),
        (
            tara("greeting", "Kesar Home Store. I'm Tara. Are you calling about an order?"),
            caller("request", "Yes. My order has not come yet. The number is four seven one two."),
            tara(
                "offer",
                "Thank you. Your order left our warehouse this morning, and it reaches you "
                "tomorrow before noon. Will someone be at home?",
            ),
        ),
        (
            (
                caller("at-home", "Yes, I will be at home."),
                tara(
                    "confirmed",
                    "Perfect. The driver will call you half an hour before. Is there anything "
                    "else?",
                ),
                _ORDER_THANKS_EN,
                _ORDER_BYE_EN,
            ),
            (
                caller("saturday", "No. Please bring it on Saturday."),
                tara(
                    "moved",
                    "I have moved it to Saturday, between ten and one. Is there anything else?",
                ),
                _ORDER_THANKS_EN,
                _ORDER_BYE_EN,
            ),
            (
                caller("cancel", "I want to cancel the order."),
                tara(
                    "hand-over",
                    "It is already on its way, so I cannot cancel it myself. I am connecting you "
                    "to a colleague who can arrange the refund.",
                ),
            ),
        ),
    ),
)

_CLINIC_NAME_HI = caller("name", "रोहन शर्मा।")
_ORDER_THANKS_HI = caller("thanks", "नहीं, बस इतना ही। धन्यवाद।")
_ORDER_BYE_HI = tara("goodbye", "धन्यवाद। आपका दिन शुभ हो।")

_HINDI = (
    Call(
        "clinic",
        "Healthcare",
        gettext_noop("An appointment at a clinic"),
        (
            tara(
                "greeting",
                "नमस्ते, सनराइज़ स्किन क्लिनिक से तारा बोल रही हूँ। बताइए, मैं आपकी क्या मदद करूँ?",
            ),
            caller("request", "नमस्ते। मुझे शुक्रवार को डॉक्टर मेहता से मिलना है।"),
            tara(
                "offer",
                "ज़रूर। शुक्रवार को डॉक्टर मेहता सुबह ग्यारह बजे, या शाम साढ़े चार बजे मिल सकते हैं। "
                "आपको कौन सा समय ठीक रहेगा?",
            ),
        ),
        (
            (
                caller("afternoon", "साढ़े चार बजे ठीक रहेगा।"),
                tara("ask-afternoon", "ठीक है, शाम साढ़े चार बजे। आपका नाम बताइए?"),
                _CLINIC_NAME_HI,
                tara(
                    "booked-afternoon",
                    "धन्यवाद, रोहन जी। शुक्रवार शाम साढ़े चार बजे डॉक्टर मेहता आपसे मिलेंगे। जानकारी "
                    "मैंने आपके फ़ोन पर भेज दी है।",
                ),
            ),
            (
                caller("morning", "सुबह ग्यारह बजे बेहतर रहेगा।"),
                tara("ask-morning", "ठीक है, सुबह ग्यारह बजे। आपका नाम बताइए?"),
                _CLINIC_NAME_HI,
                tara(
                    "booked-morning",
                    "धन्यवाद, रोहन जी। शुक्रवार सुबह ग्यारह बजे डॉक्टर मेहता आपसे मिलेंगे। जानकारी "
                    "मैंने आपके फ़ोन पर भेज दी है।",
                ),
            ),
            (
                caller("person", "मैं किसी इंसान से बात करना चाहता हूँ।"),
                tara(
                    "hand-over",
                    "जी, समझ गई। मैं आपको रिसेप्शन से जोड़ रही हूँ, और उन्हें बता दूँगी कि आप शुक्रवार को "
                    "डॉक्टर मेहता से मिलना चाहते हैं।",
                ),
            ),
        ),
    ),
    Call(
        "college",
        "Education",
        gettext_noop("A question to a college"),
        (
            tara(
                "greeting",
                "नमस्ते, होराइज़न कॉलेज के दाख़िला विभाग से तारा बोल रही हूँ। आप क्या जानना चाहेंगे?",
            ),
            caller("request", "इंजीनियरिंग में आवेदन की आख़िरी तारीख़ क्या है?"),
            tara(
                "offer",
                "इंजीनियरिंग के आवेदन तीस जून तक लिए जाएँगे। फ़ॉर्म भरने में दस मिनट लगते हैं। क्या मैं आपको "
                "लिंक भेज दूँ?",
            ),
        ),
        (
            (
                caller("link", "हाँ, लिंक भेज दीजिए।"),
                tara("ask-number", "ज़रूर। क्या इसी नंबर पर भेज दूँ?"),
                caller("this-number", "हाँ, इसी नंबर पर।"),
                tara(
                    "sent",
                    "लिंक भेज दिया है। आख़िरी तारीख़ से एक हफ़्ते पहले मैं आपको याद भी दिला दूँगी।",
                ),
            ),
            (
                caller("fees", "पहले फ़ीस के बारे में बताइए।"),
                tara(
                    "fees-answer",
                    "एक साल की फ़ीस एक लाख बीस हज़ार रुपये है। प्रवेश परीक्षा के पहले सौ छात्रों को आधी फ़ीस "
                    "देनी होती है। पूरी सूची मैं आपको भेज रही हूँ।",
                ),
            ),
            (
                caller("hostel", "क्या लड़कियों के लिए हॉस्टल है?"),
                tara(
                    "hostel-answer",
                    "जी हाँ, कैंपस में ही है। हमारे सलाहकार आज आपको फ़ोन करके बताएँगे कि कौन से कमरे ख़ाली हैं।",
                ),
            ),
        ),
    ),
    Call(
        "order",
        "E-commerce",
        gettext_noop("The status of an order"),
        (
            tara(
                "greeting",
                "नमस्ते, केसर होम स्टोर से तारा बोल रही हूँ। क्या आप किसी ऑर्डर के बारे में पूछना चाहते हैं?",
            ),
            caller("request", "हाँ, मेरा ऑर्डर अभी तक नहीं आया। नंबर है चार सात एक दो।"),
            tara(
                "offer",
                "धन्यवाद। आपका ऑर्डर आज सुबह हमारे गोदाम से निकल चुका है, और कल दोपहर से पहले पहुँच "
                "जाएगा। क्या घर पर कोई रहेगा?",
            ),
        ),
        (
            (
                caller("at-home", "हाँ, मैं घर पर रहूँगा।"),
                tara(
                    "confirmed",
                    "बहुत अच्छा। ड्राइवर आधे घंटे पहले आपको फ़ोन करेंगे। कुछ और पूछना है?",
                ),
                _ORDER_THANKS_HI,
                _ORDER_BYE_HI,
            ),
            (
                caller("saturday", "नहीं, शनिवार को भेज दीजिए।"),
                tara(
                    "moved",
                    "ठीक है, अब वह शनिवार को दस से एक बजे के बीच आएगा। कुछ और पूछना है?",
                ),
                _ORDER_THANKS_HI,
                _ORDER_BYE_HI,
            ),
            (
                caller("cancel", "मुझे ऑर्डर रद्द करना है।"),
                tara(
                    "hand-over",
                    "ऑर्डर निकल चुका है, इसलिए मैं उसे ख़ुद रद्द नहीं कर सकती। मैं आपको एक साथी से जोड़ रही हूँ, "
                    "जो आपके पैसे वापस करवा देंगे।",
                ),
            ),
        ),
    ),
)

CALLS = {"en": _ENGLISH, "hi": _HINDI}
"""The calls in each language that has a voice, by the language's code."""
