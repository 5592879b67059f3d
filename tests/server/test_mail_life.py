"""Everything by mail alone, with a real server: sign-up, settings, a game in one sentence, joining by its code, a whole
game, and its rematch. One of the two writes English, the other Persian.
"""

import re
import smtplib
from collections.abc import Iterator
from email.message import EmailMessage
from pathlib import Path
from typing import Final

import pytest

from tests.server.conftest import on_a_copy
from tests.server.correspondents import Correspondent, Mailboxes, correspond, mailboxes, offers_of, text_of
from tests.server.darbar import Darbar, wait_until
from tests.server.test_mail_only import doubting

CHECKER: Final = "mx.darbar.example"
_CODE: Final = re.compile(r"^\W*([A-Z0-9]{4}-[A-Z0-9]{4})\W*$", re.M)


@pytest.fixture
def post() -> Iterator[Mailboxes]:
    with mailboxes() as server:
        yield server


@pytest.fixture
def server(prepared: Path, post: Mailboxes) -> Iterator[Darbar]:
    """A server that takes mail from a mail server that checks senders."""
    settings = {"AUTHENTICATION_SERVER": CHECKER, "MAIL_RELAYS": "127.0.0.1"}
    with on_a_copy(prepared, EMAIL_URL=f"smtp://127.0.0.1:{post.port}", **settings) as server:
        yield server.start()


class Writer:
    """A correspondent who also writes to the server's own address."""

    def __init__(self, person: Correspondent, post: Mailboxes, server: Darbar) -> None:
        self.person = person
        self.post = post
        self.server = server
        self.read = 0

    def send(self, mail: EmailMessage) -> None:
        with smtplib.SMTP("127.0.0.1", self.server.mail_port, timeout=30) as smtp:
            smtp.send_message(mail, from_addr=self.person.address)

    def write(self, text: str) -> EmailMessage:
        """Write to the server's own address, and return the answer."""
        mail = EmailMessage()
        mail["Authentication-Results"] = f"{CHECKER}; dmarc=pass header.from={self.person.address.partition('@')[2]}"
        mail["From"] = f"{self.person.name} <{self.person.address}>"
        mail["To"] = "darbar@localhost"
        mail["Subject"] = "Darbar"
        mail["Message-ID"] = f"<{self.read}.{self.person.address}>"
        mail.set_content(f"{text}\n")
        self.send(mail)
        return self.next()

    def reply(self, mail: EmailMessage, text: str) -> EmailMessage:
        """Reply to an email, and return the answer."""
        self.send(self.person.reply(mail, text))
        return self.next()

    def next(self) -> EmailMessage:
        """Wait for the next email."""
        emails = self.post.kept.setdefault(self.person.address, [])
        wait_until(lambda: len(emails) > self.read, f"{self.person.name} gets an email")
        self.read += 1
        return emails[self.read - 1]

    def find(self, words: str) -> EmailMessage:
        """Read emails until one holds these words, and return it."""
        while words not in text_of(mail := self.next()):
            pass
        return mail

    def sign_up(self, line: str, zone: str, zone_label: str) -> EmailMessage:
        """Sign up, send the code back and answer the question for the time zone. Return the last answer."""
        email = self.write(line)
        code = _CODE.search(text_of(email))
        assert code, text_of(email)
        welcome = self.reply(email, code[1])
        assert zone in text_of(welcome)
        settings = self.reply(welcome, zone)
        assert zone_label in text_of(settings), text_of(settings)
        return settings


def test_from_sign_up_to_the_rematch_by_mail_alone(server: Darbar, post: Mailboxes) -> None:
    zari = Writer(Correspondent("Zari", "zari@example.com", doubting(1)), post, server)
    mina = Writer(Correspondent("مینا", "mina@example.net", doubting(2, blocks=True), "fa"), post, server)
    zari.sign_up("Hello,\nI'd like to sign up.\nZari", "time zone Tehran", "Asia/Tehran")
    settings = mina.sign_up("سلام\nثبت‌نام", "منطقهٔ زمانی تهران", "تهران")
    created = zari.write("new coup for 2, slow, private")
    code = re.search(r"join (\w{12})", text_of(created))
    assert code, text_of(created)
    assert "Slow" in text_of(created)
    mina.send(mina.person.reply(settings, f"پیوستن به {code[1]}"))
    people = [zari.person, mina.person]
    correspond(people, post, server.mail_port, lambda: all(person.over for person in people))
    zari.send(zari.person.reply(zari.find("Record of the game:"), "rematch"))
    zari.find("We have your answer about a rematch")
    offer = mina.find("سند بازی:")
    before = {person.address: len(post.kept[person.address]) for person in people}
    mina.send(mina.person.reply(offer, "بازی دوباره"))
    wait_until(
        lambda: any(
            offers_of(text_of(email)) for address, count in before.items() for email in post.kept[address][count:]
        ),
        "the rematch asks its first question",
    )
    for person in people:
        texts = [*map(text_of, post.kept[person.address])]
        assert not [text for text in texts if "Was this email from you?" in text or "changed nothing" in text]
