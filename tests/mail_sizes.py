"""Prints the numbers and sizes of the emails of whole games: ``python -m tests.mail_sizes``.

All players play by email. They reply to an email with a question after some minutes, with the move of a bot. The games
are the same in each run. ``docs/email.md`` has their English part.

A game of ten takes minutes: ``--players 10 --language fa`` plays only this game.
"""

import argparse
import random
import statistics
import sys
import uuid
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from importlib import import_module
from typing import Any, Final

import_module("tests.conftest")  # before anything of Django's

import msgspec  # noqa: E402
import time_machine  # noqa: E402
from django.conf import settings  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.test.utils import override_settings  # noqa: E402

from accounts.models import Account  # noqa: E402
from config.server.postgres import Server  # noqa: E402
from games import links  # noqa: E402
from games.announcements import notify  # noqa: E402
from games.engine import SeatNumber, SeededChance, know  # noqa: E402
from games.event_log import log_store  # noqa: E402
from games.event_log.log_store import events_of  # noqa: E402
from games.mail import tasks as mail_tasks  # noqa: E402
from games.mail.intake import receive  # noqa: E402
from games.models import Game, Heartbeat, OpenQuestion  # noqa: E402
from games.rules.registry import RULES  # noqa: E402
from notifications.email.message import message  # noqa: E402
from notifications.models import Notification, State  # noqa: E402
from tests.games.seated import NOON, start  # noqa: E402
from tests.games.unseen import world  # noqa: E402

EXPANSIONS: Final = {"inquisitor": True, "reformation": True, "anarchist": True}
NAMES: Final = {
    "en": ("Maryam", "Sepideh", "Bahareh", "Kaveh", "Dariush", "Alexandria", "Omid", "Shahin", "Zoë", "Negar"),
    "fa": ("مریم", "سپیده", "بهاره", "کاوه", "داریوش", "الهام", "امید", "شاهین", "ژاله", "نگار"),
}
GAMES: Final[tuple[tuple[str, int, Mapping[str, bool]], ...]] = (
    ("coup", 2, {}),
    ("coup", 3, {}),
    ("coup", 3, EXPANSIONS),
    ("coup", 6, EXPANSIONS),
    ("coup", 10, EXPANSIONS),
    ("sedlec", 2, {}),
    ("sedlec", 3, {}),
)
ADDRESSES: Final = {"PUBLIC_URL": "https://darbar.example.org", "MAIL_DOMAIN": "mail.example.org"}
"""Addresses of usual length: an email contains many links."""
STEP: Final = timedelta(minutes=5)
LAST: Final = timedelta(days=30)


@dataclass
class Sizes:
    """The emails of one game: how many for each reason, and the bytes of those that ask something."""

    people: int
    reasons: Counter[str] = field(default_factory=Counter)
    asking: list[int] = field(default_factory=list)
    without_picture: int = 0
    """The number of emails with a question that had no room for a picture."""
    total: int = 0

    def note(self, reason: str, size: int, has_picture: bool) -> None:
        """Count one email."""
        self.reasons[reason] += 1
        self.total += size
        if reason in ("question", "reminder", "again"):
            self.asking.append(size)
            self.without_picture += not has_picture

    def mean_for_player(self, *reasons: str) -> float:
        """Return the mean number of emails for these reasons."""
        return sum(self.reasons[reason] for reason in reasons) / self.people


def seated(rules_name: str, options: Mapping[str, bool], people: list[Account]) -> Game:
    """A game of these people that has just begun; always the same one."""
    name = f"{rules_name} {len(people)} {sorted(options)}"
    rules = RULES[rules_name]
    game = Game(
        id=uuid.uuid5(uuid.NAMESPACE_URL, name),
        rules=rules.name,
        rules_version=rules.version,
        options=msgspec.to_builtins(rules.options(**options)),
        seat_count=len(people),
        created_at=NOON,
        seed=random.Random(name).randbytes(32),
    )
    return start(game, people, SeededChance(game.seed, str(game.id)))


class ByEmail:
    """A game that is played by email to its end."""

    def __init__(self, game: Game, people: list[Account]) -> None:
        self.game = game
        self.people = people
        self.now = game.created_at
        self.luck = random.Random(str(game.id))
        self.sizes = Sizes(len(people))
        self.replies: list[tuple[datetime, str, int]] = []

    def play(self, most: int = 100_000) -> Sizes:
        """Play, and read all emails, up to a number of emails with a question."""
        with time_machine.travel(self.now, tick=False) as clock:
            while len(self.sizes.asking) < most and self._is_running():
                assert self.now < self.game.created_at + LAST, "the game does not end"
                self._post()
                self.now += STEP
                clock.move_to(self.now)
                self._reply()
            self._post()
        return self.sizes

    def _is_running(self) -> bool:
        return Game.objects.get(pk=self.game.pk).state == Game.State.RUNNING

    def _post(self) -> None:
        """Take the emails that are due to their readers, who will answer some minutes later."""
        notify.write_due(self.now)
        for notification in Notification.objects.filter(state=State.READY).order_by("key"):
            rendered = notification.content()
            self.sizes.note(
                notification.reason,
                len(message(notification).message().as_bytes(linesep="\r\n")),
                bool(rendered.pictures),
            )
            if notification.reason in ("question", "reminder"):
                patience = timedelta(minutes=self.luck.choice((2, 5, 15, 30, 60, 120, 240)))
                self.replies.append((self.now + patience, notification.question, notification.account_id))
        Notification.objects.filter(state=State.READY).update(state=State.SENT, sent_at=self.now)

    def _reply(self) -> None:
        """Answer the questions that are due and still open."""
        due = [reply for reply in self.replies if reply[0] <= self.now]
        self.replies = [reply for reply in self.replies if reply[0] > self.now]
        for _, question, account in sorted(due):
            row = OpenQuestion.objects.filter(game=self.game, question=question).first()
            if row is not None:
                self._answer(row, Account.objects.get(pk=account))

    def _answer(self, row: OpenQuestion, account: Account) -> None:
        raw = (
            f"From: {account.email}\r\nMessage-ID: <{row.question}.{self.game.pk}@example.org>\r\n\r\n"
            f"{self._choice(row)}\r\n"
        )
        receive(raw.encode(), account.email, [links.question_address(self.game.pk, row.question, account.pk)], self.now)
        mail_tasks.read_due(self.now)

    def _choice(self, row: OpenQuestion) -> str:
        """Return the answer of a bot, as people write it."""
        game = Game.objects.get(pk=self.game.pk)
        rules, state = RULES[game.rules], log_store.position(game).state
        question = next(question for question in rules.questions(state) if question.id == row.question)
        moves = rules.legal_moves(state, question)
        chance = SeededChance(self.luck.randbytes(32), "")
        knowledge = know(rules, state, SeatNumber(row.seat), lambda: events_of(log_store.read(game)))
        return str(rules.text(rules.bot_move(knowledge, question, moves, chance)))


def people_of(language: str, seats: int) -> list[Account]:
    """Make this many people who read this language."""
    people = []
    for number, name in enumerate(NAMES[language][:seats]):
        account, _ = Account.objects.get_or_create(
            email=f"person{number}.{language}@example.org", defaults={"name": name, "language": language}
        )
        people.append(account)
    return people


def measured(rules: str, seats: int, options: Mapping[str, bool], language: str, most: int = 100_000) -> Sizes:
    """Play one game, or its first emails, and return the sizes of its emails."""
    Heartbeat.objects.get_or_create(id=1, defaults={"at": NOON})
    people = people_of(language, seats)
    return ByEmail(seated(rules, options, people), people).play(most)


def rows(players: list[int], languages: list[str]) -> Iterator[list[Any]]:
    """Yield the rows of the table for a number of players, in these languages."""
    for rules, seats, options in GAMES:
        for language in languages if seats in players else ():
            with world():
                sizes = measured(rules, seats, options, language)
            title = f"{rules}{', expansions' if options else ''}"
            kilobytes = [statistics.median(sizes.asking) / 1000, max(sizes.asking) / 1000, sizes.total / 1000 / seats]
            counts = [
                sizes.mean_for_player("question"),
                sizes.mean_for_player("receipt"),
                sum(sizes.reasons.values()) / seats,
            ]
            yield [title, seats, language, *(f"{number:.1f}" for number in (*counts, *kilobytes))]


def main(players: list[int], languages: list[str]) -> None:
    """Play the games, and print the table."""
    head = [
        *("game", "players", "language", "questions", "receipts", "all emails", "median kB", "largest kB"),
        "kB in all",
    ]
    write = sys.stdout.write
    with Server(settings.EMBEDDED_DATABASE), override_settings(**ADDRESSES):
        call_command("migrate", verbosity=0)
        write(f"| {' | '.join(head)} |\n|{'---|' * len(head)}\n")
        for row in rows(players, languages):
            write(f"| {' | '.join(map(str, row))} |\n")
            sys.stdout.flush()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m tests.mail_sizes", description="Measure the emails of games.")
    sizes_of_games = sorted({seats for _, seats, _ in GAMES})
    parser.add_argument("--players", type=int, nargs="+", choices=sizes_of_games, default=sizes_of_games)
    parser.add_argument("--language", nargs="+", choices=[*NAMES], default=[*NAMES])
    arguments = parser.parse_args()
    main(arguments.players, arguments.language)
