"""A language model behind an OpenAI-compatible interface, with scripted answers."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from tests.helpers.server import serving


@dataclass
class FakeChatModel:
    """Answers each request with `text`, the content of the model's message."""

    text: str = '{"intent": "unknown"}'
    status: int = 200
    body: str | None = None
    """The whole body in place of one of the interface's form."""
    delay_seconds: float = 0.0
    url: str = ""
    requests: list[dict[str, Any]] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)

    async def _complete(self, request: Request) -> Response:
        self.requests.append(await request.json())
        self.keys.append(request.headers.get("authorization", ""))
        await asyncio.sleep(self.delay_seconds)
        message = {"role": "assistant", "content": self.text}
        choice = {"index": 0, "message": message, "finish_reason": "stop"}
        body = {"id": "c1", "object": "chat.completion", "choices": [choice]}
        content = json.dumps(body) if self.body is None else self.body
        return Response(content, self.status, media_type="application/json")

    @asynccontextmanager
    async def served(self) -> AsyncIterator[str]:
        """Serve the interface; yield the URL above `/chat/completions`."""
        route = Route("/v1/chat/completions", self._complete, methods=["POST"])
        async with serving(Starlette(routes=[route])) as origin:
            self.url = f"{origin}/v1"
            yield self.url
