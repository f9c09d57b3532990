"""ASGI middleware, content security policy, error responses, outbound HTTP."""
