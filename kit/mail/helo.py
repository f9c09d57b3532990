"""The name that a mail client states in EHLO. Source: RFC 5321, 4.1.1.1 and 4.1.3."""

import ipaddress

from kit.urls import is_host


def helo_name(host: str) -> str:
    """Return a host as EHLO states it: a name unchanged, an IP address as a literal in brackets."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host.rstrip(".")
    return f"[IPv6:{address}]" if address.version == 6 else f"[{address}]"


def checked_helo(text: str) -> str:
    """Return a host name or IP address that may be stated in EHLO.

    Raises:
        ValueError: If it is no host, or a name without a domain, which relays refuse (504), or with
            an underscore, which no host name has.
    """
    if not is_host(text) or not is_qualified(text) or "_" in text:
        raise ValueError("must be this host's full name, like food.example, or its IP address")
    return text


def is_qualified(host: str) -> bool:
    """Whether a host is an IP address or a name with a domain."""
    return "." in host.strip(".") or ":" in host
