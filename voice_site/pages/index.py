"""/: the page, and the block screen that phones and tablets show in its place."""

import reflex as rx

from kit.reflex.inline_script import inline_script
from kit.reflex.pages import Page
from voice_site.components import browser
from voice_site.components.demo_dialog import demo_dialog
from voice_site.components.figures import spectrum
from voice_site.components.footer import assistant_button, footer
from voice_site.components.layout import connection_texts, icons
from voice_site.components.mobile_block import mobile_block
from voice_site.components.navbar import navbar, skip_link
from voice_site.components.player import player
from voice_site.content import copy
from voice_site.content.facts import published_facts
from voice_site.sections.about import about
from voice_site.sections.calculator import calculator
from voice_site.sections.call_to_action import call_to_action
from voice_site.sections.comparison import comparison
from voice_site.sections.hero import hero
from voice_site.sections.market import market
from voice_site.sections.plans import plans
from voice_site.sections.questions import questions
from voice_site.sections.replay import replay
from voice_site.sections.roadmap import roadmap
from voice_site.sections.talk import talk
from voice_site.sections.voice_demo import voice_demo
from voice_site.translations import t


def index_page(
    message: rx.Component | None = None, last_order: rx.Component | None = None
) -> rx.Component:
    """Render the page and the block screen, for the browser to choose from.

    `message` tells a visitor why the food ordering redirected here; `last_order`, on the block
    screen, links to the visitor's last order there.
    """
    return rx.fragment(
        browser.Sheet.create(),
        *icons(),
        # The browser waits with the first paint until the section below the hero has arrived: the
        # hero's texts stand at its lower edge and would move. React moves this into the head.
        rx.el.link(rel="expect", href="#listen", custom_attrs={"blocking": "render"}),
        # Inlined, so that it runs before the first paint.
        inline_script("voice_site/device_view.js", "decideView();"),
        inline_script("voice_site/early_sound.js", "playRecordedPresses();"),
        rx.el.div(message or rx.fragment(), class_name="tara-toast"),
        # The page and the block screen open the same dialogs.
        rx.el.div(_page(), mobile_block(last_order), demo_dialog(), player(), class_name="tara"),
        browser.DeviceWatch.create(),
        connection_texts(),
    )


def _page() -> rx.Component:
    return rx.el.div(
        skip_link(),
        spectrum(),
        navbar(),
        rx.el.main(
            hero(),
            voice_demo(),
            replay(),
            talk(),
            plans(),
            comparison(),
            calculator(),
            market(),
            about(),
            questions(published_facts()),
            roadmap(),
            call_to_action(),
            id="main",
        ),
        footer(),
        assistant_button(),
        class_name="tara-page",
    )


PAGE = Page(
    route="/",
    title=t(copy.TITLE),
    description=copy.description(),
    image=browser.absolute_url(copy.PREVIEW),
    content=index_page,
    is_in_sitemap=True,
)
