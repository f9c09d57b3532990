"""Generates nginx's configuration; `python deploy/nginx.py --help` lists the options.

Hosts, containers and tests use it with their own names and ports.
"""

import argparse
import ipaddress
import re
from dataclasses import asdict, dataclass
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

HERE = Path(__file__).parent
ROOT = HERE.parent
TEMPLATE = "nginx.conf.jinja"
BUILT = Path(".web", "build", "client")
"""The folder of the built pages in a release."""
PAGES = ROOT / BUILT
HTTPS_PORT = 443
BODY_KIB = 256
"""The application's own limit."""


@dataclass(frozen=True)
class Proxy:
    """The values of the configuration."""

    backends: tuple[str, ...]
    """The processes, as `address:port`."""
    port: int = 80
    address: str = ""
    """The address to listen on, like `127.0.0.1:`; all addresses by default."""
    name: str = "_"
    """The host name of the site; required with a certificate."""
    certificate: str = ""
    certificate_key: str = ""
    plain_port: int = 80
    """The port that redirects http to https."""
    pages: Path = PAGES
    """The folder of the built pages: on a host, a path through the link to the current release."""
    previous_pages: Path | None = None
    """The folder of the previous release's pages, whose scripts open pages may still load."""
    folder: Path = Path("/run/nginx")
    """The folder of the process id and of temporary files."""
    error_log: str = "/var/log/nginx/error.log"
    access_log: str = "/var/log/nginx/access.log"
    mime_types: Path = Path("/etc/nginx/mime.types")
    connections: int = 4096
    """The maximum number of open sockets per address; a whole campus can share one address."""
    calls_per_second: int = 500
    """The maximum rate of HTTP calls per address; the burst is four times as many."""
    body_kib: int = BODY_KIB
    trusted_proxies: tuple[str, ...] = ()
    """The outer proxies, as addresses or networks, whose X-Forwarded-For is believed."""
    is_behind_tls: bool = False
    """Whether an outer proxy ends TLS, so that browsers use https."""

    @property
    def is_encrypted(self) -> bool:
        """Whether browsers reach the site over https."""
        return bool(self.certificate) or self.is_behind_tls

    @property
    def https_origin(self) -> str:
        """The address to which http is redirected."""
        return (
            f"https://{self.name}"
            if self.port == HTTPS_PORT
            else f"https://{self.name}:{self.port}"
        )


def configuration(proxy: Proxy) -> str:
    """Return nginx's configuration.

    Raises:
        ValueError: If there is no backend, a certificate without its key or its host's name, a key
            without its certificate, or a proxy that is no address or every address.
    """
    if not proxy.backends:
        raise ValueError("at least one backend is needed")
    if bool(proxy.certificate) != bool(proxy.certificate_key):
        raise ValueError("a certificate needs its key, and a key its certificate")
    if proxy.certificate and not is_host(proxy.name):
        raise ValueError("a certificate needs the name of its host, to which http is redirected")
    for each in proxy.trusted_proxies:
        if not ipaddress.ip_network(each).prefixlen:
            raise ValueError("a trusted proxy must not be every address: it may claim any client")
    templates = Environment(
        loader=FileSystemLoader(HERE),
        undefined=StrictUndefined,
        keep_trailing_newline=True,
        autoescape=False,  # noqa: S701 - a configuration, not HTML; its values are the operator's
    )
    return templates.get_template(TEMPLATE).render(
        asdict(proxy), is_encrypted=proxy.is_encrypted, https_origin=proxy.https_origin
    )


def is_host(name: str) -> bool:
    """Whether this is one host's name, without a wildcard."""
    return re.fullmatch(r"[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?", name) is not None


def _listed(text: str) -> tuple[str, ...]:
    return tuple(each.strip() for each in text.split(",") if each.strip())


def main() -> None:
    """Print the configuration for the options of the command line."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--backend", action="append", dest="backends", required=True)
    options.add_argument("--port", type=int)
    options.add_argument("--name")
    options.add_argument("--certificate")
    options.add_argument("--certificate-key")
    options.add_argument("--pages", type=Path)
    options.add_argument("--previous-pages", type=Path)
    options.add_argument("--folder", type=Path)
    options.add_argument(
        "--trusted-proxies", type=_listed, help="outer proxies: addresses or networks, with commas"
    )
    options.add_argument(
        "--behind-tls", action="store_true", dest="is_behind_tls", help="an outer proxy ends TLS"
    )
    options.add_argument("--error-log")
    options.add_argument("--access-log")
    given = {key: value for key, value in vars(options.parse_args()).items() if value is not None}
    try:
        proxy = Proxy(**{**given, "backends": tuple(given["backends"])})
        print(configuration(proxy), end="")
    except ValueError as error:
        options.error(str(error))


if __name__ == "__main__":
    main()
