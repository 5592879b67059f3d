"""``python -m tests.mail_clients [PROGRAM ...]``: each mail program plays a game; exit status 1 where one did not."""

import argparse
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from bench.ports import free_port
from tests.mail_clients.delta_chat import DeltaChat
from tests.mail_clients.neomutt import NeoMutt
from tests.mail_clients.people import Figures, Person, Program, play
from tests.mail_clients.servers import DOMAIN, Dovecot, MailServer, OpenSmtpd, Postfix, mail_folder
from tests.mail_clients.thunderbird import Thunderbird
from tests.server.darbar import Darbar

PEOPLE: Final = {"neomutt": "Maryam", "thunderbird": "Sepideh", "deltachat": "Kaveh"}


@dataclass(frozen=True)
class Place:
    """A running Darbar, and the mail server before it."""

    folder: Path
    mail: Path
    darbar: Darbar
    server: MailServer
    dovecot: Dovecot | None


PROGRAMS: Final[dict[str, Callable[[Place, Person], Program]]] = {
    "neomutt": lambda place, person: NeoMutt(place.folder, person.name, person.maildir, place.server.port),
    "thunderbird": lambda place, person: Thunderbird(place.folder, person.name, imap(place), place.server.port),
    "deltachat": lambda place, person: DeltaChat(place.folder, person.name, imap(place), place.server.port),
}


def imap(place: Place) -> int:
    """The port of IMAP, for programs that need it."""
    assert place.dovecot is not None
    return place.dovecot.imap


def missing(program: str) -> list[str]:
    """Name what a game by this program needs and this machine has not."""
    needed = {"neomutt": ("neomutt", "tmux"), "thunderbird": ("thunderbird", "dovecot"), "deltachat": ("dovecot",)}
    absent = [program_name for program_name in needed[program] if shutil.which(program_name) is None]
    if program == "deltachat" and find_spec("deltachat_rpc_client") is None:
        absent.append("the packages deltachat-rpc-server and deltachat-rpc-client")
    if shutil.which("postfix") is None and (program != "neomutt" or shutil.which("smtpd") is None):
        absent.append("postfix")
    return absent


@contextmanager
def served(folder: Path) -> Iterator[Place]:
    """Darbar behind the mail server that this machine has."""
    mail, lmtp = mail_folder(folder, [name.lower() for name in PEOPLE.values()]), free_port()
    dovecot = Dovecot(folder, mail) if shutil.which("dovecot") else None
    server: MailServer
    if shutil.which("postfix"):
        server = Postfix(folder, mail, lmtp, dovecot.auth if dovecot else None)
    else:
        server = OpenSmtpd(folder, mail, lmtp)
    about = {"LMTP_PORT": str(lmtp), "EMAIL_URL": f"smtp://127.0.0.1:{server.port}", "MAIL_DOMAIN": DOMAIN}
    darbar = Darbar(folder / "data", **about)
    try:
        if dovecot:
            dovecot.start()
        server.start()
        yield Place(folder, mail, darbar.start(), server, dovecot)
    finally:
        if darbar.runs:
            darbar.end()
        server.stop()
        if dovecot:
            dovecot.stop()


def played(place: Place, name: str) -> Figures:
    """Play one game with one program, after its person has signed up."""
    person = Person(place.darbar, PEOPLE[name], place.mail)
    person.sign_up()
    program = PROGRAMS[name](place, person)
    try:
        return play(person, program)
    finally:
        program.close()
        person.http.close()


def main(names: list[str]) -> bool:
    """Play with each program that is here, and say how it went; True where all of these games were played."""
    write, absent = sys.stdout.write, {name: missing(name) for name in names}
    for name, needed in absent.items():
        if needed:
            write(f"{name}: skipped, as this machine lacks {', '.join(needed)}\n")
    here = [name for name in names if not absent[name]]
    if not here:
        return True
    folder, is_well = Path(tempfile.mkdtemp(prefix="darbar-mail-")), True
    with served(folder) as place:
        for name in here:
            begun = time.monotonic()
            figures = played(place, name)
            is_well = is_well and figures.is_over and not figures.asked_back
            ways = ", ".join(f"{count} by {way}" for way, count in figures.ways.items())
            write(
                f"{name} through {place.server.name}: {figures.replies} replies ({ways}), "
                f"{len(figures.asked_back)} asked back, {'to the end' if figures.is_over else 'NOT TO THE END'}, "
                f"{time.monotonic() - begun:.0f} s\n"
            )
            for text in figures.asked_back:
                write(f"--- asked back ---\n{text[:600]}\n")
            sys.stdout.flush()
    if is_well:
        shutil.rmtree(folder)
    else:
        write(f"What was said stands in {folder}.\n")
    return is_well


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m tests.mail_clients", description="Play games by mail programs.")
    parser.add_argument("programs", nargs="*", metavar="PROGRAM", help=f"of {', '.join(PROGRAMS)}; all of them if none")
    programs = parser.parse_args().programs or [*PROGRAMS]
    if unknown := [name for name in programs if name not in PROGRAMS]:
        parser.error(f"unknown: {', '.join(unknown)}. Known are {', '.join(PROGRAMS)}.")
    if os.geteuid() != 0:
        sys.exit("Mail servers begin as root: run this as root.")
    sys.exit(not main(programs))
