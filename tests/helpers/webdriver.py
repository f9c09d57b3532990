"""Firefox and WebKit, controlled by the W3C WebDriver protocol.

Debian's Firefox comes without geckodriver: it is controlled through Marionette's socket, whose
commands have the same names and responses (https://firefox-source-docs.mozilla.org/testing/marionette/).
"""

import contextlib
import json
import os
import shutil
import signal
import socket
import subprocess
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx

from tests.helpers.ports import free_port
from tests.helpers.product import eventually

FIREFOX = ("firefox-esr", "firefox")
WEBKIT_DRIVER = "WebKitWebDriver"
XVFB = "Xvfb"
_ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
_RESPONSE_SECONDS = 60.0
_STOP_SECONDS = 10.0
# Returns the position of a control that can be clicked. A driver locates a control before it clicks,
# and would silently miss it if the page scrolls or grows in between.
_CLICKABLE_POSITION = """((control) => {
  control.scrollIntoView({block: 'center', behavior: 'instant'});
  const {left, top, width, height} = control.getBoundingClientRect();
  const above = document.elementFromPoint(left + width / 2, top + height / 2);
  return !control.disabled && control.contains(above) && [left, top];
})(arguments[0])"""
# Firefox rejects some samples if there is no sound device; this device discards the sound, at any speed.
_SILENT_DEVICE = "pcm.!default null\n"
_PREFERENCES = {
    "marionette.port": 0,
    "app.update.enabled": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "services.settings.server": "",
    "media.cubeb.backend": "alsa",
    "media.cubeb.sandbox": False,
}


class CommandFailed(Exception):
    """A command failed; the message is the browser's."""


class DrivenBrowser(ABC):
    """A browser with one window, controlled by WebDriver commands.

    `has_audio_clock`: sound is played in real time, not as fast as it can be decoded.
    """

    has_audio_clock = True

    @abstractmethod
    def _send(self, command: str, method: str, path: str, body: dict[str, Any]) -> Any:
        """Send a command, by its Marionette name or its HTTP request; return its value."""

    def open(self, url: str) -> None:
        self._send("WebDriver:Navigate", "POST", "/url", {"url": url})

    def resize(self, width: int, height: int) -> None:
        """Set the window's size, as far as the browser allows it."""
        body = {"width": width, "height": height}
        self._send("WebDriver:SetWindowRect", "POST", "/window/rect", body)

    def run(self, script: str, *arguments: Any) -> Any:
        """Return the value of a JavaScript expression."""
        body = {"script": f"return {script}", "args": list(arguments)}
        return self._send("WebDriver:ExecuteScript", "POST", "/execute/sync", body)

    def wait(self, script: str, *arguments: Any) -> Any:
        """Return the value of an expression as soon as it is true."""
        return eventually(lambda: self._run_or_none(script, *arguments), f"{script} {arguments}")

    def click(self, xpath: str) -> None:
        """Click an element when its position is stable and nothing covers it."""
        position = None

        def try_click() -> bool:
            nonlocal position
            with contextlib.suppress(CommandFailed):
                element = self._find(xpath)
                before, position = position, self.run(_CLICKABLE_POSITION, {_ELEMENT: element})
                if position and position == before:
                    self._on_element("Click", element, "click")
                    return True
            return False

        eventually(try_click, f"a click on {xpath}")

    def type(self, xpath: str, text: str) -> None:
        """Replace the text of a field, as soon as it is in view: a page may show it later."""

        def try_type() -> bool:
            with contextlib.suppress(CommandFailed):
                element = self._find(xpath)
                self._on_element("Clear", element, "clear")
                self._on_element("SendKeys", element, "value", text=text)
                return True
            return False

        eventually(try_type, f"typing into {xpath}")

    def _run_or_none(self, script: str, *arguments: Any) -> Any:
        with contextlib.suppress(CommandFailed):  # the page may be unloading
            return self.run(script, *arguments)
        return None

    def _find(self, xpath: str) -> str:
        body = {"using": "xpath", "value": xpath}
        found = self._send("WebDriver:FindElement", "POST", "/element", body)
        return found[_ELEMENT]

    def _on_element(self, command: str, element: str, path: str, **body: Any) -> None:
        self._send(
            f"WebDriver:Element{command}",
            "POST",
            f"/element/{element}/{path}",
            {"id": element, **body},
        )


class _Firefox(DrivenBrowser):
    has_audio_clock = False

    def __init__(self, port: int) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=_RESPONSE_SECONDS)
        self._stream = self._socket.makefile("rb")
        self._number = 0
        self._read()  # the browser's greeting
        self._send("WebDriver:NewSession", "", "", {})

    def _send(self, command: str, method: str, path: str, body: dict[str, Any]) -> Any:
        self._number += 1
        text = json.dumps([0, self._number, command, body])
        self._socket.sendall(f"{len(text.encode())}:{text}".encode())
        _, _, error, result = self._read()
        if error:
            raise CommandFailed(f"{command}: {error['error']}: {error['message']}")
        return result.get("value", result) if isinstance(result, dict) else result

    def _read(self) -> Any:
        length = b""
        while (digit := self._stream.read(1)) != b":":
            if not digit:
                raise CommandFailed("Firefox closed the connection")
            length += digit
        return json.loads(self._stream.read(int(length)))

    def close(self) -> None:
        self._stream.close()
        self._socket.close()


class _WebKit(DrivenBrowser):
    def __init__(self, port: int, browser: str) -> None:
        self._client = httpx.Client(
            base_url=f"http://127.0.0.1:{port}", timeout=_RESPONSE_SECONDS, trust_env=False
        )
        self._session = ""
        eventually(self._is_up, "the WebKit driver")
        options = {"binary": browser, "args": ["--automation"]}
        capabilities = {"alwaysMatch": {"webkitgtk:browserOptions": options}}
        self._session = f"/session/{self._send('', 'POST', '/session', {'capabilities': capabilities})['sessionId']}"

    def _is_up(self) -> bool:
        with contextlib.suppress(httpx.TransportError):
            return self._client.get("/status").is_success
        return False

    def _send(self, command: str, method: str, path: str, body: dict[str, Any]) -> Any:
        response = self._client.request(method, f"{self._session}{path}", json=body)
        value = response.json()["value"]
        if not response.is_success:
            raise CommandFailed(f"{path}: {value['error']}: {value['message']}")
        return value

    def close(self) -> None:
        self._client.request("DELETE", self._session)
        self._client.close()


@contextlib.contextmanager
def firefox(folder: Path) -> Iterator[DrivenBrowser]:
    """Start Firefox headless, with its own profile in a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    lines = (f"user_pref({json.dumps(k)}, {json.dumps(v)});\n" for k, v in _PREFERENCES.items())
    (folder / "user.js").write_text("".join(lines))
    program = next(filter(None, map(shutil.which, FIREFOX)))
    command = [program, "--headless", "--marionette", "--no-remote", "--profile", str(folder)]
    (folder / ".asoundrc").write_text(_SILENT_DEVICE)
    with _running(command, folder, HOME=str(folder)):
        file = folder / "MarionetteActivePort"
        port = eventually(lambda: file.exists() and file.read_text().strip(), "Firefox's port")
        browser = _Firefox(int(port))
        try:
            yield browser
        finally:
            browser.close()


@contextlib.contextmanager
def webkit(folder: Path) -> Iterator[DrivenBrowser]:
    """Start WebKitGTK's MiniBrowser on a virtual screen, with its own home folder."""
    folder.mkdir(parents=True, exist_ok=True)
    (browser,) = list(Path("/usr/lib").glob("*/webkit2gtk-4.1/MiniBrowser")) or [None]
    screen = folder / "screen"
    port = free_port()
    with screen.open("w") as stream:
        number = str(stream.fileno())
        arguments = ["-screen", "0", "1600x1200x24", "-nolisten", "tcp", "-displayfd", number]
        with _running([XVFB, *arguments], folder, pass_fds=(stream.fileno(),)):
            display = eventually(lambda: screen.read_text().strip(), "the virtual screen's number")
            home = {"HOME": str(folder), "DISPLAY": f":{display}", "GDK_BACKEND": "x11"}
            with _running([WEBKIT_DRIVER, f"--port={port}"], folder, **home):
                driven = _WebKit(port, str(browser))
                try:
                    yield driven
                finally:
                    driven.close()


@contextlib.contextmanager
def _running(
    command: list[str], folder: Path, *, pass_fds: tuple[int, ...] = (), **more: str
) -> Iterator[None]:
    """Run a program during the block; end it with all its children."""
    log = (folder / f"{Path(command[0]).name}.log").open("wb")
    # setpriv ends the program with the test process, even if that is killed.
    process = subprocess.Popen(
        ["setpriv", "--pdeathsig", "KILL", *command],
        stdout=log,
        stderr=subprocess.STDOUT,
        env={**os.environ, "MOZ_CRASHREPORTER_DISABLE": "1", **more},
        start_new_session=True,
        pass_fds=pass_fds,
    )
    try:
        yield
    finally:
        _end(process)
        log.close()


def _end(process: subprocess.Popen[bytes]) -> None:
    """End a program's whole process group."""
    for signal_ in (signal.SIGTERM, signal.SIGKILL):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal_)
        deadline = time.monotonic() + _STOP_SECONDS
        while _has_members(process) and time.monotonic() < deadline:
            time.sleep(0.02)


def _has_members(process: subprocess.Popen[bytes]) -> bool:
    process.poll()  # otherwise a zombie would count as a member
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, 0)
        return True
    return False
