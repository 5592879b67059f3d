"""Whole games by mail, from the invitation to the end, as their players read them.

The mails of ``golden/en.txt`` and ``golden/fa.txt`` are compared with what the server writes. To see what a change of
words does to them, run this test with WRITE_GOLDEN=1 and look at the difference.
"""

import os
import re
from datetime import timedelta
from pathlib import Path

import pytest
import time_machine

from accounts.models import Account
from games import links
from games.announcements import notify
from games.engine import SeededChance
from games.mail import tasks as mail_tasks
from games.mail.intake import receive
from games.models import Game, Heartbeat, Invitation, OpenQuestion, commitment_of
from games.rules.registry import RULES
from games.tables import invitations
from games.tables.new_game import NewGame
from games.tables.starting import create_game, start_game
from notifications.email.message import message
from notifications.models import Notification, State
from tests.games.mail.test_road import email_bytes
from tests.games.seated import NOON, question_address

pytestmark = pytest.mark.django_db
GOLDEN = Path(__file__).parent / "golden"
HANDS = ({"duke", "captain"}, {"assassin", "contessa"})

ENGLISH = ["tax", "Allow it", "2", "block duke", "1", "tax", "allow", "tax", "Challenge!", "concede assassin", "coup 2"]
PERSIAN = [
    *("سلام، مالیات", "اجازه", "۲", "مقابله بزرگ‌زاده", "۱", "مالیات"),
    *("اجازه", "مالیات", "چالش", "اعتراف آدم‌کش", "کودتا ۲"),
]


class Post:
    """Everything that goes through the post, in order, as its readers see it."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.now = NOON
        self.told: list[str] = []

    def deliver(self) -> None:
        """Compose and deliver due notifications, and read received mail."""
        self.now += timedelta(minutes=2)
        notify.write_due(self.now)
        ready = Notification.objects.filter(state=State.READY).exclude(reason="confirm").order_by("created_at", "key")
        for notification in ready:
            mail = message(notification)
            self.told.append(self.plain(f"=== To {mail.to[0]}: {mail.subject}\n\n{mail.body}"))
        ready.update(state=State.SENT)

    def reply(self, sender: str, text: str, address: str) -> None:
        """Send a mail to the server."""
        self.now += timedelta(minutes=1)
        self.told.append(f"=== From {sender}\n\n{text}\n")
        receive(email_bytes(text, sender, id=str(len(self.told))), sender, [address], self.now)
        mail_tasks.read_due(self.now)
        self.deliver()

    def plain(self, body: str) -> str:
        """A text without what differs from one game to the next; all of it keeps its length."""
        body = re.sub(r"\b([a-z])-[a-z2-7]{26}(-[\d.-]*)?-?[a-z2-7]{26}", r"\1-TOKEN", body)
        body = re.sub(r"\b[0-9a-f]{64}\b", "FINGERPRINT", body)
        body = body.replace(str(self.game.pk), "GAME").replace(self.game.code[:4].upper(), "CODE")
        return re.sub(r"\b[acsqujd]-[a-z2-7]{26}-[^\s@?/]+", "TOKEN", body)


def sealed(game: Game) -> None:
    """Give a game a seed that deals the wanted hands: the first of those there are that does."""
    rules = RULES["coup"]
    options = rules.options(two_player_setup="dealt", starting_player=1)
    seeds = [bytes.fromhex(seat.seed) for seat in game.seats.order_by("number")]
    for number in range(1_000_000):
        seed = number.to_bytes(32)
        state = None
        for event in rules.setup(options, 2, SeededChance(seed, str(game.pk), seeds)):
            state = rules.evolve(state, event)
        if tuple(map(set, state.hands)) == HANDS:
            Game.objects.filter(pk=game.pk).update(seed=seed, commitment=commitment_of(game.pk, seed))
            return
    raise AssertionError("no seed deals these hands")


def played(language: str, host_name: str, guest_name: str, lines: list[str]) -> str:
    """A game of two by mail: the host bluffs little, the guest too much."""
    Heartbeat.objects.create(at=NOON)
    zone = "Asia/Tehran" if language == "fa" else "Europe/Berlin"
    host = Account.objects.create_user("host@example.org", name=host_name, language=language, time_zone=zone)
    options = {"two_player_setup": "dealt", "starting_player": 1}
    game = create_game(host, NewGame(rules="coup", seat_count=3, options=options), "api", NOON)
    post = Post(Game.objects.get(pk=game.pk))
    invitations.invite(game.pk, host, "guest@example.com", language, NOON)
    post.deliver()
    invitation = Invitation.objects.get()
    join = f"Sure, I'm in! Call me {guest_name}" if language == "en" else f"سلام، من می‌آیم، به نام {guest_name}"
    post.reply("guest@example.com", join, links.invitation_address(invitation.pk))
    guest = Account.objects.get(pk=Game.objects.get(pk=game.pk).seats.get(number=2).account_id)
    guest.time_zone = zone
    guest.save()
    sealed(game)
    start_game(game.pk, host, post.now)
    post.deliver()
    for line in lines:
        question = OpenQuestion.objects.get(game=game)
        sender = "host@example.org" if question.seat == 1 else "guest@example.com"
        post.reply(sender, line, question_address(game, question.seat))
    assert Game.objects.get(pk=game.pk).state == Game.State.OVER, "\n".join(post.told)[-3000:]
    return "\n".join(post.told)


@pytest.mark.parametrize(
    ("language", "names", "lines"), [("en", ("Maryam", "Kaveh"), ENGLISH), ("fa", ("سپیده", "مینا"), PERSIAN)]
)
def test_a_game_by_mail_reads_as_it_is_kept(language: str, names: tuple[str, str], lines: list[str]) -> None:
    with time_machine.travel(NOON, tick=False):
        transcript = played(language, *names, lines)
    file = GOLDEN / f"{language}.txt"
    if os.environ.get("WRITE_GOLDEN"):
        file.parent.mkdir(exist_ok=True)
        file.write_text(transcript)
    assert transcript == file.read_text()
