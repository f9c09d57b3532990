"""The server of this installation, reached as an operator reaches it: over HTTP with the token."""

import httpx

from campus_app.ports.catalogue import Switch

_TIME_OUT_SECONDS = 2.0
OPERATOR_HEADER = "x-operator"


class HttpRunningServer:
    """What listens on this machine at the port of the settings, if anything does."""

    def __init__(self, port: int, token: str) -> None:
        self._origin = f"http://127.0.0.1:{port}"
        self._token = token

    async def turn(self, switch: Switch, operator: str) -> bool:
        if not self._token:
            return False
        headers = {"authorization": f"Bearer {self._token}", OPERATOR_HEADER: _ascii(operator)}
        body = {"isOpen": switch.is_open, "message": switch.message}
        try:
            # A proxy of the environment must never see the token.
            async with httpx.AsyncClient(timeout=_TIME_OUT_SECONDS, trust_env=False) as client:
                answer = await client.put(
                    f"{self._origin}/api/ops/restaurants/{switch.restaurant_id}/status",
                    json=body,
                    headers=headers,
                )
        except (httpx.HTTPError, UnicodeEncodeError):
            return False
        return answer.is_success


def _ascii(name: str) -> str:
    """Return a user's name as a header can carry it."""
    return name.encode("ascii", "replace").decode()
