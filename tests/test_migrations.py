"""Migrations produce exactly the models' tables; a command that can't stops with one line."""

import os
import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import create_engine, inspect, text
from sqlmodel import SQLModel

from campus_app.kitchen.sql.tables import KitchenDeviceRow
from campus_app.migrate import downgrade, upgrade
from campus_app.shared.migrations import VERSIONS
from kit.db.schema_version import (
    MIGRATION_LOCK,
    newest_revision,
    schema_problem,
)
from tests.helpers.product import eventually
from voice_site.adapters.tables import DemoRequestRow

ROOT = Path(__file__).parents[1]
ALEMBIC_TABLES = {"alembic_version"}


@pytest.fixture(params=["sqlite", "postgresql"])
def empty_url(request, tmp_path):
    """The URL of a database without tables; SQLite's file and folder do not exist yet."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path}/a/new/folder/food.db"
    else:
        with request.getfixturevalue("postgres").empty_database() as url:
            yield url


@pytest.fixture
def engine(empty_url):
    """An engine on the database."""
    engine = create_engine(empty_url)
    yield engine
    engine.dispose()


def tables_of(engine):
    return set(inspect(engine).get_table_names()) - ALEMBIC_TABLES


def differences(engine):
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        return compare_metadata(context, SQLModel.metadata)


def test_models_describe_every_migrated_table(empty_url, engine):
    assert {KitchenDeviceRow.__tablename__, DemoRequestRow.__tablename__} < set(
        SQLModel.metadata.tables
    )
    upgrade(empty_url)
    assert tables_of(engine) == set(SQLModel.metadata.tables)
    assert differences(engine) == []


def test_downgrade_drops_all_tables_and_upgrade_works_again(empty_url, engine):
    upgrade(empty_url)
    downgrade(empty_url)
    assert tables_of(engine) == set()
    upgrade(empty_url)
    assert differences(engine) == []


def test_upgrade_keeps_data_of_current_database(empty_url, engine):
    upgrade(empty_url)
    with engine.begin() as connection:
        connection.execute(
            text("INSERT INTO order_numbers (value, order_id, held_until_ms) VALUES (482, 'o', 0)")
        )
    upgrade(empty_url)
    with engine.connect() as connection:
        assert connection.execute(text("SELECT value FROM order_numbers")).scalar() == 482


@pytest.mark.parametrize(
    ("table", "defaults"),
    [
        ("orders", {"door_note": "", "no_cutlery": False}),
        ("seat_holds", {"client": ""}),
        (
            "demo_requests",
            {"lead_id": None, "journey": None, "link_token": None, "mailbox": ""},
        ),
    ],
)
def test_columns_added_since_the_first_schema_have_defaults(empty_url, engine, table, defaults):
    """During an upgrade the previous release still inserts rows without them."""
    upgrade(empty_url, "0001")
    with engine.connect() as connection:
        columns = inspect(connection).get_columns(table)
    values = {column["name"]: _value(column) for column in columns if not column["nullable"]}
    upgrade(empty_url)
    insert = f"INSERT INTO {table} ({', '.join(values)}) VALUES (:{', :'.join(values)})"
    with engine.begin() as connection:
        connection.execute(text(insert), values)
        stored = connection.execute(text(f"SELECT {', '.join(defaults)} FROM {table}")).one()
    assert dict(stored._mapping) == defaults


def test_upgrade_gives_each_demo_request_a_lead(empty_url, engine):
    upgrade(empty_url, "0006")
    columns = inspect(engine).get_columns("demo_requests")
    values = {column["name"]: _value(column) for column in columns}
    values |= {"email": "Priya@Company.example", "company": "College", "created_at_ms": 5}
    insert = f"INSERT INTO demo_requests ({', '.join(values)}) VALUES (:{', :'.join(values)})"
    with engine.begin() as connection:
        for id_, is_suspected in (("a", False), ("b", True)):
            row = values | {"id": id_, "submission_key": id_, "is_suspected": is_suspected}
            connection.execute(text(insert), row)
    upgrade(empty_url)
    joined = (
        "SELECT leads.id, leads.state, leads.changed_at_ms, mailbox, company_key FROM leads"
        " JOIN demo_requests ON demo_requests.lead_id = leads.id ORDER BY leads.id"
    )
    with engine.connect() as connection:
        found = [tuple(row) for row in connection.execute(text(joined))]
    assert found == [
        ("a", "new", 5, "priya@company.example", "college"),
        ("b", "spam", 5, "priya@company.example", "college"),
    ]


def _value(column):
    if "BOOL" in str(column["type"]):
        return False
    return 0 if "INT" in str(column["type"]) else "[]" if column["name"] == "lines" else "x"


def test_control_difference_between_models_and_schema_is_detected(empty_url, engine):
    """The negative control of the tests above."""
    upgrade(empty_url)
    with engine.begin() as connection:
        connection.execute(text("ALTER TABLE orders ADD COLUMN additional INTEGER"))
        connection.execute(text("DROP TABLE restaurant_overrides"))
    kinds = {(difference[0], str(difference[-1].name)) for difference in differences(engine)}
    assert kinds >= {("remove_column", "additional"), ("add_table", "restaurant_overrides")}


def test_upgrade_enables_wal_on_sqlite(tmp_path):
    """Changing to WAL needs exclusive access, which fails when servers start together."""
    upgrade(f"sqlite:///{tmp_path}/food.db")
    with closing(sqlite3.connect(tmp_path / "food.db")) as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_upgrade_accepts_url_with_percent_sign(tmp_path):
    upgrade(f"sqlite:///{tmp_path}/100%/food.db")
    assert (tmp_path / "100%" / "food.db").is_file()


def command(folder, *, program="campus_app.migrate", **environment):
    """Run a command as `make run` does; no setting of this shell or of a `.env` is passed on."""
    return subprocess.run(
        [sys.executable, "-m", program],
        cwd=folder,
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def test_migrate_command_upgrades_configured_database(tmp_path):
    done = command(tmp_path, DATABASE_URL="sqlite:///var/food.db")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "var" / "food.db").is_file()


def test_concurrent_hosts_migrate_serially(tmp_path, postgres):
    waiting_locks = text(
        "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"
    )
    with postgres.empty_database() as url, ThreadPoolExecutor(2) as hosts:
        engine = create_engine(url)
        with engine.begin() as first:
            first.execute(text(f"SELECT pg_advisory_xact_lock({MIGRATION_LOCK})"))
            commands = [hosts.submit(command, tmp_path, DATABASE_URL=url) for _ in range(2)]
            eventually(
                lambda: first.execute(waiting_locks).scalar() == 2,
                "both commands wait for the lock",
            )
            assert inspect(first).get_table_names() == []
        results = [each.result() for each in commands]
        assert [each.returncode for each in results] == [0, 0], [each.stderr for each in results]
        assert schema_problem(url, VERSIONS) == ""
        engine.dispose()


def set_revision(engine, revision):
    with engine.begin() as connection:
        statement = text("UPDATE alembic_version SET version_num = :revision")
        connection.execute(statement, {"revision": revision})


def test_schema_problem_reports_outdated_database(empty_url, engine):
    upgrade(empty_url)
    assert schema_problem(empty_url, VERSIONS) == ""
    set_revision(engine, "9999")
    assert schema_problem(empty_url, VERSIONS) == "", "a newer schema is no problem"
    set_revision(engine, "0000")
    outdated = f"it is at revision 0000, this release needs {newest_revision(VERSIONS)}"
    assert schema_problem(empty_url, VERSIONS) == outdated


@pytest.mark.parametrize(
    ("url", "line"),
    [
        pytest.param(
            "sqlite:///food.db",
            f"Database: it is at revision none, this release needs {newest_revision(VERSIONS)};"
            " run `python -m campus_app.migrate` first",
            id="never migrated",
        ),
        pytest.param(
            "postgresql://food:hunter2@127.0.0.1:1/food",
            "Database: OperationalError, it does not answer",
            id="unreachable",
        ),
    ],
)
def test_serve_exits_when_database_is_not_ready(tmp_path, url, line):
    served = command(tmp_path, program="campus_app.serve", DATABASE_URL=url)
    assert served.returncode != 0
    assert served.stderr.strip() == line


def damaged_file(folder):
    (folder / "food.db").write_bytes(b"no database file" * 256)
    return "sqlite:///food.db"


def file_of_newer_release(folder):
    url = f"sqlite:///{folder}/food.db"
    upgrade(url)
    set_revision(create_engine(url), "9999")
    return "sqlite:///food.db"


@pytest.mark.parametrize(
    ("url_in", "line"),
    [
        pytest.param(
            lambda _: "postgresql://food:hunter2@127.0.0.1:1/food",
            "Database: OperationalError, it does not answer",
            id="unreachable",
        ),
        pytest.param(
            damaged_file, "Database: DatabaseError, it cannot be read or written", id="damaged"
        ),
        pytest.param(
            lambda _: "sqlite:////proc/nowhere/food.db",
            "Database: No such file or directory, its folder cannot be created",
            id="no folder",
        ),
        pytest.param(
            file_of_newer_release,
            "Database: Can't locate revision identified by '9999'",
            id="newer release",
        ),
    ],
)
def test_migrate_exits_with_one_line_when_it_cannot_upgrade(tmp_path, url_in, line):
    migrated = command(tmp_path, program="campus_app.migrate", DATABASE_URL=url_in(tmp_path))
    assert migrated.returncode != 0
    assert migrated.stderr.strip() == line


def test_migrate_exits_with_one_line_when_postgresql_is_read_only(tmp_path, postgres):
    with postgres.empty_database() as url:
        engine = create_engine(url, isolation_level="AUTOCOMMIT")
        with engine.connect() as connection:
            name = connection.execute(text("SELECT current_database()")).scalar_one()
            only = f"ALTER DATABASE {name} SET default_transaction_read_only = on"
            connection.execute(text(only))
        engine.dispose()
        migrated = command(tmp_path, program="campus_app.migrate", DATABASE_URL=url)
    assert migrated.returncode != 0
    assert migrated.stderr.strip() == "Database: InternalError, it cannot be read or written"
