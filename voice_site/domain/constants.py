"""The constants of the site's rules. Source: specification V5, V9."""

FASTEST_SUBMISSION_MS = 2_000
"""The browser waits so long before it sends the form; a faster request comes from a bot."""

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
"""The buttons of the page that open the form."""
