"""People who play with their mail program only: their mailboxes and their answers."""

import email
import re
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from email.message import EmailMessage
from email.policy import default
from pathlib import Path
from typing import Any, Final, Protocol

from tests.mail_clients.servers import DOMAIN, PEOPLE
from tests.server.darbar import Darbar, wait_until
from tests.server.player import Player

MAILBOX: Final = f"darbar@{DOMAIN}"
NEW_GAME: Final = "new coup with 2 bots"
LONGEST: Final = 150
"""The number of answers a game takes at most."""
_OFFERED: Final = re.compile(r"^ +(\d+)\. +(\S.*)$", re.M)


class Program(Protocol):
    """A mail program that a test drives."""

    name: str

    def write(self, to: str, subject: str, text: str) -> None:
        """Write an email."""
        ...

    def reply(self, mail: EmailMessage, text: str) -> None:
        """Reply to an email, as the program quotes it."""
        ...

    def close(self) -> None:
        """End it."""
        ...


class Person(Player):
    """A person with a mailbox, who signs up with a code from an email."""

    def __init__(self, darbar: Darbar, name: str, mail: Path) -> None:
        super().__init__(darbar, name)
        self.email = f"{name.lower()}@{PEOPLE}"
        self.maildir = mail / name.lower()
        self.read: set[str] = set()

    def inbox(self) -> list[EmailMessage]:
        """Return the received mail, oldest first. A program may move a file in the meantime."""
        with suppress(FileNotFoundError):
            files = [path for part in ("new", "cur") for path in (self.maildir / part).iterdir()]
            files.sort(key=lambda path: path.stat().st_mtime)
            return [email.message_from_bytes(path.read_bytes(), policy=default) for path in files]
        return self.inbox()

    def mails(self) -> list[dict[str, Any]]:
        """Return the received mail in the order of the mailbox page, latest first."""
        return [{"text": text_of(mail)} for mail in reversed(self.inbox())]

    def next_mail(self) -> EmailMessage:
        """Wait for the next unread email from Darbar, and return it."""
        emails: list[EmailMessage] = []

        def has_arrived() -> bool:
            emails[:] = [mail for mail in self.inbox() if str(mail["Message-ID"]) not in self.read]
            return bool(emails)

        wait_until(has_arrived, f"{self.name} gets an email", 60)
        self.read.add(str(emails[0]["Message-ID"]))
        return emails[0]


@dataclass
class Figures:
    """The course of a game."""

    replies: int = 0
    asked_back: list[str] = field(default_factory=list)
    """The headlines of emails that a reply did not expect."""
    ways: Counter[str] = field(default_factory=Counter)
    is_over: bool = False


def play(person: Person, program: Program) -> Figures:
    """A whole game by mail: create it, confirm it, and answer each question in another way until it is over."""
    figures = Figures()
    person.read.update(str(mail["Message-ID"]) for mail in person.inbox())
    program.write(MAILBOX, "A game", NEW_GAME)
    while figures.replies < LONGEST and not figures.is_over:
        mail = person.next_mail()
        text = text_of(mail)
        if "Was this email from you?" in text:
            program.reply(mail, "yes")
        if "Your email changed nothing" in text:
            figures.asked_back.append(text)
        if offered := _OFFERED.findall(text.partition("Write one of these")[0]):
            way, play_with = WAYS[figures.replies % len(WAYS)]
            figures.replies += 1
            figures.ways[way] += 1
            program.reply(mail, play_with(offered))
        figures.is_over = [game["state"] for game in person.get("games/?mine=true")["results"]] == ["over"]
    return figures


Offered = list[tuple[str, str]]
"""The number and the label of each offered move."""
WAYS: Final[tuple[tuple[str, Callable[[Offered], str]], ...]] = (
    ("number", lambda offered: offered[0][0]),
    ("label", lambda offered: offered[-1][1]),
    ("label in a sentence", lambda offered: f"Hi Darbar, {offered[-1][1]}. Thanks!"),
    ("number and words", lambda offered: f"{offered[0][0]}. {offered[0][1]}"),
)
"""The ways in which answers are written, in turn."""


def text_of(mail: EmailMessage) -> str:
    """The plain text of an email."""
    part = mail.get_body(("plain",))
    return part.get_content() if part is not None else ""
