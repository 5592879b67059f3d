"""The page *Install on a server*, from an empty Debian to a game over TLS and an email, by its own commands.

The Debian is new, boots systemd and has a network of its own (``bench/drills/chroot.py``). Every block of the page is
used in its order: commands are typed, files written, SQL entered, DNS records served. Of the page's values only those
are replaced that an operator replaces: the port of the mail provider, the machine's address, the key in the DNS.
"""

import os
import pty
import re
import select
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from ssl import create_default_context
from typing import Any, Final

import httpx

from bench.drills import chroot, neighbours
from bench.drills.chroot import GATEWAY, Chroot, booted
from bench.ports import free_port
from tests.server.correspondents import Mailboxes, text_of
from tests.server.darbar import ROOT, wait_until
from tests.server.player import PASSWORD, Player
from tests.server.proxies import NAME
from tests.server.replies import answered, opened, reply_to_the_mail

PAGE: Final = ROOT / "docs" / "site" / "en" / "host" / "index.md"
OPERATOR: Final = "you@example.org"
PROVIDER: Final = "smtp.example.org"
REPOSITORY: Final = "https://git.example.org/"
_BLOCK: Final = re.compile(r'^```(\w+)(?: title="(.*?)")?\n(.*?)^```$|^## (.*?)$', re.M | re.S)
_LONG: Final = 20.0
"""Commands that take longer than this many seconds are named with their time."""
_CERTBOT: Final = f"""server = {neighbours.AUTHORITY}
email = {OPERATOR}
agree-tos = true
no-eff-email = true
non-interactive = true
no-verify-ssl = true
"""


@dataclass(frozen=True)
class Block:
    """A part of the page between fences."""

    kind: str
    title: str
    """The file that it is; blank for commands and what is typed."""
    text: str
    section: str


def blocks(page: str) -> list[Block]:
    """Return the blocks of the page in their order."""
    found, section = [], ""
    for kind, title, text, heading in _BLOCK.findall(page):
        section = heading or section
        if kind:
            found.append(Block(kind, title, text, section))
    return found


def run(folder: Path, size: int) -> Iterator[tuple[str, bool]]:
    """Give a line for each step of the page, each with whether all is well."""
    missing = [each for each in (*chroot.PROGRAMS, "caddy") if shutil.which(each) is None]
    if os.geteuid() or missing:
        why = f"not installed: {', '.join(missing)}" if missing else "only root can make namespaces"
        yield f"debian: skipped: {why}", True
        return
    with ExitStack() as stack:
        began = time.monotonic()
        try:
            machine = stack.enter_context(booted(folder))
        except OSError as error:
            yield f"debian: skipped: {error}", True
            return
        yield f"debian: a new Debian runs after {time.monotonic() - began:.0f} s", True
        yield from Operator(machine, folder, stack).follow(blocks(PAGE.read_text()))


class Operator:
    """A person who has nothing but the page."""

    def __init__(self, machine: Chroot, folder: Path, stack: ExitStack) -> None:
        self._machine, self._folder, self._stack = machine, folder, stack
        self._cwd, self._front = "/root", free_port()
        authority = folder / "authority"
        authority.mkdir()
        machine.write("/etc/hosts", f"127.0.0.1 localhost {NAME}\n{GATEWAY} {PROVIDER}\n")
        self._authority = stack.enter_context(neighbours.authority(machine, authority))
        self._provider = stack.enter_context(neighbours.provider(folder, PROVIDER, self._deliver))
        self._trusted = create_default_context(cafile=str(self._authority))
        self._bring_along()

    def _bring_along(self) -> None:
        """Give the machine a repository to clone, and what browsers and mail servers trust everywhere."""
        subprocess.run(["git", "clone", "-q", "--bare", ROOT, self._machine.folder / "srv" / "darbar.git"], check=True)
        settings = f'[url "/srv/"]\n    insteadOf = {REPOSITORY}\n[safe]\n    directory = *\n'
        self._machine.write("/root/.gitconfig", settings)
        for name, kept in (("provider", self._folder / "fullchain.pem"), ("authority", self._authority)):
            self._machine.write(f"/usr/local/share/ca-certificates/{name}.crt", kept.read_text())
        self._machine.write("/root/.config/letsencrypt/cli.ini", _CERTBOT)
        self._machine.forward(self._front, 443)

    def follow(self, page: list[Block]) -> Iterator[tuple[str, bool]]:
        """Use every block of the page, and play where it says that all works."""
        for block, following in zip(page, [*page[1:], None], strict=True):
            if block.title:
                self._write(block)
            elif block.kind == "dns":
                self._publish(block.text)
            elif block.kind == "sh":
                typed = following.text if following and following.kind == "sql" else ""
                for command in block.text.splitlines():
                    line, well = self._type(command, typed)
                    yield line, well
                    if not well:
                        return
            if following is None or following.section != block.section:
                yield from self._after(block.section)
        yield from self._leave_out_databases()

    def _after(self, section: str) -> Iterator[tuple[str, bool]]:
        """Look at what the page promises at the end of a section."""
        looks = {"4.": self._service, "5.": self._first_game, "6.": self._first_email, "9.": self._new_version}
        if look := looks.get(section[:2]):
            yield from look()

    def _write(self, block: Block) -> None:
        """Write a file of the page, or add to it; the page says to restart after the second."""
        self._machine.write(block.title, block.text.replace(f"{PROVIDER}:587", f"{PROVIDER}:{self._provider.port}"))
        if "DKIM_KEY" in block.text:
            self._machine.run("systemctl", "restart", "darbar")

    def _publish(self, records: str) -> None:
        """Serve the records of the page, with this machine's address, and its key as ``darbar doctor`` prints it."""
        printed = self._machine.run("runuser", "-u", "darbar", "--", "darbar", "doctor", "--wait", "0").stdout
        (key,) = re.findall(r'"v=DKIM1; k=rsa; p=(.*)"', printed)
        written = re.sub(r"p=MI\w+", f"p={key}", records).replace("198.51.100.7", "127.0.0.1")
        zone = [*written.splitlines(), f'spf.example.org. 3600 IN TXT "v=spf1 ip4:{GATEWAY} -all"']
        self._stack.enter_context(neighbours.dns(self._machine, self._folder, zone))
        self._health()  # the restart is over

    def _type(self, command: str, typed: str) -> tuple[str, bool]:
        """Run a command in the folder in which the former one ended."""
        began = time.monotonic()
        script = f"cd {self._cwd} && {command} && pwd > /root/.folder"
        if "createoperator" in command:
            well, said = self._answer_prompts(script)
        else:
            done = self._machine.run("bash", "-c", script, typed=typed)
            well, said = done.returncode == 0, done.stdout + done.stderr
        if command.endswith("doctor"):
            wrong = [line for line in said.splitlines() if line.startswith("wrong")]
            well = all("ends in 0 days" in line for line in wrong)  # the authority gives no longer ones
        if not well:
            return f"debian: {command}\n{said.strip()[-3000:]}", False
        self._cwd = (self._machine.folder / "root" / ".folder").read_text().strip()
        took = time.monotonic() - began
        return f"debian: {command}{f' ({took:.0f} s)' if took > _LONG else ''}", True

    def _answer_prompts(self, script: str) -> tuple[bool, str]:
        """Run a command at a terminal that asks for an address, a name, and twice for a password."""
        terminal, theirs = pty.openpty()
        process = self._machine.popen("setsid", "--ctty", "bash", "-c", script, terminal=theirs)
        os.close(theirs)
        answers, said, seen = [OPERATOR, "Parvaneh", PASSWORD, PASSWORD], "", 0
        while part := _read(terminal):
            said += part
            if answers and re.search(r": ?$", said[seen:]):
                os.write(terminal, f"{answers.pop(0)}\n".encode())
                seen = len(said)
        os.close(terminal)
        return process.wait() == 0, said

    def _deliver(self, sender: str, recipient: str, text: str) -> None:
        """Bring an email to the machine through the pipe that the page names."""
        pipe = ("runuser", "-u", "darbar", "--", "darbar", "receive_mail", "--sender", sender, recipient)
        taken = self._machine.run(*pipe, typed=text)
        assert taken.returncode == 0, taken.stderr

    def _client(self) -> httpx.Client:
        """Return a client that finds the server by its name, and trusts the authority alone."""
        address = f"https://127.0.0.1:{self._front}"
        client = httpx.Client(base_url=address, verify=self._trusted, headers={"Host": NAME}, timeout=30)
        client.event_hooks["request"] = [lambda request: request.extensions.update(sni_hostname=NAME)]
        return client

    def _health(self) -> tuple[str, bool]:
        """Wait until no sign is red, for a while."""
        with suppress(AssertionError):
            wait_until(lambda: self._red() == [], "no sign is red")
        return f"debian: https://{NAME}/healthz: red are {self._red()}", self._red() == []

    def _red(self) -> list[str] | None:
        """Return the signs that are red; None where the server does not answer."""
        with suppress(httpx.HTTPError, ValueError), self._client() as client:
            return list(client.get("/healthz").json()["red"])
        return None

    def _service(self) -> Iterator[tuple[str, bool]]:
        said = f"Darbar is at https://{NAME}/"
        wait_until(lambda: said in self._machine.run("journalctl", "-u", "darbar").stdout, "the journal says so")
        yield f"debian: the journal says “{said}”", True

    def _first_game(self) -> Iterator[tuple[str, bool]]:
        """Play over TLS."""
        yield self._health()
        yield self._played("Friend")

    def _played(self, name: str) -> tuple[str, bool]:
        with Subscriber(self._client(), name, self._provider) as player:
            state = player.outcome(player.send(opened(player), "income"))["state"]
        return f"debian: signed up by email, and played a first move over TLS: {state}", state == "applied"

    def _first_email(self) -> Iterator[tuple[str, bool]]:
        """Play by an email."""
        with Subscriber(self._client(), "Maryam", self._provider) as maryam:
            game = opened(maryam)
            reply = reply_to_the_mail(maryam, game, 1)
            self._deliver(maryam.email, reply["To"], reply.as_string())
            wait_until(lambda: answered(maryam, game), "the email is read")
            yield f"debian: a move came by {answered(maryam, game)}", answered(maryam, game) == "mail"
        signed = self._provider.kept[maryam.email][-1]["DKIM-Signature"] or ""
        yield "debian: emails are signed with the key of the page", f"d={NAME}" in signed and "s=s1" in signed

    def _new_version(self) -> Iterator[tuple[str, bool]]:
        yield self._health()

    def _leave_out_databases(self) -> Iterator[tuple[str, bool]]:
        """Leave out the settings of PostgreSQL and Redis, as the page offers, and play on what Darbar brings."""
        kept = [line for line in self._settings.read_text().splitlines(keepends=True) if "127.0.0.1:" not in line]
        self._settings.write_text("".join(kept))
        self._machine.run("systemctl", "restart", "darbar")
        yield "debian: DATABASE_URL and BROKER_URL are left out", True
        yield self._health()
        yield self._played("Bahareh")

    @property
    def _settings(self) -> Path:
        return self._machine.folder / "etc" / "darbar.env"


class Subscriber(Player):
    """A player whose emails come to the provider."""

    def __init__(self, client: httpx.Client, name: str, provider: Mailboxes) -> None:
        self.name, self.email, self.http, self._provider = name, f"{name.lower()}@example.org", client, provider

    def mails(self) -> list[dict[str, Any]]:
        """Return what came for this player, the latest first."""
        came = reversed(self._provider.kept.get(self.email, []))
        return [{"text": text_of(mail), "reply_to": [str(mail["Reply-To"])]} for mail in came]


def _read(terminal: int) -> str:
    """Return what a program writes next to its terminal; blank once it has ended, or for a minute."""
    ready, _, _ = select.select([terminal], [], [], 60)
    try:
        return os.read(terminal, 1000).decode() if ready else ""
    except OSError:  # nobody has the other end any more
        return ""
