"""Dependencies of the operations: the operator, the client, the response's caching."""

import hmac
from typing import Annotated

from fastapi import Depends, Header, Request, Response
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer

from campus_app.shared import wiring
from campus_app.shared.rules.audit import HTTP_ACTOR, Actor
from campus_app.shared.rules.constants import MAXIMUM_INPUT_CHARACTERS
from kit.http.errors import ApiError
from kit.quota import Priority, Requester
from kit.text import normalize_text

NO_STORE = {"cache-control": "no-store"}
_AUTHENTICATE = {"www-authenticate": "Bearer"}
_LONGEST_NAME = 64
_BEARER = HTTPBearer(
    scheme_name="operator", description="The setting `OPERATOR_TOKEN`.", auto_error=False
)


def operator(
    request: Request,
    _scheme: Annotated[HTTPAuthorizationCredentials | None, Depends(_BEARER)],
    x_operator: Annotated[str, Header(description="Name for the audit log.")] = "",
) -> Actor:
    """Return the operator; runs before the parameters and the body are validated.

    Raises:
        ApiError: 401 without the operator's token.
    """
    token = wiring.services().settings.operator_token.get_secret_value()
    # HTTPBearer accepts `bearer` and trailing spaces; the comparison takes constant time.
    given = request.headers.get("authorization", "").encode()
    if not token or not hmac.compare_digest(given, f"Bearer {token}".encode()):
        raise ApiError(
            401, "unauthorized", "The operator's token is missing or wrong.", _AUTHENTICATE
        )
    name = normalize_text(x_operator[:MAXIMUM_INPUT_CHARACTERS])[:_LONGEST_NAME]
    return Actor(name, via=HTTP_ACTOR.name) if name else HTTP_ACTOR


def no_store(response: Response) -> None:
    """Set the header that forbids caches to store the response."""
    response.headers.update(NO_STORE)


def requester_of(request: Request, priority: Priority) -> Requester:
    """Return the client of a request, with the priority of the provider queries it causes."""
    return Requester.at(priority, request.client.host if request.client else "")
