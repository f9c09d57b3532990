"""The company's contacts."""

import reflex as rx

from voice_site.components.layout import definitions
from voice_site.content.company import COMPANY, Company
from voice_site.translations import t


def contact(company: Company = COMPANY) -> rx.Component:
    """Render the e-mail address and, if the company has one, the phone number."""
    lines = [(t("Email"), rx.el.a(company.email, href=company.mail_link))]
    if company.phone:
        phone = rx.el.a(company.phone, href=company.phone_link, class_name="num")
        lines.append((t("Phone"), phone))
    return definitions(*lines)
