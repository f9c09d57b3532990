"""Settings that determine which adapters are built."""

import pytest

from campus_app.ordering.providers.cashfree.account import Endpoint
from campus_app.ordering.wiring import PROVIDERS
from tests.helpers.settings import settings_for

CASHFREE = {
    "payment_provider": "cashfree",
    "cashfree_client_id": "TEST1",
    "cashfree_client_secret": "cfsk_ma_test_1",
    "redis_url": "redis://127.0.0.1:1/0",
}
POSTGRES = "postgresql://food@127.0.0.1:1/food"


@pytest.mark.parametrize(
    ("percent", "processes", "share"),
    [
        pytest.param(100, 1, 30, id="one process has all of it"),
        pytest.param(80, 1, 24, id="of a part of it"),
        pytest.param(80, 4, 6, id="four have a quarter each"),
        pytest.param(80, 3, 8, id="whole calls, not whole percents"),
        pytest.param(1, 256, 1, id="never nothing"),
    ],
)
def test_provider_rate_limit_is_divided_among_processes(percent, processes, share, tmp_path, clock):
    chosen = settings_for(
        POSTGRES, tmp_path, **CASHFREE, cashfree_limit_percent=percent, processes=processes
    )
    provider = PROVIDERS[chosen.payment_provider](chosen, None, clock)
    assert provider._http._account.calls_per_minute(Endpoint.CREATE) == share
