"""Games of Coup in the database: people and bots seated, cards dealt as a test wants them."""

import uuid
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec
import pytest

from accounts.models import Account
from games import links
from games.engine import Chance, ScriptedChance, SeatNumber
from games.event_log.table_events import GameCreated, Started
from games.models import Game, Heartbeat, Move, Seat, commitment_of
from games.play import absence, timeouts
from games.play.locked_game import lock_game
from games.play.resolve import resolve
from games.refusals import Refusal
from games.rules.registry import RULES
from notifications.endpoints import StreamListener

NOON = datetime(2026, 3, 22, 12, tzinfo=UTC)
COURT = ["ambassador", "assassin", "captain", "contessa", "duke"]
DEAL = ["contessa", "duke", "captain", "contessa", "assassin", "duke"]


def hear(players: Sequence[Account | None]) -> None:
    """Make programs of these people listen to the event stream."""
    listeners = [StreamListener(account=player, hears_all=True) for player in players if player is not None]
    StreamListener.objects.bulk_create(listeners, ignore_conflicts=True)


def begin(
    players: Sequence[Account | None], deal: Sequence[str] = DEAL, *, number: int | None = None, **options: Any
) -> Game:
    """A game that has just begun at NOON, seat 1 to move; None is a bot. Those of one ``number`` draw alike."""
    rules = RULES["coup"]
    choice = rules.options(**{"starting_player": 1, **options})
    game = Game(
        rules=rules.name,
        rules_version=rules.version,
        options=msgspec.to_builtins(choice),
        seat_count=len(players),
        bot_count=players.count(None),
        created_at=NOON,
    )
    if number is not None:
        game.id, game.seed = uuid.UUID(int=number), number.to_bytes(32, "big")
    return start(game, players, ScriptedChance(deal))


def start(game: Game, players: Sequence[Account | None], chance: Chance) -> Game:
    """Seat these players at a game that is not stored yet, and begin it."""
    rules = RULES[game.rules]
    game.commitment = commitment_of(game.id, game.seed)
    game.save()
    hear(players)
    for number, player in enumerate(players, start=1):
        Seat.objects.create(
            game=game, number=number, account=player, bot=player is None, name="" if player else f"Bot {number}"
        )
    with lock_game(game.id, game.created_at) as locked:
        assert locked is not None
        opened = GameCreated(
            rules=rules.name,
            version=rules.version,
            seat_count=len(players),
            bot_count=players.count(None),
            commitment=game.commitment,
            terms=game.terms,
        )
        locked.add_table_event(opened)
        locked.add_table_event(Started(seat_count=len(players)))
        locked.game.state = Game.State.RUNNING
        convert = msgspec.convert(game.options, rules.option_type)
        locked.apply_events(rules.setup(convert, len(players), chance), chance)
    return Game.objects.get(id=game.id)


def agree(game: Game, **changed: Any) -> None:
    """Change terms of a game in its row."""
    game.terms = msgspec.structs.replace(game.terms, **changed)
    game.save(update_fields=["terms"])


def play(game: Game, *lines: str, at: datetime = NOON + timedelta(hours=1)) -> None:
    """Receive and resolve answers at a time. Each line is ``<seat> <text>``, an answer to the seat's open question."""
    for line in lines:
        seat, _, text = line.partition(" ")
        question = game.open_questions.get(seat=seat)
        move = Move.objects.create(
            game=game,
            seat=SeatNumber(int(seat)),
            question=question.question,
            text=text,
            via=Move.Via.API,
            received_at=at,
        )
        resolve(game.id, at)
        move.refresh_from_db()
        assert move.state == Move.State.APPLIED, (line, move.code, move.phrase)


def absent(game: Game, seat: int, at: datetime) -> None:
    """Make a seat that is asked have missed too many questions; what the table's terms say follows."""
    with lock_game(game.id, at) as locked:
        assert locked is not None
        locked.seats[SeatNumber(seat)].missed = game.terms.misses
        absence.settle(locked)


def sweep(now: datetime) -> None:
    """Sweep as a clock that has been running all the time."""
    Heartbeat.objects.update(at=now)
    timeouts.sweep(now)


def refused(code: str, call: Callable[..., object], *args: Any, **kwargs: Any) -> Refusal:
    """Return the refusal of a call, which must have this code."""
    with pytest.raises(Refusal) as caught:
        call(*args, **kwargs)
    assert caught.value.code == code
    return caught.value


def seat_address(game: Game, seat: int, account: Account | None = None) -> str:
    """Return the address of a seat that belongs to its player, or to this account."""
    return links.seat_address(game.pk, SeatNumber(seat), _addressee(game, seat, account))


def chat_address(game: Game, seat: int, to: int | None, account: Account | None = None) -> str:
    """Return the address of a chat that belongs to the player on the seat, or to this account."""
    other = None if to is None else SeatNumber(to)
    return links.chat_address(game.pk, SeatNumber(seat), other, _addressee(game, seat, account))


def question_address(game: Game, seat: int = 1, account: Account | None = None) -> str:
    """Return the address of the seat's open question that belongs to its player, or to this account."""
    question = game.open_questions.get(seat=seat).question
    return links.question_address(game.pk, question, _addressee(game, seat, account))


def _addressee(game: Game, seat: int, account: Account | None) -> int:
    if account is not None:
        return account.pk
    return Seat.objects.values_list("account", flat=True).get(game=game, number=seat)
