"""HTTP requests to outside services: their sending, and the SSL context of their clients."""

import ssl
from functools import cache

import httpx

_MAX_RESPONSE_BYTES = 1 << 20


async def send_request(
    client: httpx.AsyncClient, request: httpx.Request
) -> tuple[int, httpx.Headers, bytes]:
    """Send a request; return the status, headers and body of its response.

    Raises:
        httpx.HTTPError: If there is no response, or one of more than 1 MiB.
    """
    response = await client.send(request, stream=True)
    body = bytearray()
    try:
        async for chunk in response.aiter_bytes():
            body += chunk
            if len(body) > _MAX_RESPONSE_BYTES:
                raise httpx.DecodingError("the response is too long")
    finally:
        await response.aclose()
    return response.status_code, response.headers, bytes(body)


@cache
def ssl_context() -> ssl.SSLContext:
    """Return the shared SSL context, because loading the certificates is slow."""
    return httpx.create_ssl_context(trust_env=False)
