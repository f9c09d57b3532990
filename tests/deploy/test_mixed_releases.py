"""One process of the old release and one of the new one, as in the middle of an upgrade."""

import re
from random import Random

import httpx
import pytest

from tests.helpers.deployment import running_deployment
from tests.helpers.menu_page import MenuPage, open_pages, wait_until_hydrated
from tests.helpers.product import ROOT, eventually
from tests.helpers.releases import has_script, next_release, release_links, schema_of

pytestmark = pytest.mark.anyio

SCRIPTS = re.compile(r"/assets/[\w.-]+\.js")
PAGES = 20


@pytest.fixture(scope="module")
def release():
    return next_release()


@pytest.fixture(scope="module")
def mixed(release):
    """A deployment whose first process was upgraded, and whose second one was not."""
    with (
        release_links() as links,
        running_deployment(release=links.current, previous=links.previous) as deployment,
    ):
        links.switch(release)
        first = deployment.parts.backends[0]
        first.stop()
        first.start()
        yield deployment


def scripts(page):
    return set(SCRIPTS.findall(page.text))


def test_nginx_serves_scripts_of_both_releases_without_asking_a_process(mixed, release):
    new, old = (scripts(mixed.get("/checkout", process=process)) for process in (0, 1))
    assert any(not has_script(release, script) for script in old)
    assert any(not has_script(ROOT, script) for script in new)
    with httpx.Client(base_url=mixed.url, timeout=20, trust_env=False) as http:
        for script in old | new:
            response = http.get(script)
            assert (script, response.status_code) == (script, 200)
            assert response.headers["cache-control"] == "public, max-age=31536000, immutable"
    log = mixed.parts.outbox.parent / "nginx" / "access.log"
    for script in old | new:
        eventually(lambda script=script: f' {script}"' in log.read_text(), "nginx logs it")
    served = [line for line in log.read_text().splitlines() if "/assets/" in line]
    assert all(line.endswith('"-" "-"') for line in served)


async def open_old_pages(deployment, *, finds_release=True, processes=(0, 1)):
    """Open pages of the old release; return how many each process has, and the requests to reload."""
    pages = [
        MenuPage(deployment.url, deployment.now, Random(number), schema_of(ROOT), finds_release)
        for number in range(PAGES)
    ]
    async with open_pages(deployment.url, deployment.now, pages=pages):
        await wait_until_hydrated(pages)
        counts = [deployment.pages_at(process) for process in processes]
    eventually(
        lambda: not any(deployment.pages_at(process) for process in processes),
        "the pages are closed",
    )
    return counts, [message for page in pages for message in page.messages]


async def test_pages_of_old_release_connect_to_its_process_while_it_runs(mixed):
    assert await open_old_pages(mixed) == ([0, PAGES], [])


async def test_control_pages_must_reload_when_they_name_no_release(mixed):
    counts, messages = await open_old_pages(mixed, finds_release=False)
    assert min(counts) > 0
    assert messages == ["state_mismatch"] * counts[0]


async def test_pages_of_old_release_must_reload_when_it_runs_nowhere(mixed):
    second = mixed.parts.backends[1]
    second.stop()
    result = await open_old_pages(mixed, processes=(0,))
    second.start()
    assert result == ([PAGES], ["state_mismatch"] * PAGES)
