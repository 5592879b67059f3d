"""Accounts and finished games in the database of DATA_DIR, to drill with: ``python -m bench.drills.filled 5000 20000``.

The first games of each kind are played as a server resolves them, from the table that opens to the emails. All others
are decided by the same rules, with people, seeds and answers of their own, and their rows are written by the hundred.
So each of them follows from its log, and has as many notifications as the games that were played.
"""

import argparse
import os
import random
import secrets
import uuid
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Final

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

import msgspec  # noqa: E402
from django.db import transaction  # noqa: E402
from django.utils import timezone  # noqa: E402

from accounts.models import Account  # noqa: E402
from bench import game_copies  # noqa: E402
from games.archive import ratings  # noqa: E402
from games.engine import Event, SeatNumber, SeededChance  # noqa: E402
from games.event_log import log_store, sealing  # noqa: E402
from games.event_log.lines import Line, encode  # noqa: E402
from games.event_log.log_store import Position  # noqa: E402
from games.event_log.table_events import Ended, GameCreated, Joined, TableEvent  # noqa: E402
from games.lobby.create import create_game  # noqa: E402
from games.lobby.join import join_game  # noqa: E402
from games.lobby.new_game import NewGame  # noqa: E402
from games.models import Game, Move, OpenQuestion, PlayerStats, Result, Seat, commitment_of  # noqa: E402
from games.play.locked_game import SERVER  # noqa: E402
from games.tasks import resolve_moves  # noqa: E402
from notifications.models import Notification, State  # noqa: E402

PLAYED: Final = 24
"""Games of each kind that are played as a server resolves them."""
AT_ONCE: Final = 250
"""Games that are written together, and rows of a statement."""
SEATS: Final = 2
RULES: Final = ("coup", "sedlec")
DAYS: Final = timedelta(days=10)
"""Games begin within these days, as many days ago: none is old enough for the archive."""


def main() -> None:
    """Fill the database."""
    parser = argparse.ArgumentParser(prog="python -m bench.drills.filled")
    parser.add_argument("players", type=int)
    parser.add_argument("games", type=int)
    wanted = parser.parse_args()
    luck = random.Random(0)
    people = game_copies.cast(wanted.players, timezone.now())
    models = [_Model(game) for rules in RULES for game in _play(luck, people, rules)][: wanted.games]
    books = ratings.Books(PlayerStats.objects.all())
    for begun in range(len(models), wanted.games, AT_ONCE):
        count = min(AT_ONCE, wanted.games - begun)
        _store([_Decided(luck, luck.choice(models), luck.sample(people, SEATS)) for _ in range(count)], books)
    books.store()


def _play(luck: random.Random, people: Sequence[int], rules: str) -> list[Game]:
    """Play games of one kind to their ends, all at once; their notifications count as sent."""
    games = [_begin(luck, people, rules) for _ in range(PLAYED)]
    while moves := list(_answers(luck, games)):
        Move.objects.bulk_create(moves)
        resolve_moves()
    ratings.count_all(timezone.now())
    Notification.objects.filter(state=State.SCHEDULED).update(state=State.SENT, sent_at=timezone.now())
    return list(Game.objects.filter(pk__in=[game.pk for game in games]))


def _begin(luck: random.Random, people: Sequence[int], rules: str) -> Game:
    """Begin a game of people who are drawn for it."""
    now = timezone.now()
    host, *others = Account.objects.filter(pk__in=luck.sample(people, SEATS))
    game = create_game(host, NewGame(rules=rules, seat_count=SEATS), "api", now)
    for other in others:
        game = join_game(game.id, other, game.code, "api", now)
    return game


def _answers(luck: random.Random, games: list[Game]) -> Iterator[Move]:
    """Yield a random answer for each of these games that asks something."""
    asked = OpenQuestion.objects.filter(game__in=games).select_related("game").order_by("game_id", "question")
    for row in asked.distinct("game_id"):
        rules, state = log_store.rules_of(row.game), log_store.position(row.game).state
        question = next(question for question in rules.questions(state) if question.id == row.question)
        yield Move(
            game=row.game,
            seat=row.seat,
            account_id=row.game.seats.get(number=row.seat).account_id,
            question=row.question,
            text=rules.text(luck.choice(rules.legal_moves(state, question))),
            via=Move.Via.API,
            received_at=timezone.now(),
            asked_at=row.asked_at,
        )


class _Model:
    """The opening of a game that was played, and what it told its people, for further games."""

    def __init__(self, game: Game) -> None:
        self.game = game
        lines = log_store.read(game)
        begun = next(index for index, line in enumerate(lines) if not isinstance(line.event, TableEvent))
        self.opening = lines[:begun]
        told = Notification.objects.filter(topic=f"game:{game.id}").order_by("created_at")
        self.told = list(told.values_list("reason", "question", "channel"))
        self.told_a_move = len(self.told) / game.moves.count()


@dataclass
class _Decided:
    """A game that the rules decided, and that is not stored yet."""

    luck: random.Random
    model: _Model
    people: Sequence[int]
    lines: list[Line] = field(default_factory=list)
    moves: list[Move] = field(default_factory=list)
    position: Position = field(default_factory=Position)

    def __post_init__(self) -> None:
        """Play it to its end by random answers, one an hour."""
        like, self.at = self.model.game, timezone.now() - DAYS * self.luck.random() - DAYS
        self.game = Game(
            rules=like.rules,
            rules_version=like.rules_version,
            options=like.options,
            seat_count=like.seat_count,
            terms=like.terms,
            host_id=self.people[0],
            created_at=self.at,
            started_at=self.at,
            counted=True,
        )
        self.game.commitment = commitment_of(self.game.id, bytes(self.game.seed))
        self.rules = log_store.rules_of(self.game)
        self.seeds = [secrets.token_hex(32) for _ in self.people]
        for line in self.model.opening:
            self._add([self._own(line.event)], line.via, line.seat)
        options = msgspec.convert(like.options, self.rules.option_type)
        chance = self._chance()
        self._add(self.rules.setup(options, like.seat_count, chance), SERVER, draws=chance.draws)
        while self.rules.outcome(self.position.state) is None:
            self._answer()
        self._end()
        self.lines = sealing.seal(self.rules, self.game, self.lines, self.moves)

    def _own(self, event: Event) -> Event:
        """An event of the model's opening, with what is this game's own in it."""
        match event:
            case GameCreated():
                return msgspec.structs.replace(event, commitment=self.game.commitment)
            case Joined():
                return msgspec.structs.replace(event, seed=self.seeds[event.seat - 1])
        return event

    def _chance(self) -> SeededChance:
        assert self.position.table
        return SeededChance(bytes(self.game.seed), str(self.game.id), self.position.table.mixed_in, self.game.draws)

    def _answer(self) -> None:
        asked_at, self.at = self.at, self.at + timedelta(hours=1)
        state, chance = self.position.state, self._chance()
        question = self.luck.choice(self.rules.questions(state))
        answer = self.luck.choice(self.rules.legal_moves(state, question))
        move = Move(
            game=self.game,
            seat=question.seat,
            account_id=self.people[question.seat - 1],
            question=question.id,
            text=self.rules.text(answer),
            body=encode(answer),
            via=Move.Via.API,
            received_at=self.at,
            asked_at=asked_at,
            state=Move.State.APPLIED,
            first_event=self.position.version + 1,
        )
        events = self.rules.decide(state, question.seat, msgspec.structs.replace(answer, question=question.id), chance)
        self._add(events, move.via, question.seat, move.id, chance.draws)
        move.last_event = self.position.version
        self.moves.append(move)

    def _add(
        self,
        events: Sequence[Event],
        via: str,
        seat: SeatNumber | None = None,
        move: uuid.UUID | None = None,
        draws: Sequence[tuple[int, int]] = (),
    ) -> None:
        self.game.draws += len(draws)
        for event in events:
            self.position = log_store.fold(self.rules, self.position, event)
            self.lines.append(Line(self.position.version, event, self.at, via, seat, move, tuple(draws)))
            draws = ()

    def _end(self) -> None:
        self.outcome = self.rules.outcome(self.position.state)
        assert self.outcome
        self._add([Ended(winners=self.outcome.winners)], SERVER)
        self.game.state, self.game.ended_at, self.game.version = Game.State.OVER, self.at, self.position.version

    def seats(self) -> list[Seat]:
        """The rows of its seats."""
        return [
            Seat(game=self.game, number=number, account_id=account, seed=seed)
            for number, (account, seed) in enumerate(zip(self.people, self.seeds, strict=True), start=1)
        ]

    def results(self) -> list[Result]:
        """The rows of its results; every question was answered in time."""
        asked = Counter(move.seat for move in self.moves)
        assert self.outcome
        assert self.position.table
        return [
            Result(
                game=self.game,
                seat=number,
                account_id=account,
                bot=False,
                asked=asked[number],
                in_time=asked[number],
                **ratings.came_out(self.outcome, SeatNumber(number), self.position.table),
            )
            for number, account in enumerate(self.people, start=1)
        ]

    def notifications(self) -> Iterator[Notification]:
        """Yield the rows of what its people were told: as much a move as by its model."""
        for number in range(round(self.model.told_a_move * len(self.moves))):
            reason, question, channel = self.model.told[number % len(self.model.told)]
            yield Notification(
                key=f"{reason}:{self.game.id}:{number}",
                account_id=self.people[number % SEATS],
                channel=channel,
                reason=reason,
                topic=f"game:{self.game.id}",
                question=question,
                state=State.SENT,
                next_attempt_at=self.at,
                created_at=self.at,
                sent_at=self.at,
            )


@transaction.atomic
def _store(decided: Sequence[_Decided], books: ratings.Books) -> None:
    """Write the rows of games, and enter their results into the stats."""
    Game.objects.bulk_create([each.game for each in decided], batch_size=AT_ONCE)
    Seat.objects.bulk_create([seat for each in decided for seat in each.seats()], batch_size=AT_ONCE)
    Move.objects.bulk_create([move for each in decided for move in each.moves], batch_size=AT_ONCE)
    log_store.append({each.game.id: each.lines for each in decided})
    log_store.keep([(each.game, each.position) for each in decided])
    results = [each.results() for each in decided]
    for each, found in zip(decided, results, strict=True):
        books.enter(each.game, found)
    Result.objects.bulk_create([result for found in results for result in found], batch_size=AT_ONCE)
    Notification.objects.bulk_create([told for each in decided for told in each.notifications()], batch_size=AT_ONCE)


if __name__ == "__main__":
    main()
