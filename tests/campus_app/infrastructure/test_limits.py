"""How often one address may do something."""

import pytest

from campus_app.infrastructure.limits import PerMinute, neighbourhood


def test_three_hundred_pass_and_the_next_is_told_when_to_come_back():
    # Source: CONTRACT: 'at least 300 prepared orders a minute pass; beyond that 429'.
    limit = PerMinute(300)
    assert [limit.seconds_to_wait("10.0.0.1") for _ in range(300)] == [0] * 300
    assert 1 <= limit.seconds_to_wait("10.0.0.1") <= 60


def test_one_address_does_not_use_up_what_another_may():
    limit = PerMinute(1)
    assert limit.seconds_to_wait("10.0.0.1") == 0
    assert limit.seconds_to_wait("10.0.0.1") > 0
    assert limit.seconds_to_wait("10.0.0.2") == 0


@pytest.mark.parametrize("address", ["", "::1", "10.0.0.1, 10.0.0.2", "a/b%c"])
def test_any_address_is_counted(address):
    limit = PerMinute(2)
    assert [limit.seconds_to_wait(address) == 0 for _ in range(3)] == [True, True, False]


@pytest.mark.parametrize(
    ("address", "stands_for"),
    [
        ("10.0.0.1", "10.0.0.1"),
        ("2001:db8:1:2::7", "2001:db8:1:2::/64"),
        ("2001:db8:1:2:ffff::", "2001:db8:1:2::/64"),
        ("2001:db8:1:3::7", "2001:db8:1:3::/64"),
        ("::ffff:10.0.0.1", "10.0.0.1"),
        ("fe80::1%eth0", "fe80::/64"),
        ("testclient", "testclient"),
        ("", ""),
    ],
)
def test_whoever_has_one_ipv6_address_has_all_that_begin_like_it(address, stands_for):
    assert neighbourhood(address) == stands_for


def test_a_neighbourhood_shares_a_limit():
    limit = PerMinute(1)
    assert limit.seconds_to_wait("2001:db8::1") == 0
    assert limit.seconds_to_wait("2001:db8::2") > 0
    assert limit.seconds_to_wait("2001:db8:0:1::1") == 0
