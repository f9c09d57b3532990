"""`ops figures`. Source: specification 13.6."""

from tests.helpers.databases import sqlite_only


@sqlite_only
def test_figures_are_shown_and_written(run, completed, tmp_path):
    order = completed()
    done = run("figures")
    for word in ("2026-11-12 to 2026-11-18", "By kitchen", order.restaurant_name, "Wed 18 Nov"):
        assert word in done.out
    assert "Aarav" not in done.out
    csv, xlsx = tmp_path / "figures.csv", tmp_path / "figures.xlsx"
    found = run("figures", "--csv", str(csv), "--xlsx", str(xlsx), "--json").json
    assert found["sums"]["orders"] == 1
    assert found["sums"]["online"] == float(order.bill.online)
    assert (csv.read_bytes()[:3], xlsx.read_bytes()[:2]) == (b"\xef\xbb\xbf", b"PK")
    assert run("figures", "--csv", "/no/such/folder/x.csv").code == 1
    assert run("figures", "--first", "yesterday").code == 2
