"""Servers that an operator finds in the internet: a mail provider, an authority that gives certificates, the DNS."""

import asyncio
import logging
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from ssl import PROTOCOL_TLS_SERVER, SSLContext
from typing import Final

from aiosmtpd.smtp import SMTP, AuthResult, Envelope, Session

from bench.drills.chroot import Chroot
from tests.notifications.mail_server import MailServer
from tests.server.correspondents import Mailboxes
from tests.server.darbar import wait_until
from tests.server.proxies import NAME, certificate

AUTHORITY: Final = "https://localhost:8443/acme/local/directory"
"""The address at which the authority gives certificates by ACME, on the machine itself."""
_CADDY: Final = """
{
    admin off
    auto_https disable_redirects
    skip_install_trust
}
https://localhost:8443 {
    tls internal
    acme_server
}
"""
_PIECE: Final = 250
"""Characters of a text in the DNS that are stored together."""


class Provider(Mailboxes):
    """A mail server that keeps what comes, and brings mail for the machine's own name to it."""

    def __init__(self, deliver: Callable[[str, str, str], None]) -> None:
        super().__init__()
        self._deliver = deliver

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802
        answer = await super().handle_DATA(server, session, envelope)
        assert isinstance(envelope.content, bytes)
        for address in envelope.rcpt_tos:
            if address.endswith(f"@{NAME}"):
                text = envelope.content.decode()
                await asyncio.to_thread(self._deliver, envelope.mail_from or "", address, text)
        return answer


@contextmanager
def provider(folder: Path, host: str, deliver: Callable[[str, str, str], None]) -> Iterator[Provider]:
    """A mail server at a name that takes mail over TLS from those who log in; its certificate is in ``folder``."""
    logging.getLogger("mail.log").setLevel("ERROR")  # aiosmtpd warns at each login of what it does itself
    certificate(folder, host)
    context = SSLContext(PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder / "fullchain.pem", folder / "privkey.pem")
    boxes = Provider(deliver)
    protocol = partial(
        SMTP,
        boxes,
        tls_context=context,
        require_starttls=True,
        auth_required=True,
        authenticator=lambda *_: AuthResult(success=True),
    )
    server = MailServer(boxes, boxes.port, protocol)
    server.start()
    try:
        yield boxes
    finally:
        server.stop()


@contextmanager
def authority(machine: Chroot, folder: Path) -> Iterator[Path]:
    """An authority that gives certificates to those who show that a name is theirs, as Let's Encrypt does.

    Gives its own certificate. It finds names where the machine finds them. Its certificates hold for twelve hours.
    """
    (folder / "Caddyfile").write_text(_CADDY)
    caddy = machine.outside("caddy", "run", "--config", str(folder / "Caddyfile"), "--adapter", "caddyfile")
    hosts = f'mount --bind {machine.folder}/etc/hosts /etc/hosts; exec "$@"'
    environment = {"PATH": os.environ["PATH"], "HOME": str(folder), "XDG_DATA_HOME": str(folder)}
    with _running(["unshare", "--mount", "sh", "-c", hosts, "sh", *caddy], folder / "log", environment):
        own = folder / "caddy" / "pki" / "authorities" / "local" / "root.crt"
        wait_until(own.exists, "the authority has a certificate", 30)
        yield own


@contextmanager
def dns(machine: Chroot, folder: Path, zone: Sequence[str]) -> Iterator[None]:
    """A name server that knows some records, and asks the one of this machine for all others."""
    (upstream, *_) = re.findall(r"^nameserver (\S+)$", Path("/etc/resolv.conf").read_text(), re.M)
    records = [part for record in zone for part in ("--intercept", _in_pieces(record))]
    server = [
        sys.executable,
        "-m",
        "dnslib.intercept",
        "--address",
        "127.0.0.1",
        "--upstream",
        f"{upstream}:53",
        "--tcp",
    ]
    with _running(machine.outside(*server, *records), folder / "dns.log", dict(os.environ)):
        resolver = machine.folder / "etc" / "resolv.conf"
        shutil.copy(resolver, folder)
        resolver.write_text("nameserver 127.0.0.1\n")
        yield


def _in_pieces(record: str) -> str:
    """Return a record whose text is stored in pieces, as servers have to."""
    before, quote, text = record.partition('"')
    text = text.rstrip('"')
    pieces = [f'"{text[start : start + _PIECE]}"' for start in range(0, len(text), _PIECE)]
    return before + " ".join(pieces) if quote else record


@contextmanager
def _running(command: list[str], log: Path, environment: dict[str, str]) -> Iterator[None]:
    with log.open("wb") as file:
        process = subprocess.Popen(command, env=environment, stdout=file, stderr=file)
    try:
        yield
    finally:
        process.kill()
        process.wait()
