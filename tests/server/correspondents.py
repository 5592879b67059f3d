"""People who have nothing but a mailbox: a real mail server keeps what comes for them, and they answer by SMTP."""

import email
import queue
import re
import smtplib
from collections.abc import Callable, Iterator, Sequence
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

_WORD: Final = re.compile(r"^\u200f? +\u2066?(\S+?)\u2069? - ", re.M)
"""An answer to an invitation."""
_ROW: Final = re.compile(r"^\u200f? {2}(?! )(.*?[\d۰-۹]+\. .*)$", re.M)
"""An answer with its number, or a heading with several of them: “Lay: 1. lover, 2. priest”."""
_CHOICE: Final = re.compile(r"(?:^|[:،,] )([\d۰-۹]+)\. ")
_VERBS: Final = {
    "coup": "Launch a coup|کودتا علیه",
    "income": "income|درآمد",
    "foreign-aid": "foreign aid|کمک",
    "tax": "tax|مالیات",
    "steal": "Steal|باج",
    "assassinate": "Assassinate|سوءقصد",
    "exchange": "Exchange|معاوضه",
    "concede": "Concede|اعتراف",
    "block": "Block|مقابله",
    "challenge": "Challenge|چالش",
    "allow": "Allow|اجازه",
    "dig": "Dig|نبش",
    "collect": "Collect|جمع.?آوری",
    "lay": "Lay|چیدن",
}
"""The notation's verbs, by words of the labels in both languages."""
_PERSIAN_DIGITS: Final = str.maketrans("0123456789", "۰۱۲۳۴۵۶۷۸۹")
_OVER: Final = ("Record of the game", "سند بازی")
"""The text of the link that only the email about the end has."""


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


@dataclass(frozen=True)
class Offer:
    """An answer that a mail offers."""

    verb: str
    """The verb of its notation, or its whole label for verbs that no policy knows."""
    text: str
    """The text that chooses it in a reply."""


def offers_of(text: str) -> list[Offer]:
    """The answers of a question in a mail, in the order of their numbers."""
    offers: list[Offer] = []
    for row in _ROW.findall(re.sub(r"\n\u200f? {5,}", " ", text)):
        heading, *choices = _CHOICE.split(row)
        for number, label in zip(choices[::2], choices[1::2], strict=True):
            if int(number) != len(offers) + 1:
                continue
            verb = next((verb for verb, words in _VERBS.items() if re.search(words, heading + label)), label)
            offers.append(Offer(verb, number if heading else label))
    return offers


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


Policy = Callable[["Correspondent", str, list[Offer]], Offer]
"""A function that chooses one of the answers that a mail offers. It gets the mail's text, too."""


@dataclass
class Correspondent:
    """A player who only reads mail and answers it."""

    name: str
    address: str
    policy: Policy
    language: str = "en"
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
        self.over = self.over or any(f"{words}:" in text for words in _OVER)
        words, offers = _WORD.findall(text), offers_of(text)
        if not (words or offers) or mail["Reply-To"] in self.answered:
            return None
        self.answered.add(mail["Reply-To"])
        return self.reply(mail, self.choose(text, offers) if offers else words[0])

    def choose(self, text: str, offers: list[Offer]) -> str:
        """An answer as they write it: by its number, or in the words of the mail."""
        offer = self.policy(self, text, offers)
        if not self.by_number:
            return offer.text
        number = str(offers.index(offer) + 1)
        return number.translate(_PERSIAN_DIGITS) if self.language == "fa" else number

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
