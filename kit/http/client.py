"""What all calls to services of others have in common."""

import ssl
from functools import cache

import httpx

_LONGEST_ANSWER_BYTES = 1 << 20


async def send_request(
    client: httpx.AsyncClient, request: httpx.Request
) -> tuple[int, httpx.Headers, bytes]:
    """Send a request; return the status, headers and body of its answer.

    Raises:
        httpx.HTTPError: If there is none, or one far too long.
    """
    response = await client.send(request, stream=True)
    body = bytearray()
    try:
        async for chunk in response.aiter_bytes():
            body += chunk
            if len(body) > _LONGEST_ANSWER_BYTES:
                raise httpx.DecodingError("far too long")
    finally:
        await response.aclose()
    return response.status_code, response.headers, bytes(body)


@cache
def ssl_context() -> ssl.SSLContext:
    """Return whom we trust; reading that takes longer than many a call."""
    return httpx.create_ssl_context(trust_env=False)
