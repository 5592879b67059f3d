"""Games of fist, the third game, for tests above the engine."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from accounts.models import Account
from games.engine import SeatNumber
from games.event_log import log_store
from games.models import Bot, Game, Move
from games.play.resolve import resolve
from games.play.submit import WrittenMove, store_move
from games.rules.registry import RULES
from games.tables.joining import join_game
from games.tables.new_game import NewGame
from games.tables.starting import create_game
from tests.third_game import fist

NOON = datetime(2026, 3, 22, 12, tzinfo=UTC)
LATER = NOON + timedelta(hours=1)


@pytest.fixture(autouse=True)
def with_fist(monkeypatch: pytest.MonkeyPatch) -> None:
    """The third game is among the games."""
    monkeypatch.setitem(RULES, "fist", fist.RULES)


def create_fist(host: Account, *others: Account, now: datetime = NOON, **fields: Any) -> Game:
    """A table of Fist with its host and those who joined; it has begun if that makes it full."""
    bots = (Bot(),) * fields.pop("bots", 0)
    seats = fields.pop("seat_count", 1 + len(others) + len(bots))
    game = create_game(host, NewGame(**{"rules": "fist", "seat_count": seats, "bots": bots, **fields}), "api", now)
    for other in others:
        game = join_game(game.id, other, game.code, "api", now)
    return fresh(game)


def fresh(game: Game) -> Game:
    """The game as its row is now."""
    return Game.objects.get(pk=game.pk)


def state(game: Game) -> Any:
    """Return how the game stands, with everything that is hidden."""
    return log_store.position(fresh(game)).state


def open_question(game: Game, seat: int) -> str:
    """The id of the question that this seat is asked."""
    return game.open_questions.get(seat=seat).question


def sent(game: Game, seat: int, text: str, at: datetime = LATER, question: str | None = None) -> Move:
    """A move of the player on this seat, stored and not yet resolved."""
    player = game.seats.get(number=seat).account
    assert player is not None
    return store_move(
        fresh(game),
        player,
        WrittenMove(open_question(game, seat) if question is None else question, text),
        Move.Via.API,
        at,
    )


def play(game: Game, seat: int, text: str, at: datetime = LATER, question: str | None = None) -> Move:
    """A move of the player on this seat, resolved."""
    move = sent(game, seat, text, at, question)
    resolve(game.id, at)
    move.refresh_from_db()
    return move


def truth(game: Game, seat: int) -> int:
    """The number this seat was dealt."""
    number = state(game).numbers[SeatNumber(seat) - 1]
    assert isinstance(number, int)
    return number


def lie(game: Game, seat: int) -> int:
    """A number this seat was not dealt."""
    return truth(game, seat) % 6 + 1
