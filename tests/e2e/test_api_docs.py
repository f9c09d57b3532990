"""`/api/docs` in a browser."""

import pytest
from playwright.sync_api import expect

from tests.e2e.accessibility import check_accessibility


@pytest.fixture
def page(visit, server):
    return visit(server, reduced_motion="reduce", is_mobile=False, has_touch=False)


def test_page_shows_every_operation_and_its_example_when_opened(page, server):
    requests = []
    page.on("request", lambda request: requests.append(request.url))
    page.goto("/api/docs")
    paths = server.get("/api/openapi.json").json()["paths"]
    operations = page.locator(".opblock")
    expect(operations).to_have_count(sum(len(methods) for methods in paths.values()))
    prepare = operations.filter(has_text="/payment/prepare-order")
    prepare.get_by_role("button").first.click()
    expect(prepare).to_contain_text('"fullName": "Aarav Sharma"')
    expect(prepare).to_contain_text("idempotency_conflict")
    assert all(url.startswith((server.url, "data:", "blob:")) for url in requests)
    page.reload()
    expect(operations.first).to_be_visible()
    check_accessibility(page, "/api/docs")
