"""People who have nothing but a mailbox: a real mail server keeps what comes for them, and they answer by SMTP."""

import email
import queue
import re
import smtplib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from email.message import EmailMessage
from email.policy import default
from typing import Any, Final

from aiosmtpd.smtp import SMTP, Envelope, Session

from bench.ports import free_port
from tests.notifications.mail_server import MailServer
from tests.server.darbar import PATIENCE, Darbar, wait_until
from tests.server.player import Player

_OFFERED: Final = re.compile(r"^\u200f? +(?:[\d۰-۹]+\. )?\u2066?([^\u2066\u2069\n]+?)\u2069? - ", re.M)
_PERSIAN_DIGITS: Final = str.maketrans("0123456789", "۰۱۲۳۴۵۶۷۸۹")
_OVER: Final = ("Record of the game", "سند بازی")
"""The text of the link that only the email about the end has."""
_LATIN_DIGITS: Final = str.maketrans("۰۱۲۳۴۵۶۷۸۹", "0123456789")


class Mailboxes:
    """The mail server of all correspondents."""

    def __init__(self) -> None:
        self.port = free_port()
        self.came: queue.Queue[tuple[str, EmailMessage]] = queue.Queue()
        """The mails that were not read yet."""
        self.kept: dict[str, list[EmailMessage]] = {}

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802
        content = envelope.content
        assert isinstance(content, bytes)
        mail = email.message_from_bytes(content, policy=default)
        assert isinstance(mail, EmailMessage)
        for address in envelope.rcpt_tos:
            self.kept.setdefault(address, []).append(mail)
            self.came.put((address, mail))
        return "250 Taken"


@contextmanager
def mailboxes() -> Iterator[Mailboxes]:
    """A mail server that runs."""
    server = Mailboxes()
    controller = MailServer(server, server.port)
    controller.start()
    yield server
    controller.stop()


def text_of(mail: EmailMessage) -> str:
    """The plain text of a mail."""
    part = mail.get_body(("plain",))
    assert part is not None
    return "".join(f"{line}\n" for line in part.get_content().splitlines())


class Host(Player):
    """The player who creates the game, with an account and a mailbox."""

    def __init__(self, darbar: Darbar, name: str, post: Mailboxes) -> None:
        super().__init__(darbar, name)
        self.post_office = post

    def mails(self) -> list[dict[str, Any]]:
        return [{"text": text_of(mail)} for mail in reversed(self.post_office.kept.get(self.email, []))]

    def table(self, guests: "Sequence[Correspondent]", **opening: Any) -> str:
        """A table to which all guests are invited."""
        game = str(self.post("games/", {"seat_count": 1 + len(guests), **opening}, 201)["id"])
        for guest in guests:
            self.post(f"games/{game}/invitations/", {"email": guest.address, "language": guest.language}, 201)
        return game

    def leave_it_to_them(self, game: str) -> None:
        """Resign as soon as all seats are taken."""
        wait_until(lambda: self.get(f"games/{game}/")["state"] == "running", "all have joined")
        self.post(f"games/{game}/resign/", {}, 202)


Policy = Callable[["Correspondent", str, list[str]], str]
"""A function that returns an answer for the text of a mail and its offered answers."""


@dataclass
class Correspondent:
    """A player who only reads mail and answers it."""

    name: str
    address: str
    policy: Policy
    language: str = "en"
    words: Mapping[str, str] = field(default_factory=dict)
    """The words of their own language in which they write moves."""
    by_number: bool = False
    answered: set[str] = field(default_factory=set)
    """The addresses to which they have written: each question has its own."""
    over: bool = False
    """True after the player has read that the game is over."""
    notes: list[str] = field(default_factory=list)
    """Values that a test needs later."""

    def read(self, mail: EmailMessage) -> EmailMessage | None:
        """The reply to a mail; None where it asks nothing that they have not answered."""
        text = text_of(mail)
        assert mail["Content-Language"] == self.language, text
        self.over = self.over or any(f"{words}:\n" in text for words in _OVER)
        offered = [self.canonical(notation) for notation in _OFFERED.findall(text)]
        if not offered or mail["Reply-To"] in self.answered:
            return None
        self.answered.add(mail["Reply-To"])
        return self.reply(mail, self.answer_text(self.policy(self, text, offered), offered))

    def canonical(self, notation: str) -> str:
        """An answer that is offered in their own language, in the canonical notation."""
        english = {word: canonical for canonical, word in self.words.items()}
        text = re.sub(r"[^\s/\d۰-۹]+", lambda word: english.get(word[0], word[0]), notation)
        return text.translate(_LATIN_DIGITS)

    def answer_text(self, choice: str, offered: list[str]) -> str:
        """An answer as they write it: by its number, in their own words, or as the mail does."""
        if self.by_number and choice not in ("join", "no", "never"):
            return str(offered.index(choice) + 1)
        words = [self.words.get(word, word) for word in choice.split()]
        return " ".join(words).translate(_PERSIAN_DIGITS) if self.language == "fa" else " ".join(words)

    def reply(self, mail: EmailMessage, text: str) -> EmailMessage:
        """A reply as mail programs write it: the text on top, all that was sent quoted below."""
        reply = EmailMessage()
        reply["From"] = f"{self.name} <{self.address}>"
        reply["To"] = mail["Reply-To"]
        reply["Subject"] = f"Re: {mail['Subject']}"
        reply["Message-ID"] = mail["Message-ID"].replace("<", "<re.")
        reply["In-Reply-To"] = mail["Message-ID"]
        quoted = "\n".join(f"> {line}" for line in text_of(mail).splitlines())
        reply.set_content(f"{text}\n\nOn Sun, 22 Mar 2026 at 12:00, {mail['From']} wrote:\n{quoted}\n")
        return reply


def correspond(people: Sequence[Correspondent], post: Mailboxes, port: int, finished: Callable[[], bool]) -> None:
    """Let all players read and answer mail until ``finished`` returns True."""
    by_address = {person.address: person for person in people}
    while not finished():
        address, mail = post.came.get(timeout=PATIENCE)
        person = by_address.get(address)
        reply = person.read(mail) if person else None
        if reply is not None:
            with smtplib.SMTP("127.0.0.1", port, timeout=30) as server:
                server.send_message(reply, from_addr=address)
