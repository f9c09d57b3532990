"""The parts of the comparison with other shops that measure nothing: forms, logs, versions, sums."""

import socket
import threading

import pytest

from bench.delay_proxy import delay_proxy
from bench.peers.forms import form, forms
from bench.peers.percentiles import p95
from bench.peers.pins import digest, version
from bench.peers.statements import IGNORED, statements, without_transactions
from tests.helpers.ports import free_port

LOG = f"""2026-11-26 04:12:50.000 UTC [100] LOG:  statement: BEGIN
2026-11-26 04:12:50.001 UTC [100] LOG:  statement: SELECT 1 FROM "orders"
\tWHERE number = 'LOG'
2026-11-26 04:12:50.002 UTC [101] LOG:  execute _pg3_0: INSERT INTO orders VALUES ($1)
2026-11-26 04:12:50.002 UTC [101] DETAIL:  parameters: $1 = '3'
2026-11-26 04:12:50.003 UTC [101] LOG:  execute <unnamed>: COMMIT
2026-11-26 04:12:50.004 UTC [102] LOG:  statement: SHOW {IGNORED} log_statement
2026-11-26 04:12:50.005 UTC [103] LOG:  received SIGHUP, reloading configuration files
2026-11-26 04:12:50.006 UTC [100] LOG:  statement: SAVEPOINT "s1"
""".splitlines()


def test_statements_are_counted_without_other_log_records():
    assert statements(LOG) == [
        "BEGIN",
        'SELECT 1 FROM "orders"',
        "INSERT INTO orders VALUES ($1)",
        "COMMIT",
        'SAVEPOINT "s1"',
    ]


def test_statements_of_transactions_are_removed():
    texts = ["BEGIN", 'SELECT 1 FROM "orders"', "commit", 'RELEASE SAVEPOINT "s1"', "BEGINNING"]
    assert without_transactions(texts) == ['SELECT 1 FROM "orders"', "BEGINNING"]


def test_form_sends_what_a_browser_without_scripts_sends():
    page = """
        <input name="outside" value="1">
        <form action="/search"><input name="q"></form>
        <form method="post" action="/cart/add?next=/&amp;step=2">
          <input type="hidden" name="token" value="a&amp;b">
          <input name="empty"><input name="off" value="x" disabled>
          <input type="checkbox" name="unchecked"><input type="checkbox" name="checked" checked>
          <input type="radio" name="pay" value="card"><input type="radio" name="pay" value="cash" checked>
          <select name="country"><option value="AT">A</option><option value="IN" selected>I</option></select>
          <textarea name="note">
No onions</textarea>
          <input type="submit" name="go" value="Go"><button name="button">Add</button>
        </form>
    """
    sent = form(page, "/cart/add")
    assert sent.action == "/cart/add?next=/&step=2"
    assert sent.values == {
        "token": "a&b",
        "empty": "",
        "checked": "on",
        "pay": "cash",
        "country": "IN",
        "note": "No onions",
    }
    assert [each.action for each in forms(page)] == ["/search", "/cart/add?next=/&step=2"]


def test_form_is_missing_when_no_address_contains_the_text():
    with pytest.raises(LookupError, match="checkout"):
        form('<form action="/cart"></form>', "checkout")


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        pytest.param([3.0], 3.0, id="one"),
        pytest.param([1.0, 2.0], 1.95, id="two"),
        pytest.param([float(each) for each in range(101)], 95.0, id="many"),
    ],
)
def test_p95_lies_between_measured_values(values, expected):
    assert p95(values) == pytest.approx(expected)


def test_version_is_that_of_the_exact_package():
    text = "django-oscar==4.2.1\ndjango==5.2.19 \\\n    --hash=sha256:00\n"
    assert version(text, "django") == "5.2.19"
    with pytest.raises(LookupError, match="celery"):
        version(text, "celery")


def test_digest_changes_with_each_file(tmp_path):
    first, second = tmp_path / "a", tmp_path / "b"
    first.write_text("1")
    second.write_text("2")
    before = digest([first, second])
    assert digest([second, first]) == before
    second.write_text("3")
    assert digest([first, second]) != before


def test_proxy_counts_bytes_of_each_direction():
    port = free_port()
    with socket.create_server(("127.0.0.1", 0)) as listener:
        answering = threading.Thread(target=answer_once, args=(listener, b"seven.."))
        answering.start()
        with delay_proxy(port, listener.getsockname()[1]) as proxy:
            with socket.create_connection(("127.0.0.1", port), timeout=10) as client:
                client.sendall(b"five.")
                assert client.recv(64, socket.MSG_WAITALL) == b"seven.."
            answering.join(10)
            assert proxy.take_bytes() == (5, 7)
            assert proxy.take_bytes() == (0, 0)


def answer_once(listener, content):
    connection, _ = listener.accept()
    with connection:
        connection.recv(64)
        connection.sendall(content)
