"""Playing by nothing but mail: out of the mailbox, and into the mail server that ``make run`` starts."""

import smtplib
import subprocess
import sys
from collections.abc import Iterator
from email.message import EmailMessage
from typing import Any

import pytest

from tests.server.darbar import ROOT, Darbar, wait_until
from tests.server.player import Player


class Correspondent(Player):
    """A player who reads mail and answers it."""

    def __init__(self, darbar: Darbar, name: str) -> None:
        super().__init__(darbar, name)
        self.mail_port = darbar.mail_port
        self.read: set[str] = set()

    def latest(self, *reasons: str) -> dict[str, Any]:
        """Wait for the next unread mail with one of these reasons, and return it."""
        emails: list[dict[str, Any]] = []

        def has_arrived() -> bool:
            mails = [mail for mail in self.mails() if mail["reason"] in reasons and mail["id"] not in self.read]
            emails[:] = mails
            return bool(mails)

        wait_until(has_arrived, f"{self.name} gets a mail: {reasons}")
        self.read.update(mail["id"] for mail in emails)
        return emails[0]

    def reply(self, mail: dict[str, Any], text: str, **headers: str) -> EmailMessage:
        """Return a reply as a mail program writes it, with the quotation below."""
        reply = EmailMessage()
        reply["From"] = f"{self.name} <{self.email}>"
        (reply["To"],) = mail["reply_to"]
        reply["Subject"] = f"Re: {mail['subject']}"
        reply["Message-ID"] = f"<{abs(hash((mail['id'], text)))}@darbar.example>"
        reply["In-Reply-To"] = mail["headers"]["Message-ID"]
        for name, value in headers.items():
            reply[name.replace("_", "-")] = value
        quoted = "\n".join(f"> {line}" for line in mail["text"].splitlines())
        reply.set_content(f"{text}\n\nOn Sun, 22 Mar 2026 at 12:00, Darbar <{mail['from']}> wrote:\n{quoted}\n")
        return reply

    def send_mail(self, mail: EmailMessage, sender: str | None = None) -> None:
        """Hand a mail to the server; it says yes, or an exception does not."""
        with smtplib.SMTP("127.0.0.1", self.mail_port, timeout=30) as server:
            server.send_message(mail, from_addr=self.email if sender is None else sender)


@pytest.fixture
def maryam(running: Darbar, somebody: str) -> Iterator[Correspondent]:
    with Correspondent(running, somebody) as maryam:
        yield maryam


def opened(player: Player, seats: int = 2) -> str:
    """A game of Coup with bots, in which the person begins."""
    opening: dict[str, object] = {
        "rules": "coup",
        "seat_count": seats,
        "bots": [{}] * (seats - 1),
        "options": {"starting_player": 1},
    }
    opening["plans"] = "quick"
    return str(player.post("games/", opening, 201)["id"])


def test_a_turn_mail_is_answered_by_reply_and_the_move_is_applied(maryam: Correspondent) -> None:
    game = opened(maryam, 3)
    latest = maryam.latest("question")
    reply = maryam.reply(latest, "درآمد")
    for _ in range(5):
        maryam.send_mail(reply)
    email = maryam.latest("question")
    assert "You took income: 1 coin." in email["text"]
    codes = {subject.rpartition(" (")[2] for subject in (email["subject"], latest["subject"])}
    assert len(codes) == 1, "both subjects end with the same game"
    own_events = [event for event in maryam.get(f"games/{game}/events/")["results"] if event["via"] == "mail"]
    assert [event["event"]["action"] for event in own_events if event["event"]["type"] == "coup.declared"] == ["income"]


def test_one_mail_says_a_turn_and_the_next_one(maryam: Correspondent) -> None:
    game = opened(maryam, 3)
    latest = maryam.latest("question")
    maryam.send_mail(maryam.reply(latest, "income\nplan next-turn foreign aid\nplan allow all"))
    understood = maryam.latest("answer")
    assert "next-turn foreign-aid: On my next turn" in understood["text"]

    def actions() -> list[str]:
        events = maryam.get(f"games/{game}/events/")["results"]
        own_events = [event["event"] for event in events if event["via"] == "mail"]
        return [event["action"] for event in own_events if event["type"] == "coup.declared"]

    def played_on() -> bool:
        for question in maryam.get(f"games/{game}/questions/")["results"]:
            maryam.answer(game, question["moves"][0]["text"])
        return actions() == ["income", "foreign-aid"]

    wait_until(played_on, "her next turn has been played")


def test_what_is_not_for_an_address_of_ours_is_not_taken(maryam: Correspondent, running: Darbar) -> None:
    opened(maryam, 3)
    latest = maryam.latest("question")
    reply = maryam.reply(latest, "income")
    with smtplib.SMTP("127.0.0.1", running.mail_port, timeout=30) as server:
        for address in ("friend@example.org", "postmaster@localhost", latest["reply_to"][0][1:]):
            with pytest.raises(smtplib.SMTPRecipientsRefused) as refused:
                server.send_message(reply, to_addrs=[address])
            assert refused.value.recipients[address][0] == 550
        with pytest.raises(smtplib.SMTPSenderRefused) as too_big:
            server.sendmail(maryam.email, latest["reply_to"], b"x" * 11_000_000)
        assert too_big.value.smtp_code == 552


def test_a_mail_server_hands_mail_over_through_a_pipe(maryam: Correspondent, running: Darbar) -> None:
    opened(maryam, 3)
    latest = maryam.latest("question")
    reply = maryam.reply(latest, "1").as_bytes()

    def piped(to: str, **environment: str) -> int:
        command = [sys.executable, "manage.py", "receive_mail", "--sender", maryam.email, to]
        surroundings = {**running.environment, **environment}
        return subprocess.run(command, cwd=ROOT, env=surroundings, input=reply, check=False, timeout=60).returncode

    assert piped("friend@example.org") == 67
    assert piped(latest["reply_to"][0], DATABASE_URL="postgres://nobody:nothing@127.0.0.1:1/nothing") == 75
    assert piped(latest["reply_to"][0]) == 0
    assert "You took income: 1 coin." in maryam.latest("question")["text"]
