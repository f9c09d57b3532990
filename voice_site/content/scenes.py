"""Scripted calls for the player alone: an interruption, a mishearing, and a call in Hinglish.

Nobody chooses in them: they show how TARA stops when the caller speaks, repairs what it misheard,
and reads everything back before it books.
"""

from typing import Final

from kit.text import gettext_noop
from voice_site.content.calls import CALLS, Call, caller, tara

_REPAIR_TITLE: Final = gettext_noop("A repair: interrupted and misheard")

_REPAIR_EN = Call(
    "repair",
    "Other",
    _REPAIR_TITLE,
    (
        tara(
            "greeting",
            "Himadri Appliance Service, good afternoon. I'm Tara. What can I do for you?",
        ),
        caller("request", "My washing machine has stopped working. Can you send someone?"),
        tara("ask-name", "I'm sorry to hear that. May I have your name, please?"),
        caller("name", "Varun Nair."),
        tara("misheard", "Thank you, Arun. On which day may our technician come?"),
        caller("correction", "No, not Arun. Varun, with a V. Any day next week."),
        tara(
            "slots",
            "I beg your pardon, Varun. We can come on Monday at nine, on Monday at two, on—",
            unsaid="Tuesday at ten, and on Tuesday at four.",
        ),
        caller("interruption", "Monday at two is fine."),
        tara(
            "read-back",
            "Monday at two. Let me read it back. Varun Nair, a washing machine, Monday at two in "
            "the afternoon. Shall I book it?",
        ),
        caller("yes", "Yes, please book it."),
        tara("booked", "It is booked. You will get a message on this number. Goodbye, Varun."),
    ),
)

_REPAIR_HI = Call(
    "repair",
    "Other",
    _REPAIR_TITLE,
    (
        tara(
            "greeting",
            "नमस्ते, हिमाद्री अप्लायंस सर्विस से तारा बोल रही हूँ। बताइए, मैं आपकी क्या मदद करूँ?",
        ),
        caller("request", "मेरी वॉशिंग मशीन बंद हो गई है। क्या आप किसी को भेज सकते हैं?"),
        tara("ask-name", "जी, ज़रूर। आपका नाम बताइए?"),
        caller("name", "वरुण नायर।"),
        tara("misheard", "धन्यवाद, अरुण जी। हमारे कारीगर किस दिन आएँ?"),
        caller("correction", "अरुण नहीं, वरुण। अगले हफ़्ते किसी भी दिन।"),
        tara(
            "slots",
            "माफ़ कीजिए, वरुण जी। हम सोमवार सुबह नौ बजे, सोमवार दोपहर दो बजे, मंगलवार—",
            unsaid="सुबह दस बजे, या मंगलवार शाम चार बजे आ सकते हैं।",
        ),
        caller("interruption", "सोमवार दोपहर दो बजे ठीक है।"),
        tara(
            "read-back",
            "ठीक है। एक बार दोहरा दूँ। वरुण नायर, वॉशिंग मशीन, सोमवार दोपहर दो बजे। क्या मैं बुक कर दूँ?",
        ),
        caller("yes", "हाँ, कर दीजिए।"),
        tara("booked", "बुक हो गया। इसी नंबर पर आपको संदेश मिल जाएगा। धन्यवाद, वरुण जी।"),
    ),
)

HINGLISH = Call(
    "hinglish",
    "Healthcare",
    gettext_noop("A call in Hinglish"),
    (
        tara(
            "greeting",
            "Namaste, Sunrise Skin Clinic se Tara bol rahi hoon. Bataiye, kya help karoon?",
            spoken="नमस्ते, सनराइज़ स्किन क्लिनिक से तारा बोल रही हूँ। बताइए, क्या हेल्प करूँ?",
        ),
        caller(
            "request",
            "Hello, kal shaam ko Doctor Mehta ka appointment milega?",
            spoken="हेलो, कल शाम को डॉक्टर मेहता का अपॉइंटमेंट मिलेगा?",
        ),
        tara(
            "offer",
            "Ji, kal shaam do slot free hain: paanch baje, aur saade chhah baje. Kaun sa time "
            "theek rahega?",
            spoken="जी, कल शाम दो स्लॉट फ़्री हैं: पाँच बजे, और साढ़े छह बजे। कौन सा टाइम ठीक रहेगा?",
        ),
        caller(
            "choice",
            "Saade chhah better rahega. Paanch baje tak meri meeting hai.",
            spoken="साढ़े छह बेटर रहेगा। पाँच बजे तक मेरी मीटिंग है।",
        ),
        tara("ask-name", "Theek hai. Aapka naam bataiye?", spoken="ठीक है। आपका नाम बताइए?"),
        caller("name", "Rohan Sharma.", spoken="रोहन शर्मा।"),
        tara(
            "read-back",
            "Ek baar confirm kar loon. Rohan Sharma, Doctor Mehta, kal shaam saade chhah baje. "
            "Book kar doon?",
            spoken="एक बार कन्फ़र्म कर लूँ। रोहन शर्मा, डॉक्टर मेहता, कल शाम साढ़े छह बजे। बुक कर दूँ?",
        ),
        caller("yes", "Haan, kar dijiye. Thank you.", spoken="हाँ, कर दीजिए। थैंक यू।"),
        tara(
            "booked",
            "Done. Details aapke phone par bhej di hain. Kal milte hain.",
            spoken="डन। डिटेल्स आपके फ़ोन पर भेज दी हैं। कल मिलते हैं।",
        ),
    ),
    lang="hi-Latn",
)
"""Spoken by the Hindi voices, and written in Latin letters, as it is typed."""

_SCENES = {"en": (_REPAIR_EN, HINGLISH), "hi": (_REPAIR_HI, HINGLISH)}
PLAYED = {code: (*calls, *_SCENES[code]) for code, calls in CALLS.items()}
"""The calls of the player in each language that has a voice, by the language's code."""
