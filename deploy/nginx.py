"""Generates nginx's configuration; `python deploy/nginx.py --help` lists the options.

Hosts, containers and tests use it with their own names and ports.
"""

import argparse
from dataclasses import asdict, dataclass
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

HERE = Path(__file__).parent
ROOT = HERE.parent
TEMPLATE = "nginx.conf.jinja"
BUILT = Path(".web", "build", "client")
"""The folder of the built pages in a release."""
PAGES = ROOT / BUILT
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


def configuration(proxy: Proxy) -> str:
    """Return nginx's configuration.

    Raises:
        ValueError: If there is no backend, or a certificate without its key, or a key without its
            certificate.
    """
    if not proxy.backends:
        raise ValueError("at least one backend is needed")
    if bool(proxy.certificate) != bool(proxy.certificate_key):
        raise ValueError("a certificate needs its key, and a key its certificate")
    templates = Environment(
        loader=FileSystemLoader(HERE),
        undefined=StrictUndefined,
        keep_trailing_newline=True,
        autoescape=False,  # noqa: S701 - a configuration, not HTML; its values are the operator's
    )
    return templates.get_template(TEMPLATE).render(asdict(proxy))


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
    options.add_argument("--error-log")
    options.add_argument("--access-log")
    given = {key: value for key, value in vars(options.parse_args()).items() if value is not None}
    print(configuration(Proxy(**{**given, "backends": tuple(given["backends"])})), end="")


if __name__ == "__main__":
    main()
