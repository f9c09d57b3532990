"""The running server of this installation, called over HTTP with the operator's token."""

from urllib.parse import quote

import httpx

from campus_app.catalogue.rules.availability import RestaurantOverride

_TIME_OUT_SECONDS = 10.0
"""A slow server still finishes the call, and a command that gave up stores the change once more."""
OPERATOR_HEADER = "x-operator"


class HttpRunningServer:
    """The server on this machine at the configured port, if it runs."""

    def __init__(self, port: int, token: str, time_out_seconds: float = _TIME_OUT_SECONDS) -> None:
        self._origin = f"http://127.0.0.1:{port}"
        self._token = token
        self._time_out_seconds = time_out_seconds

    async def set_override(self, override: RestaurantOverride, operator: str) -> bool:
        """Set an override through the server; True if it succeeded."""
        body: dict[str, object] = {"isOpen": override.is_open, "message": override.message}
        if override.until:
            body["until"] = override.until.isoformat()
        return await self._put(f"{override.restaurant_id}/status", body, operator)

    async def set_sold_out(
        self, restaurant_id: int, dish_id: str, operator: str, *, is_sold_out: bool
    ) -> bool:
        """Mark a dish as sold out or available through the server; True if it succeeded."""
        path = f"{restaurant_id}/dishes/{quote(dish_id, safe='')}/availability"
        return await self._put(path, {"isAvailable": not is_sold_out}, operator)

    async def _put(self, path: str, body: dict[str, object], operator: str) -> bool:
        if not self._token:
            return False
        headers = {"authorization": f"Bearer {self._token}", OPERATOR_HEADER: _ascii(operator)}
        try:
            # trust_env=False: a proxy from the environment must not see the token.
            async with httpx.AsyncClient(timeout=self._time_out_seconds, trust_env=False) as client:
                response = await client.put(
                    f"{self._origin}/api/ops/restaurants/{path}", json=body, headers=headers
                )
        except (httpx.HTTPError, UnicodeEncodeError):
            return False
        return response.is_success


def _ascii(name: str) -> str:
    """Return a user name with only characters that an HTTP header can carry."""
    return name.encode("ascii", "replace").decode()
