"""Real mail servers on ports of their own: Postfix or OpenSMTPD, and Dovecot for programs that speak IMAP."""

import shutil
import socket
import subprocess
from contextlib import suppress
from pathlib import Path
from typing import Final, Protocol

from bench.ports import free_port
from tests.server.darbar import ROOT, wait_until

DOMAIN: Final = "play.example.org"
"""Darbar's, as the files of ``deploy/`` name it."""
PEOPLE: Final = "people.example.net"
PASSWORD: Final = "opensesame"
_OWNER: Final = 65534
"""The system user that owns the mailboxes."""
_PASSWORDS: Final = """
smtpd_sasl_auth_enable = yes
smtpd_sasl_type = dovecot
smtpd_sasl_path = inet:127.0.0.1:{auth}
"""


def template(name: str) -> str:
    """Return the settings of a program, with names in braces for what differs from run to run."""
    return (Path(__file__).parent / "settings" / name).read_text()


class MailServer(Protocol):
    """A mail server that brings people their mail, and Darbar its own."""

    name: str
    port: int
    """The port and address at which it takes mail by SMTP."""
    log: Path

    def start(self) -> None:
        """Start it, and wait until it answers."""
        ...

    def stop(self) -> None:
        """End it."""
        ...


def mail_folder(folder: Path, people: list[str]) -> Path:
    """A folder with an empty Maildir for each person."""
    mail = folder / "mail"
    for person in people:
        for part in ("", "cur", "new", "tmp"):
            (mail / person / part).mkdir(parents=True, exist_ok=True)
            shutil.chown(mail / person / part, _OWNER, _OWNER)
    for folder_path in (folder, mail):
        folder_path.chmod(0o755)
    shutil.chown(mail, _OWNER, _OWNER)
    return mail


class Postfix:
    """Postfix with the lines of ``deploy/postfix/main.cf``."""

    name = "postfix"

    def __init__(self, folder: Path, mail: Path, lmtp: int, auth: int | None) -> None:
        self.folder = folder / "postfix"
        self.port = free_port()
        self.log = self.folder / "log"
        for part in ("config", "queue", "data"):
            (self.folder / part).mkdir(parents=True)
        shutil.chown(self.folder / "data", "postfix")
        text = (ROOT / "deploy" / "postfix" / "main.cf").read_text().replace("127.0.0.1:8024", f"127.0.0.1:{lmtp}")
        mailboxes = ", ".join(f"{person.name}@{PEOPLE}={person.name}/" for person in mail.iterdir())
        about = {"folder": self.folder, "mail": mail, "people": PEOPLE, "mailboxes": mailboxes}
        passwords = _PASSWORDS.format(auth=auth) if auth else ""
        (self.folder / "config" / "main.cf").write_text(template("postfix.cf").format(**about) + passwords + text)
        (self.folder / "config" / "master.cf").write_text(template("master.cf").format(port=self.port))

    def start(self) -> None:
        run("postfix", "-c", self.folder / "config", "start")
        wait_until(lambda: answers(self.port), "Postfix answers", 30)

    def stop(self) -> None:
        run("postfix", "-c", self.folder / "config", "stop")


class OpenSmtpd:
    """OpenSMTPD with ``deploy/opensmtpd/smtpd.conf``."""

    name = "smtpd"

    def __init__(self, folder: Path, mail: Path, lmtp: int) -> None:
        self.folder = folder / "opensmtpd"
        self.folder.mkdir()
        self.port = free_port()
        self.log = self.folder / "log"
        text = (ROOT / "deploy" / "opensmtpd" / "smtpd.conf").read_text()
        text = text.replace("listen on 0.0.0.0\nlisten on ::", f"listen on 127.0.0.1 port {self.port}")
        text = text.replace("127.0.0.1:8024", f"127.0.0.1:{lmtp}")
        people = (
            'table people { "@" = "nobody" }\n'
            f'action "people" maildir "{mail}/%{{rcpt.user}}" virtual <people>\n'
            f'match from any for domain "{PEOPLE}" action "people"\n'
        )
        (self.folder / "smtpd.conf").write_text(text.replace("match from local", f"{people}match from local"))
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        command = ["smtpd", "-d", "-f", str(self.folder / "smtpd.conf")]
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(command, stdout=log, stderr=log)
        wait_until(lambda: answers(self.port), "OpenSMTPD answers", 30)

    def stop(self) -> None:
        if self.process is not None:
            self.process.terminate()
            self.process.wait(30)


class Dovecot:
    """Dovecot for the same mail: IMAP, and passwords for those who send."""

    def __init__(self, folder: Path, mail: Path) -> None:
        self.folder = folder / "dovecot"
        (self.folder / "run").mkdir(parents=True)
        self.imap, self.auth = free_port(), free_port()
        about = {"folder": self.folder, "mail": mail, "imap": self.imap, "auth": self.auth, "password": PASSWORD}
        (self.folder / "dovecot.conf").write_text(template("dovecot.conf").format(**about))

    def start(self) -> None:
        """Start it, and wait until it answers."""
        run("dovecot", "-c", self.folder / "dovecot.conf")
        wait_until(lambda: answers(self.imap) and answers(self.auth), "Dovecot answers", 30)

    def stop(self) -> None:
        """End it."""
        run("doveadm", "-c", self.folder / "dovecot.conf", "stop")


def run(*command: object) -> None:
    """Run a program that may leave others behind, which keep its output open."""
    silent = subprocess.DEVNULL
    subprocess.run([*map(str, command)], stdin=silent, stdout=silent, stderr=silent, check=True)


def answers(port: int) -> bool:
    """Return whether something listens on a port."""
    with suppress(OSError), socket.create_connection(("127.0.0.1", port), 5):
        return True
    return False
