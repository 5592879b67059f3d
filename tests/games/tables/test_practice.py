"""Practice games: a game that goes on from a moment of a finished one, with bots in the other seats."""

import pytest
from django.db import connection

from accounts.models import Account
from games.archive import game_audit, ratings, records
from games.engine import SPECTATOR
from games.event_log import log_store
from games.event_log.log_store import events_of
from games.models import Event, Game, PlayerStats, Result
from games.play import bots
from games.refusals import Refusal
from games.tables.practice import create_practice
from games.visibility.access import access_to_game
from games.visibility.player_view import PlayerView
from tests.games.seated import NOON, begin, play
from tests.third_game.table import LATER

pytestmark = pytest.mark.django_db
DUEL = ["contessa", "duke", "captain", "assassin"]


@pytest.fixture
def game(maryam: Account, sepideh: Account) -> Game:
    """Maryam, who holds contessa and duke, has won against Sepideh, who resigned after a bluff."""
    game = begin([maryam, sepideh], DUEL, two_player_setup="dealt")
    play(game, "1 tax", "2 allow", "2 tax", "1 allow", "1 income", "2 resign yes")
    return Game.objects.get(pk=game.pk)


def line_before(game: Game, moves: int) -> int:
    """The number of the last line of the log before a move, of which there were some before."""
    ids = list(dict.fromkeys(line.move for line in log_store.read(game) if line.move))
    return next(line.number for line in log_store.read(game) if line.move == ids[moves]) - 1


def practice(game: Game, account: Account, moves: int, seat: int) -> Game:
    """The practice game in which this seat decides again after some moves."""
    created = create_practice(game, line_before(game, moves), seat, account, "page", NOON)
    return Game.objects.get(pk=created.pk)


def test_the_player_decides_again_in_the_same_position_against_bots(game: Game, bahareh: Account) -> None:
    again = practice(game, bahareh, 2, 2)
    assert (again.state, again.private, again.host_id) == (Game.State.RUNNING, True, bahareh.pk)
    assert [(seat.bot, seat.account_id) for seat in again.seats.all()] == [(True, None), (False, bahareh.pk)]
    copied = log_store.read(game)[: line_before(game, 2)]
    assert events_of(log_store.read(again)) == events_of(copied)
    [question] = again.open_questions.all()
    assert (question.seat, question.kind, question.bot) == (2, "turn", False)
    assert bytes(again.seed) != bytes(game.seed)


def test_the_bots_answer_and_the_game_is_played_to_its_end(game: Game, bahareh: Account) -> None:
    again = practice(game, bahareh, 2, 2)
    play(again, "2 income")
    bots.play(again.pk, NOON)
    assert again.moves.filter(seat=1, via="bot").exists()
    play(again, "2 resign yes")
    again.refresh_from_db()
    assert again.state == Game.State.OVER
    assert game_audit.find_faults(again) == []


def test_the_bot_knows_only_the_cards_of_its_seat(game: Game, bahareh: Account) -> None:
    again = practice(game, bahareh, 2, 2)
    view = PlayerView(again, None, None, SPECTATOR)
    hands = " ".join(map(str, view.rules.words.hands(view.rules.view(view.state, 1))))
    assert "contessa" in hands
    assert "assassin" not in hands
    with pytest.raises(Refusal, match="not-found"):
        access_to_game(None, again.pk)


def test_a_practice_game_counts_for_nobody(game: Game, bahareh: Account) -> None:
    ratings.count_all(LATER)
    before = [*PlayerStats.objects.order_by("id").values()]
    again = practice(game, bahareh, 2, 2)
    play(again, "2 resign yes")
    ratings.count_all(LATER)
    again.refresh_from_db()
    assert again.counted
    assert not Result.objects.filter(game=again).exists()
    assert [*PlayerStats.objects.order_by("id").values()] == before
    assert game_audit.find_faults(again) == []


def test_an_audit_compares_the_beginning_with_the_finished_game(game: Game, maryam: Account, bahareh: Account) -> None:
    again = practice(game, bahareh, 2, 2)
    assert game_audit.find_faults(again) == []
    other = begin([maryam, bahareh], ["contessa", "duke", "duke", "assassin"], two_player_setup="dealt")
    rows = Event.objects.filter(game_id=again.pk, body__contains="table.position-copied")
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE games_event DISABLE TRIGGER games_event_only_grows")
        rows.update(body=rows.get().body.replace(str(game.pk), str(other.pk)))
    assert f"are not those of the game {other.pk}" in " ".join(game_audit.find_faults(again))


def test_a_practice_game_has_no_record_to_check(game: Game, bahareh: Account) -> None:
    again = practice(game, bahareh, 2, 2)
    play(again, "2 resign yes")
    with pytest.raises(Refusal, match="conflict"):
        records.export_record(Game.objects.get(pk=again.pk))


def test_only_who_had_to_decide_at_that_moment_decides_again(game: Game, bahareh: Account) -> None:
    running = begin([bahareh, None], DUEL, two_player_setup="dealt")
    for source, line, seat, code in (
        (game, line_before(game, 2), 1, "conflict"),
        (game, line_before(game, 2), 3, "conflict"),
        (game, 1, 1, "conflict"),
        (game, game.version, 1, "conflict"),
        (game, 0, 1, "not-found"),
        (game, game.version + 1, 1, "not-found"),
        (Game.objects.get(pk=running.pk), 5, 1, "conflict"),
    ):
        with pytest.raises(Refusal, match=code):
            create_practice(source, line, seat, bahareh, "page", NOON)
    assert Game.objects.count() == 2
