"""Two servers whose players are machines that answer every mail: a few mails, and never a storm."""

from collections.abc import Callable
from datetime import timedelta
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import SMTP
from typing import Any, Final

import pytest
from django.core import mail as outgoing
from django.test import override_settings

from accounts.models import Account
from games.announcements import notify
from games.mail import tasks as mail_tasks
from games.mail.intake import receive
from games.models import Game, Heartbeat
from notifications import deliver
from tests.games.seated import NOON, begin, seat_address
from tests.long import SCALE

pytestmark = pytest.mark.django_db

ROUNDS: Final = 25 * SCALE
SECOND: Final = timedelta(seconds=1)
MOST: Final = 200
"""The maximum number of mails that two servers together may write in an hour to their four machines: at most 20 answers
to each about its table, 20 receipts and 10 notifications.
"""

Answer = Callable[[EmailMessage, int], bytes | None]


class Site:
    """A server in this test: its name, and a table with a player who is a machine elsewhere."""

    def __init__(self, domain: str) -> None:
        self.domain = domain
        self.players = [Account.objects.create_user(f"{name}@{domain}", name=f"{name} {domain}") for name in "ab"]
        self.game: Game | None = None

    def turn(self, now: Any) -> list[EmailMessage]:
        """Read received emails, compose and send due ones, and return them."""
        outgoing.outbox.clear()
        mail_tasks.read_due(now)
        notify.write_due(now)
        while deliver.deliver_due(now):
            pass
        return [message_from_bytes(email.message().as_bytes(), policy=SMTP) for email in outgoing.outbox]  # type: ignore[misc]


def reply(mail: EmailMessage, text: str, number: int, **headers: str) -> bytes:
    """Return a machine's answer to an email, to the address for replies."""
    answer = EmailMessage()
    answer["From"] = str(mail["To"])
    answer["To"] = str(mail["Reply-To"] or mail["From"])
    answer["Subject"] = f"Re: {mail['Subject']}"
    answer["Message-ID"] = f"<{number}@machine.example>"
    for name, value in headers.items():
        answer[name.replace("_", "-")] = value
    answer.set_content(f"{text}\n")
    return answer.as_bytes()


def polite(mail: EmailMessage, number: int) -> bytes:
    return reply(mail, "I am away.", number, Auto_Submitted="auto-replied")


def rude(mail: EmailMessage, number: int) -> bytes:
    """A vacation notice that nothing tells from a person's mail."""
    return reply(mail, "I am away until Monday.", number)


def curious(mail: EmailMessage, number: int) -> bytes:
    return reply(mail, "?", number)


def chatty(mail: EmailMessage, number: int) -> bytes:
    return reply(mail, "chat all I am away.", number)


def echo(mail: EmailMessage, number: int) -> bytes:
    """Return the email itself, sent back unchanged by another sender."""
    copy = message_from_bytes(mail.as_bytes(), policy=SMTP)
    for name in ("From", "To", "Message-ID"):
        del copy[name]
    copy["From"], copy["To"] = str(mail["To"]), str(mail["Reply-To"] or mail["From"])
    copy["Message-ID"] = f"<{number}@machine.example>"
    return copy.as_bytes()


def bouncing(mail: EmailMessage, number: int) -> bytes:
    raw = reply(mail, "", number, Auto_Submitted="auto-replied").partition(b"Content-Type:")[0]
    return raw + (
        b'MIME-Version: 1.0\nContent-Type: multipart/report; report-type=delivery-status; boundary="b"\n\n--b\n'
        b"Content-Type: message/delivery-status\n\nReporting-MTA: dns; x\n\nAction: failed\nStatus: 5.1.1\n\n--b--\n"
    )


@pytest.fixture
def sites(settings: Any) -> list[Site]:
    """Two servers that take turns; each one's players have addresses that the other one's domain is in."""
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    Heartbeat.objects.create(at=NOON)
    return [Site("a.example"), Site("b.example")]


def run(sites: list[Site], answer: Answer) -> list[int]:
    """The number of mails that were sent in each round."""
    way: list[tuple[bytes, str, str]] = []
    counts, number = [], 0
    for site in sites:
        with override_settings(MAIL_DOMAIN=site.domain):
            site.game = begin([*site.players, None])
            site.turn(NOON)  # the first notifications of the game are kept apart from what comes of them
            asking = reply(first(site), "hello?", number := number + 1)
            way.append((asking, site.players[0].email, seat_address(site.game, 1)))
    for turn in range(1, ROUNDS + 1):
        now, sent = NOON + turn * 3 * SECOND, 0
        for site in sites:
            own_mails = [sent_mail for sent_mail in way if sent_mail[2].endswith(f"@{site.domain}")]
            way = [sent_mail for sent_mail in way if sent_mail not in own_mails]
            with override_settings(MAIL_DOMAIN=site.domain):
                for raw, sender, to in own_mails:
                    receive(raw, sender, [to], now)
                mails = site.turn(now)
            for mail in mails:
                sent, number = sent + 1, number + 1
                to = str(mail["Reply-To"] or "") if answer is not bouncing else outgoing.outbox[0].from_email
                if (raw := answer(mail, number)) and to:
                    way.append((raw, "" if answer is bouncing else str(mail["To"]), to))
        counts.append(sent)
    return counts


def first(site: Site) -> EmailMessage:
    """A mail as the first one to a player was."""
    mail = EmailMessage()
    mail["To"], mail["From"] = site.players[0].email, f"darbar@{site.domain}"
    mail["Reply-To"] = seat_address(site.game, 1)
    mail["Subject"] = "Coup"
    return mail


@pytest.mark.sampled(1)
@pytest.mark.long
@pytest.mark.parametrize("answer", [polite, rude, echo, bouncing, *([curious, chatty] if SCALE > 1 else [])])
def test_machines_that_answer_every_mail_end_in_silence(sites: list[Site], answer: Answer) -> None:
    counts = run(sites, answer)
    assert 1 <= sum(counts) <= MOST, (answer.__name__, counts)
    if SCALE > 1:
        assert sum(counts[len(counts) // 2 :]) == 0


@pytest.mark.long
def test_two_servers_that_take_each_other_for_players_do_not_answer_each_other(sites: list[Site]) -> None:
    """The address of each server's player is a reply address of the other server."""
    a, b = sites
    for site, other in ((a, b), (b, a)):
        with override_settings(MAIL_DOMAIN=other.domain):
            other.game = begin([*other.players, None])
            Account.objects.filter(pk=site.players[0].pk).update(email=seat_address(other.game, 1))
    way: list[tuple[bytes, str]] = []
    total = 0
    for turn in range(ROUNDS):
        for site in sites:
            own_mails = [mail for mail in way if mail[1].endswith(f"@{site.domain}")]
            way = [mail for mail in way if mail not in own_mails]
            with override_settings(MAIL_DOMAIN=site.domain):
                for raw, to in own_mails:
                    receive(raw, "", [to], NOON + turn * 3 * SECOND)
                sent = site.turn(NOON + turn * 3 * SECOND)
            total += len(sent)
            way += [(mail.as_bytes(), str(mail["To"])) for mail in sent if str(mail["To"]).startswith("s-")]
    assert total <= 2 * 4, "more than the first letters of the games"
