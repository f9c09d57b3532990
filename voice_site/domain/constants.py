"""The constants of the site's rules. Source: specification V5, V9."""

from kit.text import gettext_noop

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
SOURCES = ("hero", "plans", "waitlist", "cta", "try-demo", "calculator")
"""The buttons of the page that open the form."""

AGENT_RUPEES = 25_547
"""What an agent of a call centre costs per month. Source: specification V3.8."""

ATTRITION_PERCENT = 45
"""The share of a call centre's agents who leave within a year. Source: specification V3.8."""
