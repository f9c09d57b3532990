"""Validation of the URLs in settings."""

import ipaddress
import re
from urllib.parse import SplitResult, urlsplit

_LABEL = r"(?!-)[A-Za-z0-9_-]{1,63}(?<!-)"
_HOST_NAME = re.compile(rf"{_LABEL}(\.{_LABEL})*")


def is_host(text: str) -> bool:
    """Whether a text is a host name or an IP address, without a port."""
    try:
        ipaddress.ip_address(text)
    except ValueError:
        return _HOST_NAME.fullmatch(text) is not None
    return True


def checked_site(url: str) -> str:
    """Return the URL of a site, like `https://food.example:8443`, without a trailing slash.

    Raises:
        ValueError: If it has another scheme, a path, a query, a fragment or credentials.
    """
    if checked_parts(url).path not in {"", "/"} or "?" in url or "#" in url:
        raise ValueError("must be a site alone, like https://food.example: no path, ? or #")
    return url.rstrip("/")


def checked_base_url(url: str) -> str:
    """Return a URL to which paths are appended, without a trailing slash.

    Raises:
        ValueError: If it has a query, a fragment or credentials, or no host.
    """
    checked_parts(url)
    if "?" in url or "#" in url:
        raise ValueError("must have no ? and no #: paths are added to it")
    return url.rstrip("/")


def checked_parts(url: str) -> SplitResult:
    """Return the parts of an http or https URL.

    Raises:
        ValueError: If it has another scheme, no host, credentials, a space or an invalid port.
    """
    if not (url.isascii() and url.isprintable()) or " " in url:
        raise ValueError("must be printable ASCII without blanks")
    parts = urlsplit(url)
    if parts.scheme not in {"http", "https"}:
        raise ValueError("must begin with https:// or http://")
    if not is_host(parts.hostname or ""):
        raise ValueError("must name a host, like https://food.example")
    if parts.username is not None or parts.password is not None:
        raise ValueError("must not hold a user name or password")
    if parts.port == 0 or parts.netloc.endswith(":"):
        raise ValueError("must name a port after the colon, or none")
    return parts
