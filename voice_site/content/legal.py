"""The privacy and terms pages, and the sentence above the button that sends a demo request.

They state what this program does: whoever changes what is stored or sent changes them too. A text
may name the placeholders of `NAMES`.
"""

from dataclasses import dataclass
from typing import Final

from kit.text import gettext_noop
from voice_site.content.company import COMPANY
from voice_site.content.plans import PLANS
from voice_site.content.samples import LICENCE, MODEL

_BASE, _PRO, _ENTERPRISE = PLANS

NAMES: Final = {
    "company": COMPANY.name,
    "legal_name": COMPANY.legal_name,
    "base": _BASE.name,
    "base_price": _BASE.price,
    "pro": _PRO.name,
    "pro_price": _PRO.price,
    "enterprise": _ENTERPRISE.name,
    "enterprise_price": _ENTERPRISE.price,
    "model": MODEL,
    "licence": LICENCE,
}


@dataclass(frozen=True)
class LegalSection:
    """A heading and its paragraphs."""

    title: str
    paragraphs: tuple[str, ...]


@dataclass(frozen=True)
class LegalPage:
    """A legal page; `name` is the text of links to it."""

    route: str
    name: str
    title: str
    description: str
    heading: str
    lead: str
    sections: tuple[LegalSection, ...]


CONSENT = gettext_noop(
    "By sending this you agree that we store these details and contact you about TARA."
)
CONSENTS: Final = {"1": CONSENT}
"""The sentence by its version. A changed sentence gets a new version, and the earlier ones stay:
requests name the one that was agreed to."""
CONSENT_VERSION: Final = max(CONSENTS, key=int)

PRIVACY = LegalPage(
    route="/tara/privacy",
    name=gettext_noop("Privacy"),
    title=gettext_noop("Privacy · TARA by DA'VINCI"),
    description=gettext_noop(
        "What this site stores when you request a demo of TARA, who receives it, and how it is"
        " deleted."
    ),
    heading=gettext_noop("Privacy"),
    lead=gettext_noop("What this site stores about you, why, and how to have it deleted."),
    sections=(
        LegalSection(
            gettext_noop("What the demo form stores"),
            (
                gettext_noop(
                    "Your full name, job title, business email address, company, company size,"
                    " industry, city and the variant you choose; your phone number and what your"
                    " callers ask for, if you enter them."
                ),
                gettext_noop(
                    "With each request we store its time, the button that opened the form, the"
                    " language of the page, which version of the sentence above the button you"
                    " agreed to, and whether it seems to come from a program instead of a person."
                ),
                gettext_noop(
                    "The form shows what else travels with your request, and you can leave out each"
                    " part: the figures that you entered into the cost calculator, the call that"
                    " you heard last, whether you tried the demonstration, and where you came from"
                    " (the name of the site that linked here, and the utm parameters of the"
                    " address)."
                ),
            ),
        ),
        LegalSection(
            gettext_noop("What we use it for"),
            (
                gettext_noop(
                    "To contact you about TARA. A confirmation is emailed to the address that you"
                    " enter; it has your name, the chosen plan and a reference."
                ),
                gettext_noop(
                    "It is emailed to our sales team, which keeps the requests of one person"
                    " together and notes how far we are with them."
                ),
                gettext_noop(
                    "If this site is set up to use a form of a spreadsheet service, a copy of the"
                    " request is sent to the provider of that service. We sell nothing of it and do"
                    " not use it for advertising."
                ),
            ),
        ),
        LegalSection(
            gettext_noop("How long it is kept"),
            (
                gettext_noop(
                    "A request is deleted by itself 24 months after we last worked on it or you"
                    " last wrote, and one that seems to come from a program after 30 days. The link"
                    " in the confirmation deletes it at once. If you write to us with its"
                    " reference, we send you a copy of it or delete it, in the spreadsheet too."
                ),
                gettext_noop(
                    "A backup of our database, and an email that was already sent, can contain it"
                    " for longer."
                ),
            ),
        ),
        LegalSection(
            gettext_noop("What your browser keeps"),
            (
                gettext_noop(
                    "What you have typed into the form, until you close the tab or the request has"
                    " arrived. Where you came from, the call that you heard last and whether you"
                    " tried the demonstration, until you close the tab; they are sent with a"
                    " request alone. A request that could not"
                    " be sent, until it has arrived. Your choice of the desktop version and of"
                    " paused motion, until you clear the data of this site. A random number that"
                    " identifies the connection of this tab, until you close it."
                ),
                gettext_noop(
                    "If you choose a language, a cookie stores it for a year. There are no cookies"
                    " for tracking and no measurement of visits by other companies."
                ),
            ),
        ),
        LegalSection(
            gettext_noop("Sound, pictures and other sites"),
            (
                gettext_noop(
                    "The calls that you can play are recordings, files of this site, loaded when"
                    " you press play."
                ),
                gettext_noop(
                    "What you say to the demonstration that talks is answered by this server, and"
                    " neither stored nor recorded; the conversation ends with the page. If you"
                    " press Speak, your browser asks for the microphone and turns speech into text;"
                    " its maker may hear what you say. We get the text alone. If the operator has"
                    " set up a language model, its provider gets your sentences too, and the page"
                    " says so with each answer."
                ),
                gettext_noop(
                    "Pictures, type and sound come from this site. If it is set up to show a scene"
                    " of Unicorn Studio, your browser also loads that scene from its servers, which"
                    " then receive your network address."
                ),
            ),
        ),
        LegalSection(
            gettext_noop("Records of the server"),
            (
                gettext_noop(
                    "The web server can record the network address, time and page of each request."
                    " The program holds network addresses in memory for a short time to limit the"
                    " number of requests. What you enter into the form is in neither."
                ),
            ),
        ),
        LegalSection(
            gettext_noop("Calls that TARA answers"),
            (
                gettext_noop(
                    "This page is about this site alone. What is kept of calls that TARA answers"
                    " for a customer is agreed with that customer before the first call."
                ),
            ),
        ),
    ),
)

TERMS = LegalPage(
    route="/tara/terms",
    name=gettext_noop("Terms"),
    title=gettext_noop("Terms · TARA by DA'VINCI"),
    description=gettext_noop(
        "Prices, demo requests and example calls: what the site of TARA states, and what it does"
        " not promise."
    ),
    heading=gettext_noop("Terms"),
    lead=gettext_noop("What this site states, and what follows from sending the form."),
    sections=(
        LegalSection(
            gettext_noop("A demo request is no contract"),
            (
                gettext_noop(
                    "Sending the form orders nothing and costs nothing. It makes no contract,"
                    " neither for you nor for us: we contact you, and show you TARA."
                ),
                gettext_noop(
                    "A contract begins with an offer that both sides accept. Its term, and how"
                    " either side ends it, are part of that offer."
                ),
            ),
        ),
        LegalSection(
            gettext_noop("Prices"),
            (
                gettext_noop(
                    "Prices are in Indian rupees, per month: {base} {base_price}, {pro}"
                    " {pro_price}, {enterprise} {enterprise_price}. The page states what each plan"
                    " contains."
                ),
            ),
        ),
        LegalSection(
            gettext_noop("The calls on the page are examples"),
            (
                gettext_noop(
                    "They are scripted: no call of a real person was recorded. Clinics, colleges"
                    " and shops in them are invented. A conversation of your own can go"
                    " differently."
                ),
                gettext_noop(
                    "Both voices are synthetic. They were made with {model}, under the licence"
                    " {licence}."
                ),
            ),
        ),
        LegalSection(
            gettext_noop("Whose site this is"),
            (gettext_noop("This is the site of {company}, {legal_name}."),),
        ),
        LegalSection(
            gettext_noop("What you send"),
            (
                gettext_noop(
                    "Send details of your own, or of a company for which you may speak. What we"
                    " store and who receives it is on the privacy page."
                ),
            ),
        ),
    ),
)

LEGAL_PAGES: Final = (PRIVACY, TERMS)
CONTACT: Final = gettext_noop("Contact")
