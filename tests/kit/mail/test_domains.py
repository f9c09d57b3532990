"""Domains that no mail can leave from."""

import pytest

from kit.mail.domains import has_reserved_domain


@pytest.mark.parametrize(
    ("address", "is_reserved"),
    [
        ("orders@food-points.example", True),
        ("orders@EXAMPLE.", True),
        ("orders@mail.example.com", True),
        ("orders@example.org", True),
        ("orders@food.test", True),
        ("orders@localhost", True),
        ("orders@printer.local", True),
        ("orders@router.home.arpa", True),
        ("orders@intranet", True),
        ("orders@food-points.in", False),
        ("orders@my-example.com", False),
        ("orders@example.co.in", False),
        ("orders@latest.in", False),
    ],
)
def test_has_reserved_domain_finds_reserved_and_single_names(address, is_reserved):
    assert has_reserved_domain(address) is is_reserved
