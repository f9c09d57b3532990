"""The texts of the page that are not figures or lists."""

from dataclasses import dataclass

TITLE = "TARA, the multilingual voice assistant by DA'VINCI"
DESCRIPTION = (
    "TARA listens in the caller's own language, works through your process and answers aloud."
    " Three plans from ₹9,800 a month, made for businesses in India."
)

PREVIEW = "/images/tara/preview.jpg"
"""The image of link previews."""

TAGS = ("artificial", "intelligence")
FAREWELL = "Say goodbye to boring and awkward processes interfaces"
NEW_LIFE = "and start a new life with DA'VINCI"
INTRODUCTION = (
    "TARA is a voice assistant built as an agentic pipeline: it listens, understands, decides,"
    " acts and answers aloud. Callers speak the language they think in; form, menu and queue"
    " become one conversation."
)

PLANS_LEAD = (
    "One assistant in three sizes. What changes is how many conversations it holds, in how many"
    " languages, and what it is allowed to remember."
)
SOMETHING_DIFFERENT = (
    "Tell us what your callers ask for. If none of the three plans fits, we will say so and look"
    " for one that does."
)
ROADMAP_LEAD = "Two are behind us, one is sounding now, five are still to come."


@dataclass(frozen=True)
class Statement:
    """A statement of the company about itself."""

    title: str
    text: str


VISION = Statement(
    "Vision",
    "Nobody should have to learn a screen, or a second language, to be served. Asking aloud"
    " should be enough.",
)
EXPERTISE = Statement(
    "Expertise",
    "Speech, language and process design under one roof. Recognition, reasoning, action and"
    " synthesis are built to work as one pipeline.",
)
IMPACT = Statement(
    "Impact",
    "Fewer forms left half filled, fewer callers left waiting, and people at the desk who are free"
    " for the cases that need people.",
)


@dataclass(frozen=True)
class BrowserSteps:
    """The instructions to request the desktop version in one browser."""

    key: str
    name: str
    steps: tuple[str, ...]


BLOCKED_TITLE = "This app cannot be viewed on mobile"
BLOCKED_LEAD = (
    "TARA’s page is drawn for a wider stage. Open it on a computer, or ask for the desktop version"
    " here."
)
BROWSERS = (
    BrowserSteps("chrome", "Chrome", ("Open the menu with the three dots.", "Tick Desktop site.")),
    BrowserSteps(
        "safari",
        "Safari",
        ("Tap the page menu in the address bar.", "Choose Request Desktop Website."),
    ),
    BrowserSteps("firefox", "Firefox", ("Open the menu.", "Turn on Desktop site.")),
    BrowserSteps(
        "other",
        "Another browser",
        ("Open the browser’s menu.", "Look for Desktop site or Desktop version."),
    ),
)
