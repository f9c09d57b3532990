"""Runs pretix as its documentation and its container do: gunicorn, a worker, nginx, Redis."""

import contextlib
import shutil
from collections.abc import Iterator
from pathlib import Path

from apps import run
from paths import ROOT

from peers.backing import USER, Backing, database_name, dump, load
from peers.deployment import Deployment, Program, behind_nginx, cold_starts, running
from peers.environments import HERE, PREPARATION_SECONDS, cache, programs
from peers.pins import digest
from peers.pretix import CATALOGUE, TOKEN, Customer
from tests.helpers.ports import free_port

NAME = "pretix_shop"
_MENU = ROOT / "tests" / "data" / "menu_1.csv"
_SEED = HERE / NAME / "seed.py"
_REQUIREMENTS = HERE / NAME / "requirements.txt"
_WEB_WORKERS = "2"
"""Two for each core, as in pretix's container."""
_TASK_WORKERS = "1"
"""Celery's default: one for each core."""


@contextlib.contextmanager
def served(backing: Backing, folder: Path, starts: int) -> Iterator[Deployment]:
    """Serve the shop for the block, after measuring some cold starts."""
    folder.mkdir(parents=True, exist_ok=True)
    binaries, prepared = programs(NAME), _prepared(backing)
    shutil.copytree(prepared / "data", folder / "data")
    with backing.cluster.empty_database() as url:
        load(url, prepared / "database.sql")
        backing.flush_redis()
        port, web_port = free_port(), free_port()
        environment = _environment(backing, folder, database_name(url), port)
        web = Program(
            name="gunicorn",
            command=[
                *(str(binaries / "gunicorn"), "pretix.wsgi", "--name", "pretix"),
                *("--workers", _WEB_WORKERS, "--max-requests", "1200"),
                *("--max-requests-jitter", "50", "--log-level", "info", "--no-control-socket"),
                f"--bind=127.0.0.1:{web_port}",
            ],
            folder=folder,
            environment=environment,
            port=web_port,
            page=CATALOGUE,
            host=f"127.0.0.1:{port}",
        )
        tasks = Program(
            name="celery",
            command=[
                *(str(binaries / "celery"), "-A", "pretix.celery_app", "worker"),
                *("-l", "info", "--concurrency", _TASK_WORKERS),
            ],
            folder=folder,
            environment=environment,
        )
        took = cold_starts(web, folder, starts)
        static = next(binaries.parent.glob("lib/python*/site-packages/pretix/static.dist"))
        files = {"/static/": static}
        with (
            running(web, folder / "web.log") as (web_process, _),
            running(tasks, folder / "tasks.log") as (task_process, _),
        ):
            yield Deployment(
                port,
                [web_process, task_process, *backing.processes()],
                took,
                behind_nginx(folder / "nginx", web_port, files),
                Customer,
            )


def _prepared(backing: Backing) -> Path:
    """Return a folder with the migrated and filled database; make it if it is missing."""
    folder = cache(NAME) / "prepared"
    stamp, wanted = folder / "stamp", digest([_SEED, _MENU, _REQUIREMENTS])
    if stamp.is_file() and stamp.read_text() == wanted:
        return folder
    print("Preparing pretix's database …", flush=True)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    python = str(programs(NAME) / "python")
    with backing.cluster.empty_database() as url:
        environment = _environment(backing, folder, database_name(url), free_port())
        run(
            [python, "-m", "pretix", "migrate"],
            folder,
            environment,
            folder / "migrate.log",
            PREPARATION_SECONDS,
        )
        run([python, str(_SEED), str(_MENU), TOKEN], folder, environment, folder / "seed.log")
        dump(url, folder / "database.sql")
    stamp.write_text(wanted)
    return folder


def _environment(backing: Backing, folder: Path, database: str, port: int) -> dict[str, str]:
    """Write pretix's configuration, as in its guide to small installations."""
    redis = f"redis://127.0.0.1:{backing.redis.port}"
    (folder / "data").mkdir(exist_ok=True)
    file = folder / "pretix.cfg"
    file.write_text(
        f"""[pretix]
instance_name=Campus
url=http://127.0.0.1:{port}
currency=INR
datadir={folder}/data
trust_x_forwarded_for=on
trust_x_forwarded_proto=on

[database]
backend=postgresql
name={database}
user={USER}
host={backing.socket_folder}

[mail]
from=orders@example.com
host=127.0.0.1
port={backing.mails.port}

[redis]
location={redis}/0
sessions=true

[celery]
backend={redis}/1
broker={redis}/2
""",
        encoding="utf-8",
    )
    return {"PRETIX_CONFIG_FILE": str(file), "DJANGO_SETTINGS_MODULE": "pretix.settings"}
