"""The texts of the page that are not figures or lists."""

from dataclasses import dataclass

from kit.text import gettext_noop
from voice_site.content.plans import PLANS
from voice_site.translations import t

TITLE = gettext_noop("TARA, the multilingual voice assistant by DA'VINCI")

PREVIEW = "/images/tara/preview.jpg"
"""The image of link previews."""

TAGS = (gettext_noop("artificial"), gettext_noop("intelligence"))
FAREWELL = gettext_noop("Say goodbye to boring and awkward processes interfaces")
NEW_LIFE = gettext_noop("and start a new life with DA'VINCI")
BENEFIT = gettext_noop("Every call answered, day and night, in the caller’s own language.")
INTRODUCTION = gettext_noop(
    "TARA is a voice assistant built as an agentic pipeline: it listens, understands, decides,"
    " acts and answers aloud. Callers speak the language they think in; form, menu and queue"
    " become one conversation."
)

PLANS_LEAD = gettext_noop(
    "One assistant in three sizes. What changes is how many conversations it holds, in how many"
    " languages, and what it is allowed to remember."
)
SOMETHING_DIFFERENT = gettext_noop(
    "Tell us what your callers ask for. If none of the three plans fits, we will say so and look"
    " for one that does."
)
ROADMAP_LEAD = gettext_noop(
    "Of eight phases two are completed, one is under way, and five are still to come."
)


def description() -> str:
    """Return what the page is about, for search engines and link previews."""
    return t(
        "TARA listens in the caller's own language, works through your process and answers aloud."
        " Three plans from {price} a month, made for businesses in India.",
        price=PLANS[0].price,
    )


@dataclass(frozen=True)
class Statement:
    """A statement of the company about itself."""

    title: str
    text: str


VISION = Statement(
    gettext_noop("Vision"),
    gettext_noop(
        "Nobody should have to learn a screen, or a second language, to be served. Asking aloud"
        " should be enough."
    ),
)
EXPERTISE = Statement(
    gettext_noop("Expertise"),
    gettext_noop(
        "Speech, language and process design under one roof. Recognition, reasoning, action and"
        " synthesis are built to work as one pipeline."
    ),
)
IMPACT = Statement(
    gettext_noop("Impact"),
    gettext_noop(
        "Fewer forms left half filled, fewer callers left waiting, and people at the desk who"
        " are free for the cases that need people."
    ),
)


@dataclass(frozen=True)
class BrowserSteps:
    """The instructions to request the desktop version in one browser."""

    key: str
    name: str
    steps: tuple[str, ...]


BLOCKED_TITLE = gettext_noop("This app cannot be viewed on mobile")
BLOCKED_PRODUCT = gettext_noop(
    "TARA is a voice assistant that answers your phone, day and night, in the caller’s own"
    " language."
)
BLOCKED_LEAD = gettext_noop(
    "TARA’s page is drawn for a wider stage. Open it on a computer, or ask for the desktop version"
    " here."
)
BROWSERS = (
    BrowserSteps(
        "chrome",
        "Chrome",
        (gettext_noop("Open the menu with the three dots."), gettext_noop("Tick Desktop site.")),
    ),
    BrowserSteps(
        "safari",
        "Safari",
        (
            gettext_noop("Tap the page menu in the address bar."),
            gettext_noop("Choose Request Desktop Website."),
        ),
    ),
    BrowserSteps(
        "firefox",
        "Firefox",
        (gettext_noop("Open the menu."), gettext_noop("Turn on Desktop site.")),
    ),
    BrowserSteps(
        "other",
        gettext_noop("Another browser"),
        (
            gettext_noop("Open the browser’s menu."),
            gettext_noop("Look for Desktop site or Desktop version."),
        ),
    ),
)
