"""Tests of how many statements a request costs: bounded for every operation, and no more at many tables than at
few."""

from collections.abc import Iterator
from typing import Final

import pytest
from django.core.cache import caches
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games.lobby.create import create_game
from games.lobby.join import join_game
from games.lobby.new_game import NewGame
from games.models import Bot
from tests.roles.asking import asked, ids_for
from tests.roles.operations import Operation, every_operation
from tests.roles.scene import Scene

pytestmark = pytest.mark.django_db

READING: Final = 30
"""The number of statements a request makes at most that only looks (docs/scale.md)."""
EXPORTING: Final = 40
"""And one that reads all that is kept about somebody, a table of the database in each statement."""
EXPORTS: Final = ("GET export", "GET settings-export")
CHANGING: Final = 120
"""And one that changes something, such as opening a table with its bots."""
TABLE_BY_TABLE: Final = ("POST deletion",)
"""A player who goes leaves every table they sit at, one after another."""
OPERATIONS: Final = every_operation()
LOOKING: Final = [each for each in OPERATIONS if each.method == "GET"]


def statements(operation: Operation, scene: Scene) -> int:
    """Return how many statements the host's request costs."""
    caches["questions"].clear()
    ids = ids_for(operation, scene, "host")
    with CaptureQueriesContext(connection) as queries:
        asked(operation, scene, "host", ids)
    return len([each for each in queries if "SAVEPOINT" not in each["sql"]])


@pytest.fixture
def many_tables(scene: Scene) -> Iterator[None]:
    """Six more tables of the host's, whose games have begun."""
    with transaction.atomic():
        for _ in range(6):
            new_game = NewGame(rules="coup", seat_count=4, bots=(Bot(),) * 2)
            game = create_game(scene.people["host"], new_game, "api", timezone.now())
            join_game(game.id, scene.people["seated"], game.code, "api", timezone.now())
        yield
        transaction.set_rollback(True)


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.title)
def test_every_operation_makes_a_bounded_number_of_statements(operation: Operation, scene: Scene) -> None:
    looking = EXPORTING if operation.key in EXPORTS else READING
    bound = looking if operation.method == "GET" else CHANGING
    assert statements(operation, scene) <= bound or operation.key in TABLE_BY_TABLE


def test_nothing_costs_more_statements_at_many_tables(scene: Scene, request: pytest.FixtureRequest) -> None:
    few = {each.title: statements(each, scene) for each in LOOKING}
    request.getfixturevalue("many_tables")
    many = {each.title: statements(each, scene) for each in LOOKING}
    assert {title: (few[title], many[title]) for title in few if many[title] > few[title]} == {}
