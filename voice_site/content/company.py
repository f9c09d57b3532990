"""The company and its founder. Names and contacts are invented (specification S6)."""

from dataclasses import dataclass
from urllib.parse import quote

from kit.text import gettext_noop

MAIL_SUBJECT = "Lets Connect - Davinci Solutions"


@dataclass(frozen=True)
class Founder:
    """The founder's name and contact."""

    name: str
    email: str
    education: str
    location: str

    @property
    def mail_link(self) -> str:
        """Return the address of a new mail with the specified subject."""
        return f"mailto:{self.email}?subject={quote(MAIL_SUBJECT)}"


@dataclass(frozen=True)
class Company:
    """The company's names and contacts."""

    name: str
    legal_name: str
    email: str
    phone: str
    """Empty without one; the page then has no line for it."""
    mail_name: str
    """The name beside the sender's address in e-mails."""
    founder: Founder

    @property
    def mail_link(self) -> str:
        return f"mailto:{self.email}"

    @property
    def phone_link(self) -> str:
        return f"tel:{self.phone.replace(' ', '')}"


COMPANY = Company(
    name="DA'VINCI",
    legal_name="Davinci Solutions",
    email="hello@davinci.example",
    phone="+91 12345 00000",
    mail_name="TARA by DA'VINCI",
    founder=Founder(
        name="Aarohi Davin",
        email="aarohi@davinci.example",
        education=gettext_noop("M.Tech., speech technology"),
        location=gettext_noop("Kochi, India"),
    ),
)
