"""The demonstration that talks: who may say how much, and what it answers. Nothing is stored.

Source: specification V11.7, V11.8.
"""

from dataclasses import dataclass, replace
from time import perf_counter

from kit.clock import Clock
from kit.rate_limit import RateLimiter
from voice_site.adapters.chat_model import ChatModel
from voice_site.domain.constants import TIME_ZONE
from voice_site.domain.talk.conversation import Conversation
from voice_site.domain.talk.dialogue import AGAIN, current, respond
from voice_site.domain.talk.understand import understand

_MS = 1000.0


@dataclass(frozen=True)
class Exchange:
    """A conversation after a sentence, and how long that took on the server."""

    conversation: Conversation
    understand_ms: float
    decide_ms: float
    by_model: bool = False
    """Whether a language model understood the sentence; else the rules did."""


@dataclass(frozen=True)
class Talks:
    """Answers the sentences of all visitors; `limit` counts them by network address."""

    clock: Clock
    limit: RateLimiter
    model: ChatModel | None = None
    """The operator's language model, which reads sentences in place of the rules."""

    async def answer(
        self, before: Conversation, sentence: str, client: str, *, is_lost: bool = False
    ) -> Exchange:
        """Return what a sentence leads to.

        Args:
            before: The conversation until now.
            sentence: At most `MOST_CHARACTERS` characters, in one line.
            client: The rate limit key of the visitor.
            is_lost: Whether the page has a conversation that the server has lost.
        """
        before = current(before)
        now = self.clock.now().astimezone(TIME_ZONE)
        begun = perf_counter()
        read = await self.model.read(sentence, before, client) if self.model else None
        heard = read or understand(sentence, now, before.expected)
        understood = perf_counter()
        after = respond(before, heard, now)
        if is_lost:
            after = replace(after, reply=(AGAIN, *after.reply))
        decided = perf_counter()
        return Exchange(
            after, (understood - begun) * _MS, (decided - understood) * _MS, read is not None
        )
