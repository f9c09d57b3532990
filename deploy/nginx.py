"""Writes nginx's whole configuration: `python deploy/nginx.py --help` says of what.

Hosts, containers and tests have theirs from here, with other names and ports.
"""

import argparse
from dataclasses import asdict, dataclass
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

HERE = Path(__file__).parent
ROOT = HERE.parent
TEMPLATE = "nginx.conf.jinja"
PAGES = ROOT / ".web" / "build" / "client"
BODY_KIB = 256
"""As the application's own limit."""


@dataclass(frozen=True)
class Proxy:
    """What the configuration is made of."""

    backends: tuple[str, ...]
    """Where the processes listen, as `address:port`."""
    port: int = 80
    address: str = ""
    """`127.0.0.1:` for this machine alone; every address by default."""
    name: str = "_"
    certificate: str = ""
    certificate_key: str = ""
    plain_port: int = 80
    """Where visitors who come without encryption are sent on from."""
    pages: Path = PAGES
    folder: Path = Path("/run/nginx")
    """For its process number and what it keeps for a moment."""
    error_log: str = "/var/log/nginx/error.log"
    access_log: str = "/var/log/nginx/access.log"
    mime_types: Path = Path("/etc/nginx/mime.types")
    connections: int = 4096
    """How many sockets one address may have open: a whole campus can share one."""
    calls_per_second: int = 500
    """How many calls of the interface one address may make; for a moment four times as many."""
    body_kib: int = BODY_KIB


def configuration(proxy: Proxy) -> str:
    """Return nginx's configuration.

    Raises:
        ValueError: If there is no process to pass visitors to, or a key without a certificate.
    """
    if not proxy.backends:
        raise ValueError("at least one backend is needed")
    if bool(proxy.certificate) != bool(proxy.certificate_key):
        raise ValueError("a certificate needs its key, and a key its certificate")
    templates = Environment(
        loader=FileSystemLoader(HERE),
        undefined=StrictUndefined,
        keep_trailing_newline=True,
        autoescape=False,  # noqa: S701 - a configuration, not a page; its values are the operator's
    )
    return templates.get_template(TEMPLATE).render(asdict(proxy))


def main() -> None:
    """Print the configuration that the command line asks for."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--backend", action="append", dest="backends", required=True)
    options.add_argument("--port", type=int)
    options.add_argument("--name")
    options.add_argument("--certificate")
    options.add_argument("--certificate-key")
    options.add_argument("--pages", type=Path)
    options.add_argument("--folder", type=Path)
    options.add_argument("--error-log")
    options.add_argument("--access-log")
    given = {key: value for key, value in vars(options.parse_args()).items() if value is not None}
    print(configuration(Proxy(**{**given, "backends": tuple(given["backends"])})), end="")


if __name__ == "__main__":
    main()
