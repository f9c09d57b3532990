"""The site's figures that are rules. Source: specification V5, V9."""

SOONEST_FILLED_MS = 2_000
"""Nobody fills the form faster: the browser waits until then, who does not wait is a machine."""

COMPANY_SIZES = (
    "1-10 employees",
    "11-50 employees",
    "51-200 employees",
    "201-1000 employees",
    "1000+ employees",
)
INDUSTRIES = (
    "Technology",
    "Healthcare",
    "Finance",
    "E-commerce",
    "Education",
    "Manufacturing",
    "Real Estate",
    "Hospitality",
    "Other",
)
SOURCES = ("plans", "waitlist", "cta", "try-demo")
"""Which button of the page led to the request."""
