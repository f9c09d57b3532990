"""Runs django-oscar as its documentation and Django's say: gunicorn, nginx, Redis."""

import contextlib
import shutil
from collections.abc import Iterator
from pathlib import Path

from apps import run
from paths import ROOT

from peers.backing import Backing, database_name, dump, load
from peers.deployment import Deployment, Program, behind_nginx, cold_starts, running
from peers.environments import HERE, PREPARATION_SECONDS, cache, programs
from peers.oscar import CATALOGUE, Customer
from peers.pins import digest
from tests.helpers.ports import free_port

NAME = "oscar_shop"
_MENU = ROOT / "tests" / "data" / "menu_1.csv"
_SOURCES = HERE / NAME
_WORKERS = "3"
"""Gunicorn's documentation: twice the number of cores, and one."""


@contextlib.contextmanager
def served(backing: Backing, folder: Path, starts: int) -> Iterator[Deployment]:
    """Serve the shop for the block, after measuring some cold starts."""
    folder.mkdir(parents=True, exist_ok=True)
    binaries, prepared = programs(NAME), _prepared(backing)
    with backing.cluster.empty_database() as url:
        load(url, prepared / "database.sql")
        backing.flush_redis()
        port, web_port = free_port(), free_port()
        web = Program(
            name="gunicorn",
            command=[
                *(str(binaries / "gunicorn"), "project.wsgi", "--workers", _WORKERS),
                *("--no-control-socket", f"--bind=127.0.0.1:{web_port}"),
            ],
            folder=folder,
            environment=_environment(backing, prepared, database_name(url)),
            port=web_port,
            page=CATALOGUE,
        )
        took = cold_starts(web, folder, starts)
        files = {"/static/": prepared / "static"}
        with running(web, folder / "web.log") as (process, _):
            yield Deployment(
                port,
                [process, *backing.processes()],
                took,
                behind_nginx(folder / "nginx", web_port, files),
                Customer,
            )


def _prepared(backing: Backing) -> Path:
    """Return a folder with the filled database, static files and search index; make it if missing."""
    folder = cache(NAME) / "prepared"
    sources = [each for each in _SOURCES.rglob("*") if each.suffix in {".py", ".html", ".txt"}]
    stamp, wanted = folder / "stamp", digest([_MENU, *sources])
    if stamp.is_file() and stamp.read_text() == wanted:
        return folder
    print("Preparing django-oscar's database …", flush=True)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    binaries = programs(NAME)
    admin, python = str(binaries / "django-admin"), str(binaries / "python")
    with backing.cluster.empty_database() as url:
        environment = _environment(backing, folder, database_name(url))
        commands = {
            "migrate": [admin, "migrate"],
            "seed": [python, str(_SOURCES / "seed.py"), str(_MENU)],
            "static": [admin, "collectstatic", "--noinput"],
            "index": [admin, "rebuild_index", "--noinput"],
        }
        for name, command in commands.items():
            run(command, folder, environment, folder / f"{name}.log", PREPARATION_SECONDS)
        dump(url, folder / "database.sql")
    stamp.write_text(wanted)
    return folder


def _environment(backing: Backing, data: Path, database: str) -> dict[str, str]:
    return {
        "DJANGO_SETTINGS_MODULE": "project.settings",
        "PYTHONPATH": str(_SOURCES),
        "SHOP_DATA": str(data),
        "SHOP_DATABASE": database,
        "SHOP_DATABASE_HOST": str(backing.socket_folder),
        "SHOP_REDIS": f"redis://127.0.0.1:{backing.redis.port}/0",
        "SHOP_SMTP_PORT": str(backing.mails.port),
    }
