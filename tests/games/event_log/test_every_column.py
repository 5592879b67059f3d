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
from tests.games.finished import begun, finished
from tests.third_game.table import LATER, NOON, fresh

pytestmark = pytest.mark.django_db

COMPARED: Final[dict[str, set[str]]] = {
    "Game": {
        "id", "rules", "rules_version", "options", "seat_count", "bot_count", "chosen_bots", "terms", "private",
        "spectator_delay", "state", "seed", "commitment", "version", "draws", "head", "public_head", "shown",
        "beacon_round", "deal_list", "start_check_at", "paused_until", "created_at", "started_at", "ended_at",
        "counted", "arena",
    },
    "Seat": {
        "game", "number", "account", "bot", "level", "style", "seed", "seed_commitment", "missed", "spared", "away",
        "returning", "stand_in", "time_bank",
    },
    "Move": {
        "id", "game", "seat", "account", "question", "body", "via", "bot_version", "plan", "received_at", "asked_at",
        "state", "first_event", "last_event",
    },
    "OpenQuestion": {"game", "question", "seat", "kind", "reason", "asked_at", "bot"},
    "Snapshot": {"game", "law", "table", "state", "version"},
    "Event": {"game_id", "number", "body", "at", "via", "seat", "move_id", "draws", "shown"},
    "Result": {
        "game", "seat", "account", "bot", "won", "place", "team", "score", "asked", "in_time", "rating", "bluffs",
    },
    "PlayerStats": {
        "account", "rules", "games", "wins", "asked", "in_time", "mean", "doubt", "seat_count", "with_bots",
    },
    "ArenaStats": {"account", "rules", "games", "wins", "asked", "in_time", "mean", "doubt"},
    "StampedHead": {"game", "stamp", "head", "path"},
    "TimeStamp": {"root", "response"},
}  # fmt: skip
"""The columns that follow from the log, from moves or from results."""

NOT_DERIVABLE: Final[dict[str, dict[str, str]]] = {
    "Game": {
        "code": "it is drawn for the table, and removing a member from a club changes it",
        "club": "an account of people outside the log",
        "host": "the log names seats and never says who may begin",
        "guest_token": "it is drawn for the host, and ends with the start",
        "has_guests": "the log names seats and never says who has no account",
        "due_at": "deadlines follow from calendars of people, which are not in the log",
        "rematch": "the log of the new game does not name the old one",
        "outages_until": "outages of email are known to the mail queue alone",
        "stalled_since": "an error of the server, not of the game",
    },
    "Seat": {
        "id": "a number of the database",
        "name": "names of bots are no part of the log",
        "plan_count": "plans are secret, and are deleted when they are taken back",
    },
    "Move": {
        "text": "how a player wrote it; what was read of it is in the body",
        "seen_at": "a page notes it, and it is forgotten",
        "code": "a refused move is not in the log",
        "phrase": "a refused move is not in the log",
        "attempts": "errors of the server",
    },
    "OpenQuestion": {
        "due_at": "deadlines follow from calendars of people",
        "aimed": "it is a copy for queries; the audit asks the rules",
        "alone": "questions that were answered in the same moment are not told apart",
        "remind_at": "it follows from what a player prefers now",
        "reminders": "it follows from what a player prefers now",
        "planned_at": "plans are secret",
        "seen_at": "a page notes it",
        "why": "the reasons for a deadline",
    },
    "Snapshot": {"head": "a snapshot with another head is made again when it is read"},
    "Result": {"id": "a number of the database: the order in which games were counted"},
    "PlayerStats": {"id": "a number of the database"},
    "ArenaStats": {"id": "a number of the database"},
    "StampedHead": {"id": "a number of the database"},
    "TimeStamp": {"id": "a number of the database", "at": "the response holds it"},
}

OTHER_TABLES: Final[dict[str, str]] = {
    "Analysis": "opinions of a bot, which are made again",
    "AnswerTimes": "habits of people, renewed after each game",
    "ArchivedLog": "the log itself, which is read and compared as its lines",
    "ChatMessage": "words of people",
    "Club": "people outside of games",
    "ClubChannel": "people outside of games",
    "ClubHandle": "people outside of games",
    "FormerPlayer": "who sat on a seat before, as an account",
    "Heartbeat": "the clock of the server",
    "Invitation": "people outside of games",
    "Membership": "people outside of games",
    "Pairing": "rounds of tournaments, drawn again by games.tournaments.progress",
    "Plan": "secrets of players, which they may take back",
    "Presence": "who has a page open",
    "RematchAnswer": "what people agree on before the next game",
    "RematchOffer": "what people agree on before the next game",
    "Seek": "people who look for a game",
    "Stall": "errors of the server",
    "StandIn": "an agreement of two people; the log tells which seat has one",
    "TableChannel": "where a group reads along",
    "TableHandle": "where a group reads along",
    "Tournament": "checked by games.tournaments.progress",
    "TournamentEntry": "checked by games.tournaments.progress",
    "TournamentRound": "checked by games.tournaments.progress",
    "UnreadReply": "emails that were not read",
    "WaitingTime": "sums for statistics",
}


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
