"""The constants of the site's rules. Source: specification V5, V9."""

from zoneinfo import ZoneInfo

from kit.text import gettext_noop

TIME_ZONE = ZoneInfo("Asia/Kolkata")
"""The time in which the sales team and operators read times, the campus's too."""

MINIMUM_SUBMISSION_MS = 2_000
"""The page sends the form no sooner after it was opened; a faster request comes from a bot."""

COMPANY_SIZES = (
    gettext_noop("1-10 employees"),
    gettext_noop("11-50 employees"),
    gettext_noop("51-200 employees"),
    gettext_noop("201-1000 employees"),
    gettext_noop("1000+ employees"),
)
INDUSTRIES = (
    gettext_noop("Technology"),
    gettext_noop("Healthcare"),
    gettext_noop("Finance"),
    gettext_noop("E-commerce"),
    gettext_noop("Education"),
    gettext_noop("Manufacturing"),
    gettext_noop("Real Estate"),
    gettext_noop("Hospitality"),
    gettext_noop("Other"),
)
BUTTONS = {
    "nav": "Request a demo, in the navigation",
    "block": "Request a demo, on a phone",
    "hero": "Request a demo, in the hero",
    "plans": "Choose, beside a plan",
    "waitlist": "Join Waitlist",
    "cta": "Join Waitlist & Request a Demo",
    "try-demo": "Try Demo Version",
    "calculator": "Request a demo, in the calculator",
}
"""The buttons of the page that open the form, as the sales team reads them."""
SOURCES = tuple(BUTTONS)

AGENT_RUPEES = 25_547
"""What an agent of a call centre costs per month. Source: specification V3.8."""

ATTRITION_PERCENT = 45
"""The share of a call centre's agents who leave within a year. Source: specification V3.8."""
