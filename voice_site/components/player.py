"""Listen to TARA: the dialog around the player, whose code is loaded when the dialog opens."""

import reflex as rx

from kit.reflex.modal import BackToClose, Modal
from voice_site.components import browser
from voice_site.components.layout import close_button
from voice_site.content.player import words
from voice_site.translations import t


def player() -> rx.Component:
    """Render the dialog, whose content the browser loads when it opens."""
    title = rx.el.h2(t("Listen to TARA"), id="player-h", tab_index=-1)
    modal = Modal.create(
        rx.el.div(
            close_button(browser.close_player),
            rx.el.div(title, class_name="dlg__side"),
            browser.PlayerContent.create(words=words()),
            class_name="dlg dlg--player",
        ),
        open=browser.is_player_open,
        keep_mounted=True,
        on_dismiss=browser.close_player,
        class_name="player",
        aria_labelledby="player-h",
    )
    back = BackToClose.create(open=browser.is_player_open, on_dismiss=browser.close_player)
    return rx.fragment(modal, back)
