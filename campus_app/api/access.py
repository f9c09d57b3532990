"""Who calls: an operator, or a client at an address whose calls are limited."""

import hmac

from fastapi import Header, HTTPException, Request

from campus_app import wiring
from campus_app.domain.audit import HTTP_ACTOR, Actor
from campus_app.domain.customer import normalize_text
from kit.quota import Caller, Priority

_ASK_FOR_TOKEN = {"www-authenticate": "Bearer"}
_LONGEST_NAME = 64


def operator(
    authorization: str = Header(default=""), x_operator: str = Header(default="")
) -> Actor:
    """Return who asks, before anything of the request is looked at.

    Raises:
        HTTPException: 401 without the operator's token.
    """
    token = wiring.services().settings.operator_token.get_secret_value()
    expected = f"Bearer {token}"
    if not token or not hmac.compare_digest(authorization.encode(), expected.encode()):
        raise HTTPException(401, "The operator's token is missing or wrong.", _ASK_FOR_TOKEN)
    name = normalize_text(x_operator)[:_LONGEST_NAME]
    return Actor(name, via=HTTP_ACTOR.name) if name else HTTP_ACTOR


def caller_of(request: Request, priority: Priority) -> Caller:
    """Return the client that a request comes from, with the priority of what it asks for."""
    return Caller.at(priority, request.client.host if request.client else "")
