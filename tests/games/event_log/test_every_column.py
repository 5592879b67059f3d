"""``manage.py verify`` compares every column of the game tables, or says here why it cannot be derived."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any, Final

import pytest
from django.apps import apps
from django.db import connection, models

from accounts.models import Account
from games.archive import game_audit, ratings
from games.models import Game, Move, OpenQuestion, Result, Seat
from games.play.resolve import resolve
from games.play.submit import WrittenMove, store_move
from tests.examples import read_examples
from tests.games.finished import begun, finished
from tests.third_game.table import LATER, NOON, fresh

EXAMPLES = read_examples(__file__)

pytestmark = pytest.mark.django_db

COMPARED: Final = {table: set(names) for table, names in EXAMPLES["compared"].items()}
"""The columns that follow from the log, from moves or from results."""

NOT_DERIVABLE = EXAMPLES["not_derivable"]

OTHER_TABLES = EXAMPLES["other_tables"]


def columns(model: type[models.Model]) -> set[str]:
    return {field.name for field in model._meta.get_fields() if getattr(field, "concrete", False)} - {"pk"}


def test_every_column_of_the_game_tables_is_compared_or_cannot_be_derived() -> None:
    for model in apps.get_app_config("games").get_models():
        name = model.__name__
        if name in OTHER_TABLES:
            assert name not in COMPARED
            continue
        assert columns(model) == COMPARED[name] | NOT_DERIVABLE.get(name, {}).keys(), name
        assert not COMPARED[name] & NOT_DERIVABLE.get(name, {}).keys(), name
    assert OTHER_TABLES.keys() | COMPARED.keys() == {
        model.__name__ for model in apps.get_app_config("games").get_models()
    }


@pytest.fixture
def running(maryam: Account, sepideh: Account, bahareh: Account) -> Game:
    """A running game with an answer by hand."""
    game = begun([maryam, sepideh, bahareh])
    row = game.open_questions.get()
    sender = game.seats.get(number=row.seat).account
    assert sender is not None
    store_move(game, sender, WrittenMove(row.question, text="income"), "api", NOON, enqueue_task=False)
    resolve(game.id, NOON)
    return fresh(game)


@pytest.fixture
def over(maryam: Account, sepideh: Account, bahareh: Account) -> Game:
    game = finished([maryam, sepideh, bahareh])
    ratings.count(game.id, NOON)
    return fresh(game)


RUNNING: Final[tuple[Callable[[Game, Account], object], ...]] = (
    lambda game, other: Game.objects.filter(pk=game.pk).update(private=True),
    lambda game, other: Game.objects.filter(pk=game.pk).update(spectator_delay=timedelta(hours=1)),
    lambda game, other: Game.objects.filter(pk=game.pk).update(arena=True),
    lambda game, other: Game.objects.filter(pk=game.pk).update(start_check_at=LATER),
    lambda game, other: Game.objects.filter(pk=game.pk).update(deal_list="{}"),
    lambda game, other: game.seats.filter(number=2).update(account=other),
    lambda game, other: game.seats.filter(number=2).update(missed=2),
    lambda game, other: game.seats.filter(number=2).update(spared=True),
    lambda game, other: game.seats.filter(number=2).update(returning=True),
    lambda game, other: Move.objects.filter(game=game).update(account=other),
    lambda game, other: Move.objects.filter(game=game).update(plan='{"type":"next-turn","move":{"type":"tax"}}'),
    lambda game, other: Move.objects.filter(game=game).update(asked_at=LATER + timedelta(hours=5)),
    lambda game, other: Move.objects.filter(game=game).update(asked_at=NOON - timedelta(days=1)),
    lambda game, other: OpenQuestion.objects.filter(game=game).update(asked_at=LATER + timedelta(hours=5)),
    lambda game, other: OpenQuestion.objects.filter(game=game).update(bot=True),
)


@pytest.mark.parametrize("number", range(len(RUNNING)))
def test_a_changed_column_of_a_running_game_is_found(running: Game, dariush: Account, number: int) -> None:
    assert game_audit.find_faults(running) == []
    RUNNING[number](running, dariush)
    assert game_audit.find_faults(fresh(running)) != []


@pytest.mark.parametrize(
    "change",
    [{"account": None}, {"won": None}, {"place": 9}, {"asked": 99}, {"bluffs": [["duke", 9, 9, 9]]}, {"score": 5}],
)
def test_a_changed_result_is_found(over: Game, change: dict[str, Any]) -> None:
    assert game_audit.find_faults(over) == []
    row = over.results.order_by("seat")[0]
    values = {name: not getattr(row, name) if name == "won" else value for name, value in change.items()}
    Result.objects.filter(pk=row.pk).update(**values)
    assert game_audit.find_faults(fresh(over)) != []


def test_a_changed_rating_is_found(over: Game) -> None:
    assert list(ratings.find_faults()) == []
    Result.objects.filter(game=over, seat=1).update(rating=9999)
    assert any(str(over.pk) == str(game) for game, _ in ratings.find_faults())


@pytest.mark.parametrize("column", ["games", "wins", "asked", "in_time", "mean", "doubt"])
def test_a_changed_column_of_player_stats_is_found(over: Game, column: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(f"UPDATE games_playerstats SET {column} = {column} + 1 WHERE account_id IS NOT NULL")
    assert list(ratings.find_faults()) != []


def test_a_seat_of_a_deleted_account_is_no_fault(over: Game, maryam: Account) -> None:
    Seat.objects.filter(game=over, account=maryam).update(account=None)
    Result.objects.filter(game=over, account=maryam).update(account=None)
    assert game_audit.find_faults(fresh(over)) == []
