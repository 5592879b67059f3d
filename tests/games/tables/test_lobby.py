"""Creating a game, joining and leaving it, and beginning the game."""

import uuid
from datetime import timedelta
from typing import Any

import pytest

from accounts.models import Account
from games.archive import game_audit
from games.event_log import log_store
from games.event_log.table_events import GameCreated
from games.models import Bot, Game, commitment_of, new_code
from games.tables.joining import join_game, leave_game
from games.tables.new_game import NewGame, check_schedule
from games.tables.starting import create_game, start_game
from games.terms import WEEKDAYS, Schedule
from tests.examples import for_each
from tests.games.seated import refused
from tests.third_game.table import LATER, NOON, create_fist, fresh, with_fist

pytestmark = pytest.mark.django_db
__all__ = ["with_fist"]


def test_the_commitment_is_made_when_the_table_opens(maryam: Account) -> None:
    game = create_fist(maryam, seat_count=3)
    assert game.state == Game.State.OPEN
    opened = log_store.read(game)[0].event
    assert isinstance(opened, GameCreated)
    assert opened.commitment == game.commitment == commitment_of(game.id, bytes(game.seed))
    assert len(bytes(game.seed)) == 32


def test_no_two_tables_share_a_seed_or_a_code(maryam: Account) -> None:
    first, second = create_fist(maryam, seat_count=3), create_fist(maryam, seat_count=3)
    assert bytes(first.seed) != bytes(second.seed)
    assert first.code != second.code


@for_each(
    "options, field",
    [
        ({"rules": "chess"}, "rules"),
        ({"seat_count": 1}, "seat_count"),
        ({"seat_count": 9}, "seat_count"),
        ({"bots": (Bot(),) * 3}, "bots"),
        ({"turn_limit": timedelta(seconds=59)}, "turn_limit"),
        ({"reaction_limit": timedelta(days=31)}, "reaction_limit"),
        ({"options": {"lowest": 1}}, "options"),
        ({"options": {"highest": "six"}}, "options"),
        ({"options": {"previous_winners": [1]}}, "options.previous_winners"),
        ({"rules": "coup", "options": {"starting_player": 9}}, "options"),
    ],
    undone=True,
)
def test_what_cannot_be_chosen_is_named_and_nothing_is_made(
    maryam: Account, options: dict[str, Any], field: str
) -> None:
    new_game = NewGame(**{"rules": "fist", "seat_count": 3, **options})
    assert refused("malformed", create_game, maryam, new_game, "api", NOON).field == field
    assert not Game.objects.exists()


def test_a_table_begins_when_its_last_seat_is_taken(maryam: Account, bahareh: Account, dariush: Account) -> None:
    game = create_fist(maryam, bahareh, seat_count=3)
    assert game.state == Game.State.OPEN
    game = join_game(game.id, dariush, "", "api", LATER)
    assert (game.state, game.started_at) == (Game.State.RUNNING, LATER)
    assert list(game.names().values()) == ["Maryam", "Bahareh", "Dariush"]
    refused("conflict", leave_game, game.id, dariush, "api", LATER)


def test_the_host_begins_once_the_least_number_sits(maryam: Account, bahareh: Account, dariush: Account) -> None:
    game = create_fist(maryam, seat_count=4)
    refused("conflict", start_game, game.id, maryam, LATER)
    join_game(game.id, bahareh, "", "api", LATER)
    refused("forbidden", start_game, game.id, bahareh, LATER)
    refused("forbidden", start_game, game.id, dariush, LATER)
    game = start_game(game.id, maryam, LATER)
    assert (game.state, game.seat_count) == (Game.State.RUNNING, 2)
    assert game_audit.find_faults(fresh(game)) == []
    refused("conflict", start_game, game.id, maryam, LATER)


def test_the_host_may_begin_with_bots_alone(maryam: Account) -> None:
    game = create_fist(maryam, seat_count=4, bots=2)
    game = start_game(game.id, maryam, LATER)
    assert [seat.bot for seat in game.seats.all()] == [False, True, True]


def test_nobody_sits_twice(maryam: Account) -> None:
    game = create_fist(maryam, seat_count=3)
    refused("conflict", join_game, game.id, maryam, game.code, "api", LATER)


def test_a_private_table_is_joined_by_its_code_only(maryam: Account, bahareh: Account) -> None:
    game = create_fist(maryam, seat_count=3, private=True)
    missing = refused("not-found", join_game, uuid.uuid4(), bahareh, game.code, "api", LATER)
    wrong = refused("not-found", join_game, game.id, bahareh, "", "api", LATER)
    assert wrong.phrase == missing.phrase
    refused("not-found", leave_game, game.id, bahareh, "api", LATER)
    refused("not-found", start_game, game.id, bahareh, LATER)
    assert join_game(game.id, bahareh, f" {game.code.upper()} ", "api", LATER).seats.count() == 2


def test_who_leaves_makes_room_and_those_behind_move_up(maryam: Account, bahareh: Account, dariush: Account) -> None:
    game = create_fist(maryam, bahareh, dariush, seat_count=4)
    leave_game(game.id, bahareh, "api", LATER)
    assert fresh(game).names() == {1: "Maryam", 2: "Dariush"}
    join_game(game.id, bahareh, "", "api", LATER)
    assert fresh(game).names() == {1: "Maryam", 2: "Dariush", 3: "Bahareh"}
    assert game_audit.find_faults(fresh(game)) == []


def test_a_host_who_leaves_hands_the_table_on_and_the_last_gives_it_up(maryam: Account, bahareh: Account) -> None:
    game = create_fist(maryam, bahareh, seat_count=4)
    assert leave_game(game.id, maryam, "api", LATER).host == bahareh
    game = leave_game(game.id, bahareh, "api", LATER)
    assert (game.state, game.host) == (Game.State.CANCELLED, None)
    assert fresh(game).commitment
    assert game_audit.find_faults(fresh(game)) == []
    refused("conflict", join_game, game.id, maryam, "", "api", LATER)


def test_bots_are_never_called_like_a_player(maryam: Account) -> None:
    Account.objects.filter(pk=maryam.pk).update(name="jazari")
    maryam.refresh_from_db()
    game = create_fist(maryam, bots=3)
    assert "Jazari" not in game.names().values()


def test_bots_have_persian_names_where_all_people_read_persian(sepideh: Account, maryam: Account) -> None:
    assert (sepideh.language, maryam.language) == ("fa", "en")
    assert [*create_fist(sepideh, bots=2).names().values()] == ["سپیده", "جزری", "هرون"]
    mixed = create_fist(sepideh, maryam, seat_count=3, bots=1)
    assert [*mixed.names().values()] == ["سپیده", "Maryam", "Jazari"]


def test_a_code_begins_with_a_letter_so_that_it_keeps_its_place_beside_persian_words() -> None:
    """D6: a subject reads the same in a left-to-right inbox."""
    codes = [new_code() for _ in range(500)]
    assert all(code[0].isalpha() and len(code) == 12 for code in codes)
    assert len(set(codes)) == 500


@pytest.mark.parametrize(("field", "value"), [("days_off", WEEKDAYS), ("sleep", 13), ("vacation", -1)])
def test_a_schedule_that_cannot_be_is_refused(field: str, value: Any) -> None:
    """Pages and emails have no serializer that checks these values first."""
    check_schedule(Schedule())
    assert refused("malformed", check_schedule, Schedule(**{field: value})).field == f"schedule.{field}"
