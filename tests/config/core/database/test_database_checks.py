"""A process that does not fit its database: it writes to no game, says so, and nothing is lost by it."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client

from accounts.models import Account
from config.core.clock import CLOCK
from config.core.database import checks
from config.core.database.checks import DATABASE_CHECKS, DatabaseChecks, SchemaMismatch
from games import tasks
from games.models import Game, Heartbeat, Move, Stall
from games.operations import health
from games.play import resolve
from games.tables.joining import leave_game
from tests.third_game.table import LATER, NOON, create_fist, sent, with_fist

pytestmark = pytest.mark.django_db
__all__ = ["with_fist"]

OWN = "0001_initial"
"""A migration that this version has."""


@pytest.fixture
def game(maryam: Account, bahareh: Account) -> Game:
    Heartbeat.objects.create(at=NOON)
    return create_fist(maryam, bahareh)


@pytest.fixture(autouse=True)
def _fit_afterwards(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Forget after the test what this process has found out."""
    monkeypatch.setattr(DATABASE_CHECKS, "difference", DATABASE_CHECKS.difference)
    monkeypatch.setattr(CLOCK, "_last", None)


def newer(name: str = "9999_contract_later") -> None:
    """Make a newer version migrate the database."""
    with connection.cursor() as cursor:
        cursor.execute("INSERT INTO django_migrations (app, name, applied) VALUES ('games', %s, now())", [name])


def older() -> None:
    """Change the database to the state before this version."""
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM django_migrations WHERE app = 'games' AND name = %s", [OWN])


def again() -> None:
    """Make the database be as this version needs it."""
    with connection.cursor() as cursor:
        cursor.execute(
            "DELETE FROM django_migrations WHERE app = 'games' AND name IN ('9999_contract_later', %s)", [OWN]
        )
        cursor.execute("INSERT INTO django_migrations (app, name, applied) VALUES ('games', %s, now())", [OWN])


@pytest.mark.django_db(transaction=True)
def test_the_first_look_leaves_no_connection_open(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checks, "INTERVAL", 3600.0)  # the thread waits for its first look
    monkeypatch.setattr(CLOCK, "look", CLOCK.look)
    DatabaseChecks().start()
    assert connection.connection is None


@pytest.mark.parametrize("change", [newer, older])
def test_nothing_is_resolved_while_the_schema_is_another_one(
    game: Game, maryam: Account, change: Callable[[], None]
) -> None:
    move = sent(game, 1, "claim 3")
    change()
    DATABASE_CHECKS.check()
    with pytest.raises(SchemaMismatch):
        resolve.resolve(game.pk, LATER)
    with pytest.raises(SchemaMismatch):
        resolve.resolve_waiting(LATER)
    with pytest.raises(SchemaMismatch):
        leave_game(game.pk, maryam, "api", LATER)
    again()
    DATABASE_CHECKS.check()
    resolve.resolve_waiting(LATER)
    move.refresh_from_db()
    assert (move.state, move.attempts) == (Move.State.APPLIED, 0)


def test_moves_are_resolved_where_a_newer_version_has_only_expanded_the_schema(
    game: Game, caplog: pytest.LogCaptureFixture
) -> None:
    move = sent(game, 1, "claim 3")
    newer("9999_later")
    DATABASE_CHECKS.check()
    resolve.resolve_waiting(LATER)
    move.refresh_from_db()
    assert move.state == Move.State.APPLIED
    assert "which goes on: this program lacks games.9999_later" in caplog.text
    assert "schema" in {sign.name for sign in health.signs(NOON, timedelta()) if sign.red}


def test_an_error_is_first_asked_for_another_schema_and_stalls_nothing_then(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent(game, 1, "claim 3")
    monkeypatch.setattr(DATABASE_CHECKS, "_started", True)
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE games_seat RENAME COLUMN spared TO spared_no_more")
    newer()
    with pytest.raises(SchemaMismatch):
        resolve.resolve(game.pk, LATER)
    assert not Stall.objects.exists()


def test_a_bell_does_nothing_then_and_the_heart_stands_still(game: Game, caplog: pytest.LogCaptureFixture) -> None:
    newer()
    DATABASE_CHECKS.check()
    tasks.tick()
    tasks.heartbeat()
    assert Heartbeat.objects.get().at == NOON
    assert "this program lacks games.9999_contract_later" in caplog.text


def test_health_says_so_of_this_process_and_of_others(game: Game) -> None:
    newer()
    DATABASE_CHECKS.check()
    assert [sign.name for sign in health.signs(NOON, timedelta())] == ["schema"]
    answer = Client().get("/healthz?strict")
    assert (answer.status_code, answer.json()["red"]) == (503, ["schema"])
    again()
    DATABASE_CHECKS.check()
    assert "schema" in {sign.name for sign in health.signs(NOON, timedelta()) if sign.red}
    cache.clear()
    assert "schema" not in {sign.name for sign in health.signs(NOON, timedelta()) if sign.red}


@pytest.mark.parametrize(("ahead", "red"), [(9, False), (11, True), (-90, True)])
def test_a_clock_that_differs_is_red_and_logged_and_the_databases_counts(
    game: Game, ahead: int, red: bool, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    from_now = timedelta(seconds=ahead)
    machine_clock = CLOCK._machine
    monkeypatch.setattr(CLOCK, "_machine", lambda: machine_clock() + from_now)
    DATABASE_CHECKS.check()
    assert abs(CLOCK.now() - machine_clock()) < timedelta(seconds=2)
    assert [sign.red for sign in health.signs(NOON, timedelta()) if sign.name == "clock"] == [red]
    assert ("the clock of" in caplog.text) == red
    monkeypatch.setattr(CLOCK, "_machine", machine_clock)
    assert [sign.red for sign in health.signs(NOON, timedelta()) if sign.name == "clock"] == [red]
