"""A visitor's conversation with the demonstration. Its one handler takes anything: clients do.

Source: specification V11.7, V11.8.
"""

import re
from typing import Any

import reflex as rx

from kit.rate_limit import rate_limit_key
from kit.text import normalize_text
from kit.translations import language
from voice_site import wiring
from voice_site.content import talk as content
from voice_site.domain.talk.conversation import MOST_CHARACTERS, Conversation
from voice_site.services.talks import Exchange
from voice_site.settings import voice_settings

_KEY = re.compile(r"[0-9a-z]{1,40}", re.ASCII)
"""It goes back to the page, so that it must be valid in UTF-8."""


class TalkState(rx.State):
    """The last answer; the conversation stays on the server, and ends with the page."""

    answer: dict[str, Any] = {"hasModel": True} if voice_settings().tara_model_url else {}
    """As the component shows it; `key` is that of the sentence."""
    _conversation: Conversation | None = None

    @rx.event(background=True)
    async def say(self, sentence: str, key: str, number: int):
        """Answer a sentence of the visitor.

        `key` is chosen by the page for each sentence; `number` counts those of a conversation,
        from 1, which begins a new one.
        """
        if not isinstance(sentence, str) or not isinstance(key, str) or type(number) is not int:
            return
        said = normalize_text(sentence[:MOST_CHARACTERS])
        if not said or not _KEY.fullmatch(key):
            return
        talks = wiring.talks()
        async with self:
            client = rate_limit_key(self.router.session.client_ip)
            kept = self._conversation if number > 1 else None
        if seconds := talks.limit.retry_after(client):
            async with self:
                self.answer = {"key": key, "busy": seconds}
            return
        before = kept or Conversation(language=language())
        is_lost = kept is None and number > 1
        exchange = await talks.answer(before, said, client, is_lost=is_lost)
        async with self:
            self._conversation = exchange.conversation
            self.answer = _shown(exchange, key)


def _shown(exchange: Exchange, key: str) -> dict[str, Any]:
    """Return an exchange as the component shows it."""
    conversation = exchange.conversation
    return {
        "key": key,
        "reply": content.reply(conversation),
        "language": conversation.language,
        "form": str(conversation.form),
        "entries": content.entries(conversation),
        "understand": round(exchange.understand_ms, 2),
        "decide": round(exchange.decide_ms, 2),
        "by": "model" if exchange.by_model else "rules",
    }
