"""A Swiss tournament, or a league, from its creation to its end on the virtual clock, with people who are absent.

``python -m bench.pace.tournament [--players N] [--rounds R] [--table N] [--seasons S] [--once]`` plays it twice, each
time on a database of its own, and compares: everything is the same, from the draws to the last place. Where
``--seasons`` is given it plays so many seasons of a league. Before each but the first, some players skip it, and some
come.
"""

import argparse
import hashlib
import json
import multiprocessing
import os
import random
import shutil
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any, Final
from unittest import mock

from django.conf import settings
from django.db import connections
from django.db.models import F

from accounts.models import Account
from bench.pace.server import VirtualServer
from config.server.postgres import DATABASE, Server
from config.server.prepare import prepare_database
from games import tasks
from games.engine import SeededChance, know
from games.event_log import log_store
from games.event_log.lines import events_of
from games.models import Game, Move, OpenQuestion, Pairing, Tournament
from games.play.submit import WrittenMove, store_move
from games.tournaments import audit, entering, progress
from games.tournaments.new_tournament import NewTournament, create_tournament
from games.tournaments.seasons import next_season

FIRST_DAY: Final = datetime(2026, 3, 2, tzinfo=UTC)
STEP: Final = timedelta(hours=2)
"""The time from one look of the clock to the next."""
DAY: Final = timedelta(days=1)
ROUND: Final = 14 * DAY
LOOKS: Final = 0.5
"""The chance that somebody looks in a step."""
ABSENT: Final = 0.08
"""The share of people who never answer anything."""
RESTS: Final = 0.12
"""The share of people who announce that they sit a round out."""
WITHDRAWS: Final = 0.05
"""The share of people who withdraw while it is played."""
SKIPS: Final = 0.1
"""The share of players who skip a season, and of new ones who come to it."""
DIVISION: Final = 8
"""The number of players in a division of a league."""
LEAGUE_ROUNDS: Final = 10
"""More rounds than such a division plays."""
HASTY: Final = ("fsync=off", "full_page_writes=off", "synchronous_commit=off", "max_connections=40")


@dataclass
class Outcome:
    """The figures of a tournament that was played."""

    days: float
    rounds: int
    games: int
    """Those of all seasons, where a league has played several."""
    draws_by_date: int
    """The tables whose game was not over in time."""
    rests: int
    withdrawn: int
    on_time: bool
    digest: str
    """The digest of all draws, places and points."""
    first: list[str] = field(default_factory=list)


@contextmanager
def same_luck(luck: Random) -> Iterator[None]:
    """Let the machine's own luck, of which ids and seeds are made, follow from ``luck``."""
    with mock.patch.object(os, "urandom", luck.randbytes), mock.patch.object(random, "_urandom", luck.randbytes):
        yield


class Play:
    """A tournament while it is played."""

    def __init__(self, server: VirtualServer, players: int, wanted: NewTournament, luck: Random) -> None:
        self.server = server
        self.luck = luck
        self.rounds = wanted.rounds or LEAGUE_ROUNDS
        self.now = FIRST_DAY
        self.server.go(self.now)
        self.people = list[Account]()
        self.absent, self.leaving = set[int](), dict[int, datetime]()
        host = Account.objects.create_user("host@example.org", name="Host")
        self.cup = create_tournament(host, wanted, self.now)
        self._enter(players)

    def _enter(self, count: int) -> None:
        """Let new people enter; some announce to sit a round out, some will never answer, and some will withdraw."""
        first = len(self.people) + 1
        for each in range(first, first + count):
            person = Account.objects.create_user(f"player{each}@example.org", name=f"Player {each}")
            self.people.append(person)
            entering.enter(person, self.cup.pk, self.now)
            if self.luck.random() < RESTS:
                entering.set_rounds_to_sit_out(person, self.cup.pk, [self.luck.randint(1, self.rounds)])
            if self.luck.random() < ABSENT:
                self.absent.add(person.pk)
            elif self.luck.random() < WITHDRAWS:
                self.leaving[person.pk] = self.cup.starts_at + self.luck.random() * self.rounds * ROUND

    def play(self, seasons: int = 1) -> Outcome:
        """Play it to its end, and of a league so many seasons; all figures but ``games`` are those of the last one."""
        outcome = self._play_to_end()
        for _ in range(seasons - 1):
            self._open_season()
            before, outcome = outcome, self._play_to_end()
            outcome.on_time &= before.on_time
            outcome.digest = hashlib.sha256(f"{before.digest} {outcome.digest}".encode()).hexdigest()
        return outcome

    def _open_season(self) -> None:
        """Go on to the next season: some skip it, and as many come."""
        following = next_season(self.cup)
        if following is None:
            raise RuntimeError("no season has opened")
        self.cup = following
        for entry in list(self.cup.entries.select_related("account")):
            if entry.account is not None and self.luck.random() < SKIPS:
                entering.withdraw(entry.account, self.cup.pk, self.now)
        self._enter(round(len(self.people) * SKIPS))

    def _play_to_end(self) -> Outcome:
        last = self.cup.starts_at + (self.rounds + 1) * ROUND
        while self._is_going():
            if self.now > last:
                raise RuntimeError("the tournament does not end")
            self.now += STEP
            self.server.go(self.now)
            self._let_people_look()
            self.server.tick(self.now, tasks.count_games.name, tasks.go_on_with_tournaments.name)
        return self._outcome()

    def _is_going(self) -> bool:
        return Tournament.objects.get(pk=self.cup.pk).state not in (Tournament.State.OVER, Tournament.State.CANCELLED)

    def _let_people_look(self) -> None:
        asked = set(OpenQuestion.objects.filter(bot=False).values_list("game__seats__account", "game"))
        games = Counter[int](account for account, _ in asked if account)
        for person in self.people:
            looks = self.luck.random() < LOOKS
            at = self.leaving.get(person.pk)
            if at is not None and at <= self.now:
                del self.leaving[person.pk]
                if self._is_going():
                    entering.withdraw(person, self.cup.pk, self.now)
            if looks and person.pk not in self.absent and games[person.pk]:
                self._answer_all(person)

    def _answer_all(self, person: Account) -> None:
        """Answer what somebody is asked in all games."""
        for game in Game.objects.filter(seats__account=person, state=Game.State.RUNNING).order_by("pk"):
            while row := self._asked(game, person):
                self._answer(game, person, row)

    def _asked(self, game: Game, person: Account) -> OpenQuestion | None:
        """The next question to somebody that is not too late to answer."""
        seat = game.seats.get(account=person).number
        rows = OpenQuestion.objects.filter(game=game, seat=seat, bot=False, planned_at=None, due_at__gt=self.now)
        return rows.order_by("question").first()

    def _answer(self, game: Game, person: Account, row: OpenQuestion) -> None:
        """Answer a question as a bot would that knows what its seat knows."""
        game.refresh_from_db()
        rules, state = log_store.rules_of(game), log_store.position(game).state
        question = next(question for question in rules.questions(state) if question.id == row.question)
        chance = SeededChance(self.luck.randbytes(32))
        seen = know(rules, state, question.seat, lambda: events_of(log_store.read(game)))
        move = rules.bot_move(seen, question, rules.legal_moves(state, question), chance)
        sent = store_move(game, person, WrittenMove(row.question, rules.text(move)), Move.Via.API, self.now)
        self.server.answer()
        sent.refresh_from_db()
        if sent.state == Move.State.REJECTED:
            raise RuntimeError(f"a bot's move was rejected: {sent.code}")

    def _outcome(self) -> Outcome:
        cup = Tournament.objects.get(pk=self.cup.pk)
        if faults := audit.find_faults(cup):
            raise RuntimeError(f"the tournament does not follow from its seed: {faults}")
        pairings = Pairing.objects.filter(round__tournament=cup).order_by(
            "round__number", "table", "seat", "entry__number"
        )
        told = [
            [pairing.round.number, pairing.entry.number, pairing.kind, pairing.table, pairing.seat, pairing.place]
            for pairing in pairings.select_related("round", "entry")
        ]
        placed = progress.standings(cup)
        final = [
            [each.standing.place, each.entry.number, each.standing.points, each.entry.division, each.entry.movement]
            for each in placed
        ]
        ended, rounds = cup.ended_at or self.now, cup.drawn_rounds.count()
        tables = pairings.filter(kind=Pairing.Kind.TABLE)
        late = tables.exclude(game__ended_at__lte=F("round__ended_at"))
        return Outcome(
            days=(ended - cup.starts_at) / DAY,
            rounds=rounds,
            games=Game.objects.count(),
            draws_by_date=len(set(late.values_list("game", flat=True))),
            rests=pairings.filter(kind=Pairing.Kind.REST).count(),
            withdrawn=cup.entries.exclude(withdrawn_at=None).count(),
            on_time=ended <= cup.starts_at + rounds * (ROUND + STEP),
            digest=hashlib.sha256(json.dumps([told, final, ended.isoformat()]).encode()).hexdigest(),
            first=[f"{each.standing.place}. {each.entry.account.name}" for each in placed[:3] if each.entry.account],
        )


def played(server: VirtualServer, players: int, rounds: int, table: int, seasons: int = 0) -> Outcome:
    """Play a tournament of so many on the database that Django is set to; with seasons, so many of a league."""
    luck = Random(f"{players}/{rounds}/{table}" + (f"/{seasons}" if seasons else ""))
    terms: dict[str, Any] = {"format": "swiss", "rounds": rounds}
    if seasons:
        terms = {"format": "league", "division_size": max(DIVISION, table), "promoted": 2, "season_break": 7 * DAY}
    wanted = NewTournament(
        name="Spring cup",
        rules="coup",
        table_size=table,
        starts_at=FIRST_DAY + DAY,
        round_length=ROUND,
        **terms,
    )
    with same_luck(luck):
        return Play(server, players, wanted, luck).play(seasons or 1)


def _play_apart(part: int, asked: Any, results: Any) -> None:
    """Play it in a process of its own, on a database of its own."""
    connections["default"].settings_dict["NAME"] = f"cup_{part}"
    server = VirtualServer()
    results.put(played(server, asked.players, asked.rounds, asked.table, asked.seasons))
    server.close()


def main() -> int:
    """Play it twice, and say what came of it; 1 where it was not on time, or not the same twice."""
    parser = argparse.ArgumentParser(prog="python -m bench.pace.tournament", description=__doc__.partition("\n")[0])
    parser.add_argument("--players", type=int, default=64)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--table", type=int, default=4)
    parser.add_argument("--seasons", type=int, default=0, help="play so many seasons of a league, without --rounds")
    parser.add_argument("--once", action="store_true", help="do not play it again to compare")
    asked = parser.parse_args()
    began = time.monotonic()
    try:
        found = _played_apart(asked, 1 if asked.once else 2)
    finally:
        shutil.rmtree(settings.DATA_DIR, ignore_errors=True)
    for each in found:
        print(each)
    same = len({each.digest for each in found}) == 1
    print(f"{'The same' if same else 'NOT the same'} {len(found)} times, in {time.monotonic() - began:.0f} s.")
    return 0 if same and all(each.on_time for each in found) else 1


def _played_apart(asked: Any, times: int) -> list[Outcome]:
    """Play it so often, side by side, on an embedded server of their own."""
    context = multiprocessing.get_context("fork")
    results, seat = context.Queue(), settings.EMBEDDED_DATABASE
    with Server(seat, *HASTY):
        prepare_database()
        with seat.administer() as admin:
            for part in range(times):
                admin.execute(f"CREATE DATABASE cup_{part} OWNER {DATABASE} TEMPLATE {DATABASE}")
        children = [context.Process(target=_play_apart, args=(part, asked, results)) for part in range(times)]
        for child in children:
            child.start()
        found: list[Outcome] = []
        while len(found) < times:
            if any(child.exitcode for child in children):
                raise RuntimeError("a process of the bench has failed")
            if not results.empty():
                found.append(results.get())
            time.sleep(0.2)
        for child in children:
            child.join()
    return found


if __name__ == "__main__":
    sys.exit(main())
