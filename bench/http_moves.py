"""Measurements over HTTP: accepted and answered moves, and the questions of a player with many games."""

from collections.abc import Iterator, Sequence
from typing import Final
from uuid import UUID

from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from rest_framework.test import APIClient

from accounts import tokens
from accounts.models import Account
from accounts.tokens import ALL
from bench import game_copies, limit
from bench.bench_database import analyze, web_servers
from bench.load import Answers, ask, get, post
from bench.measure import Row, alternately, at_least, at_most, percentile
from games.models import Move, Seat
from games.play.resolve import resolve_waiting

CLIENTS: Final = 16
PROCESSES: Final = 2
QUESTIONS: Final = "/api/v1/questions/"
GAMES: Final = 100


class Table:
    """Copies of one game, and the accounts and tokens of their players."""

    def __init__(self, games: Sequence[UUID]) -> None:
        self.games = games
        self.question = game_copies.open_question(games[0], 1)
        seats = Seat.objects.filter(game__in=games).values_list("game_id", "number", "account_id")
        self._account_ids = {(game, seat): account for game, seat, account in seats}
        self._accounts = Account.objects.in_bulk(set(self._account_ids.values()))
        self._tokens: dict[int, str] = {}

    def account(self, game: UUID, seat: int) -> Account:
        return self._accounts[self._account_ids[game, seat]]

    def token(self, account: Account) -> str:
        if account.pk not in self._tokens:
            self._tokens[account.pk] = tokens.issue(account, "bench", list(ALL))[1]
        return self._tokens[account.pk]

    def move(self, game: UUID, seat: int, question: str, **headers: str) -> str:
        """Return the request that sends the move of a seat."""
        body = {"question": question, "move": {"type": "coup.income"}}
        return post(f"/api/v1/games/{game}/moves/", self.token(self.account(game, seat)), body, **headers)


class Rounds:
    """Games in which one seat after the other sends a move."""

    def __init__(self, games: Sequence[UUID]) -> None:
        self.table = Table(games)
        self._rounds = 0

    def requests(self, **headers: str) -> list[str]:
        """Return a request for each game: the move of the player whose turn it is."""
        seat = self._rounds % game_copies.SEATS + 1
        question = game_copies.open_question(self.table.games[0], seat)
        self._rounds += 1
        return [self.table.move(game, seat, question, **headers) for game in self.table.games]


def accepted(ports: Sequence[int], rounds: Rounds) -> float:
    """Return the moves accepted a second. They are resolved afterwards, which is not counted."""
    answers = ask(ports, rounds.requests(), CLIENTS)
    _expect(answers, "202")
    resolve_waiting(timezone.now())
    return answers.rate


def _expect(answers: Answers, status: str) -> None:
    if set(answers.statuses) != {status}:
        raise SystemExit(f"expected {status} for every request, and got {answers.statuses}")


def answered(ports: Sequence[int], rounds: Rounds) -> Answers:
    """Send moves whose outcome the client waits for, and return the answers."""
    answers = ask(ports, rounds.requests(Prefer="wait=10"), CLIENTS)
    if answers.statuses.get("200", 0) < len(rounds.table.games) * 0.99:
        raise SystemExit(f"too few answers contain the outcome: {answers.statuses}")
    resolve_waiting(timezone.now())
    return answers


def rows(people: Sequence[int], games: int) -> Iterator[Row]:
    """Compare moves over HTTP with the limit, and measure the questions of a player with many games."""
    rounds = Rounds(game_copies.copies(game_copies.model(people, timezone.now()), games, people))
    with web_servers(PROCESSES) as ports:
        # The use of a token is stored once an hour: these rounds store it for all tokens.
        for _ in range(game_copies.SEATS):
            accepted(ports, rounds)
        analyze()
        measured = alternately(lambda: accepted(ports, rounds), limit.rate)
        title = "moves accepted a second over HTTP, 2 processes"
        yield at_least(title, "a second", "pgbench, 16 clients", measured, 0.1, 0.2)
        measured = alternately(lambda: answered(ports, rounds).slowest(0.99), limit.latency)
        title = "POST to outcome, 16 clients: 99 % within (broker: files)"
        yield at_most(title, "ms", "pgbench's mean latency", measured, 15, 5)
        if Move.objects.filter(state=Move.State.RECEIVED).exists():
            raise SystemExit("a move was left")
        yield from _questions(ports, people)


def _questions(ports: Sequence[int], people: Sequence[int]) -> Iterator[Row]:
    """Measure a player's list of open questions in a hundred games, from the request to the last byte."""
    player = Account.objects.get(pk=people[-1])
    games = game_copies.copies(game_copies.model(people[:4], timezone.now()), GAMES, people[:4])
    Seat.objects.filter(game__in=games, number=1).update(account=player)
    token = tokens.issue(player, "bench", list(ALL))[1]
    ask(ports, [get(QUESTIONS, token)] * 4, 1)
    latencies = ask(ports, [get(QUESTIONS, token)] * 20, 1).latencies
    middle = percentile(latencies, 0.5)
    yield at_most("questions/ for a player with 100 games", "ms", "the bound", (middle, 25.0, middle / 25), 1, 0.4)
    client = APIClient(SERVER_NAME="localhost", headers={"Authorization": f"Bearer {token}"})
    with CaptureQueriesContext(connection) as queries:
        data = client.get(QUESTIONS).json()["results"]
    count = float(len(queries))
    if len(data) < GAMES:
        raise SystemExit(f"the list has only {len(data)} questions")
    yield at_most(
        "questions/ for a player with 100 games: statements", "statements", "4", (count, 4.0, count / 4), 1, 1
    )
