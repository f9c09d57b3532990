"""Let TARA answer: the demo request, and the company's contacts."""

import reflex as rx

from voice_site.components.contact import contact
from voice_site.components.demo_dialog import plain_form
from voice_site.components.layout import open_demo_button, stage
from voice_site.translations import t


def call_to_action() -> rx.Component:
    """Render the buttons of the demo request, and the company's e-mail and phone."""
    return rx.el.section(
        stage(is_first=False),
        rx.el.div(
            rx.el.div(
                rx.el.h2(t("Let TARA answer"), class_name="cta__h", id="cta-h", tab_index=-1),
                rx.el.div(
                    open_demo_button(t("Join Waitlist & Request a Demo"), source="cta"),
                    open_demo_button(t("Try Demo Version"), source="try-demo", is_quiet=True),
                    class_name="cta__act",
                ),
                rx.el.div(plain_form(), class_name="cta__plain"),
                rx.el.div(contact(), class_name="contact"),
                class_name="grid",
            ),
            class_name="width",
        ),
        class_name="section cta",
        id="cta-section",
        aria_labelledby="cta-h",
    )
