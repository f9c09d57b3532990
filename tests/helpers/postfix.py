"""A real Postfix, with greylisting by postgrey, in folders and on ports of its own.

It is as strict about EHLO and senders as Postfix's documentation suggests, except for the two
restrictions that query DNS (`reject_unknown_helo_hostname`, `reject_unknown_sender_domain`): the
tests have no name server, and Postfix accepts none but the machine's.
"""

import contextlib
import os
import pwd
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import SMTP as POLICY
from pathlib import Path

import pytest

from tests.fakes.mail_server import AUTHORITY
from tests.helpers.ports import free_port

GREYLISTING_SECONDS = 2
_PROGRAMS_PATH = os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin"])
_START_SECONDS = 30.0
_MAIN = """\
compatibility_level = 3.6
config_directory = {folder}/etc
queue_directory = {folder}/spool
data_directory = {folder}/data
maillog_file = /dev/stdout
multi_instance_wrapper =
myhostname = relay.campus.example
mydestination =
mynetworks = 192.0.2.1/32
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
smtpd_peername_lookup = no
alias_maps =
notify_classes =
smtpd_tls_security_level = encrypt
smtpd_tls_chain_files = {folder}/chain.pem
smtpd_helo_required = yes
strict_rfc821_envelopes = yes
disable_vrfy_command = yes
smtpd_helo_restrictions = reject_invalid_helo_hostname, reject_non_fqdn_helo_hostname
smtpd_sender_restrictions = reject_non_fqdn_sender
smtpd_relay_restrictions = reject_unauth_destination
smtpd_recipient_restrictions =
    reject_non_fqdn_recipient, reject_unlisted_recipient
    check_policy_service inet:127.0.0.1:{policy_port}
smtpd_data_restrictions = reject_unauth_pipelining
virtual_mailbox_domains = {domains}
virtual_mailbox_maps = texthash:{folder}/etc/mailboxes
virtual_mailbox_base = {folder}/mail
virtual_uid_maps = static:{uid}
virtual_gid_maps = static:{gid}
"""
_MASTER = """\
127.0.0.1:{port} inet n - n - - smtpd
cleanup  unix n - n - 0 cleanup
qmgr     unix n - n 300 1 qmgr
tlsmgr   unix - - n 1000? 1 tlsmgr
rewrite  unix - - n - - trivial-rewrite
bounce   unix - - n - 0 bounce
defer    unix - - n - 0 bounce
trace    unix - - n - 0 bounce
verify   unix - - n - 1 verify
flush    unix n - n 1000? 0 flush
proxymap unix - - n - - proxymap
smtp     unix - - n - - smtp
error    unix - - n - - error
retry    unix - - n - - error
discard  unix - - n - - discard
virtual  unix - n n - - virtual
anvil    unix - - n - 1 anvil
postlog  unix-dgram n - n - 1 postlogd
"""


@dataclass(frozen=True)
class Postfix:
    """A running Postfix: its port, and what it has delivered."""

    port: int
    folder: Path

    def mails(self) -> list[EmailMessage]:
        """Return the delivered mails, each with its recipient as `Delivered-To`."""
        files = sorted(self.folder.glob("mail/inbox/new/*"))
        return [message_from_bytes(file.read_bytes(), policy=POLICY) for file in files]

    def has_client(self) -> bool:
        """Whether a process of this machine holds a connection to it open, also half closed."""
        lines = Path("/proc/net/tcp").read_text().splitlines()[1:]
        sockets = [(line.split()[2], line.split()[9]) for line in lines]
        return any(
            remote.endswith(f":{self.port:04X}") and inode != "0" for remote, inode in sockets
        )

    def log(self) -> str:
        """Return everything that Postfix has logged."""
        return (self.folder / "log").read_text(encoding="utf-8")


@contextlib.contextmanager
def running_postfix(mailboxes: Sequence[str]) -> Iterator[Postfix]:
    """Run a Postfix that delivers to these addresses, greylisting each for two seconds."""
    postfix, postgrey = _program("postfix"), _program("postgrey")
    as_root = _as_root()
    with tempfile.TemporaryDirectory() as name, contextlib.ExitStack() as stopping:
        folder, port, policy_port = Path(name), free_port(), free_port()
        folder.chmod(0o755)  # Postfix's processes run as other users
        # Postfix owns its folders, so that the test's user cannot delete them.
        theirs = [folder / "spool", folder / "data"]
        stopping.callback(subprocess.run, [*as_root, "rm", "-rf", *theirs], check=True)
        _configure(folder, port, policy_port, mailboxes)
        for part in ("mail", "greylist"):
            shutil.chown(folder / part, _owner().pw_uid, _owner().pw_gid)
        stopping.enter_context(_postgrey(postgrey, folder / "greylist", policy_port))
        command = [*as_root, postfix, "-c", f"{folder}/etc"]
        with (folder / "log").open("wb") as log:
            server = subprocess.Popen([*command, "start-fg"], stdout=log, stderr=log)
        stopping.callback(server.wait)
        stopping.callback(subprocess.run, [*command, "stop"], capture_output=True, check=False)
        _wait_until_ready(server, port, folder / "log")
        yield Postfix(port, folder)


def _program(name: str) -> str:
    path = shutil.which(name, path=_PROGRAMS_PATH)
    if path is None:
        pytest.fail(f"{name} is missing (Debian, Ubuntu: apt-get install {name})", pytrace=False)
    return path


def _as_root() -> list[str]:
    """Return the command that runs others as root, which Postfix's master process needs."""
    if os.geteuid() == 0:
        return []
    is_allowed = (
        shutil.which("sudo")
        and not subprocess.run(["sudo", "-n", "true"], capture_output=True, check=False).returncode
    )
    if not is_allowed:
        pytest.fail("Postfix needs root: run the tests as root, or allow sudo", pytrace=False)
    return ["sudo", "-n"]


def _owner() -> pwd.struct_passwd:
    """Return whose mailboxes and greylist they are: ours, but neither program uses root's."""
    return pwd.getpwuid(os.geteuid()) if os.geteuid() else pwd.getpwnam("nobody")


def _configure(folder: Path, port: int, policy_port: int, mailboxes: Sequence[str]) -> None:
    for name in ("etc", "spool", "mail", "greylist"):
        (folder / name).mkdir()
    owner = _owner()
    certificate = AUTHORITY.issue_cert("localhost")
    certificate.private_key_and_cert_chain_pem.write_to_path(str(folder / "chain.pem"))
    values = {
        "folder": folder,
        "port": port,
        "policy_port": policy_port,
        "domains": " ".join(sorted({address.partition("@")[2] for address in mailboxes})),
        "uid": owner.pw_uid,
        "gid": owner.pw_gid,
    }
    (folder / "etc" / "main.cf").write_text(_MAIN.format(**values))
    (folder / "etc" / "master.cf").write_text(_MASTER.format(**values))
    lines = [f"{address} inbox/\n" for address in mailboxes]
    (folder / "etc" / "mailboxes").write_text("".join(lines))


@contextlib.contextmanager
def _postgrey(program: str, folder: Path, port: int) -> Iterator[None]:
    """Run the greylisting policy service."""
    owner = _owner()
    command = [program, f"--inet=127.0.0.1:{port}", f"--dbdir={folder}", f"--user={owner.pw_name}"]
    command += [f"--group={owner.pw_gid}", f"--delay={GREYLISTING_SECONDS}"]
    with (folder / "log").open("wb") as log:
        server = subprocess.Popen(command, stdout=log, stderr=log)
    try:
        _wait_until_ready(server, port, folder / "log", greeting=b"")
        yield
    finally:
        server.terminate()
        server.wait()


def _wait_until_ready(
    server: subprocess.Popen[bytes], port: int, log: Path, greeting: bytes = b"220"
) -> None:
    deadline = time.monotonic() + _START_SECONDS
    while not _greets(port, greeting):
        if server.poll() is not None or time.monotonic() > deadline:
            reason = log.read_text(encoding="utf-8", errors="replace")
            pytest.fail(f"{server.args!r} did not start: {reason}", pytrace=False)
        time.sleep(0.02)


def _greets(port: int, greeting: bytes) -> bool:
    try:
        with socket.create_connection(("127.0.0.1", port), 5) as connection:
            return not greeting or connection.recv(64).startswith(greeting)
    except OSError:
        return False
