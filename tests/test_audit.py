"""The dependency audit: known vulnerabilities fail it, and unavailable services are reported."""

import asyncio
import gzip
import json
import sys

import pytest
from packaging.utils import canonicalize_name
from starlette.requests import Request
from starlette.responses import JSONResponse

from tests.helpers.product import ROOT
from tests.helpers.server import serving

pytestmark = pytest.mark.anyio

PYTHON_ADVISORY = {
    "id": "GHSA-test-0000-0001",
    "modified": "2026-01-01T00:00:00Z",
    "details": "Invented for this test.",
    "affected": [
        {
            "package": {"name": "httpx", "ecosystem": "PyPI"},
            "ranges": [{"type": "ECOSYSTEM", "events": [{"introduced": "0"}, {"fixed": "99.0"}]}],
        }
    ],
}
NODE_ADVISORY = {
    "react": [
        {
            "id": 1,
            "url": "https://advisories.example/1",
            "title": "Invented for this test",
            "severity": "high",
            "vulnerable_versions": "<99.0.0",
            "cwe": [],
            "cvss": {"score": 8, "vectorString": None},
        }
    ]
}


UNREACHABLE = "http://127.0.0.1:1/"
LOCK = json.loads((ROOT / "reflex.lock" / "package-lock.json").read_text())


class Advisories:
    """Fakes of both advisory services."""

    def __init__(self, *, python=(), node=None, status=200):
        self.python = {each["affected"][0]["package"]["name"]: each for each in python}
        self.node = node or {}
        self.status = status
        self.requested = set()

    async def __call__(self, scope, receive, send):
        request = Request(scope, receive)
        body = await request.body()
        if request.headers.get("content-encoding") == "gzip":
            body = gzip.decompress(body)
        content = self._content(request.url.path, json.loads(body or b"{}"))
        await JSONResponse(content, self.status)(scope, receive, send)

    def _content(self, path, query):
        if path.endswith("/query"):
            name = query["package"]["name"]
            self.requested.add(name)
            return {"vulns": [self.python[name]]} if name in self.python else {}
        if path.endswith("/bulk"):
            self.requested |= set(query)
            return {name: found for name, found in self.node.items() if name in query}
        return packument(path.strip("/"))


def packument(name):
    """Return a package's registry document with the version that we use."""
    version = LOCK["packages"].get(f"node_modules/{name}", {}).get("version", "1.0.0")
    only = {"name": name, "version": version}
    return {"name": name, "versions": {version: only}, "dist-tags": {"latest": version}}


async def run_audit(advisories):
    """Return the audit's exit code and output."""
    async with serving(advisories) as address:
        return await run_audit_at(f"{address}/v1/query", f"{address}/")


async def run_audit_at(osv, registry):
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "tools/audit.py",
        f"--osv={osv}",
        f"--registry={registry}",
        cwd=ROOT,
        stdout=asyncio.subprocess.PIPE,
    )
    output, _ = await process.communicate()
    return process.returncode, output.decode()


async def test_audit_fails_when_a_python_package_is_vulnerable():
    advisories = Advisories(python=[PYTHON_ADVISORY])
    code, output = await run_audit(advisories)
    assert code == 1
    assert "httpx 0.28.1: GHSA-test-0000-0001 (mended in 99.0)" in output
    assert "reflex.lock: nothing is known against it" in output
    files = [ROOT / name for name in ("requirements.txt", "requirements-dev.txt")]
    lines = [line for file in files for line in file.read_text().splitlines()]
    pinned = {
        canonicalize_name(line.split("==")[0]) for line in lines if "==" in line and ";" not in line
    }
    assert pinned <= set(map(canonicalize_name, advisories.requested))
    assert {"react", "react-router", "vite"} <= advisories.requested


async def test_audit_fails_on_vulnerable_node_package_when_python_service_is_down():
    async with serving(Advisories(node=NODE_ADVISORY)) as address:
        code, output = await run_audit_at(UNREACHABLE, f"{address}/")
    assert code == 1
    assert "react: high" in output
    assert output.splitlines()[-1].startswith(
        "NOT audited, the advisories are out of reach: requirements.txt ("
    )


async def test_audit_reports_not_audited_when_services_are_unavailable():
    for code, output in (
        await run_audit(Advisories(status=405)),
        await run_audit_at(UNREACHABLE, UNREACHABLE),
    ):
        assert code == 0
        (line,) = output.splitlines()
        assert line.startswith("NOT audited, the advisories are out of reach: requirements.txt (")
        assert "), reflex.lock (" in line
        assert "nothing is known" not in output
