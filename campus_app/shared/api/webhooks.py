"""The OpenAPI description of webhooks.

A signature covers the raw body, so the adapters parse it, not FastAPI.
"""

from typing import Any

from pydantic import BaseModel


def body_of(model: type[BaseModel], media_type: str) -> dict[str, Any]:
    """Return the `openapi_extra` of an operation that reads its body itself."""
    content = {media_type: {"schema": model.model_json_schema()}}
    return {"requestBody": {"required": True, "content": content}}
