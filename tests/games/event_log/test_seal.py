"""The published head of a running game's log binds the server, and reveals nothing."""

import base64
from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.db import connection

from accounts.models import Account
from games.announcements import notify
from games.engine import SPECTATOR, chain
from games.event_log import log_store
from games.models import Game
from games.refusals import Refusal
from games.tables.joining import join_game
from games.tables.new_game import NewGame, Seeding
from games.tables.starting import create_game as open_with
from games.visibility.shown_events import show_log
from notifications.models import Notification
from tests.games import seated
from tests.third_game.table import NOON, fresh

pytestmark = pytest.mark.django_db
OWN = "0f" * 32


def heads(game: Game) -> list[bytes]:
    return chain.heads(
        bytes(game.seed),
        game.commitment,
        log_store.contents_of(log_store.rules_of(game), log_store.read(game), game.moves.filter(state="applied")),
    )


def test_the_head_that_is_published_stops_before_an_answer_nobody_may_know_of(
    maryam: Account, sepideh: Account, bahareh: Account
) -> None:
    game = seated.begin([maryam, sepideh, bahareh], waiting="hidden")
    seated.play(game, "1 foreign-aid")
    before = fresh(game)
    assert bytes(before.public_head) == bytes(before.head) == heads(before)[-1]
    seated.play(game, "2 allow")
    during = fresh(game)
    assert during.version > before.version
    lengths = [
        len(show_log(log_store.rules_of(game_row), log_store.read(game_row), SPECTATOR))
        for game_row in (before, during)
    ]
    assert lengths[0] == lengths[1]
    assert bytes(during.public_head) == bytes(before.public_head)
    assert bytes(during.head) == heads(during)[-1]
    seated.play(game, "3 allow")
    after = fresh(game)
    assert bytes(after.public_head) == bytes(after.head) == heads(after)[-1]


def test_a_player_adds_a_seed_of_their_own_and_everybody_can_read_it(maryam: Account, bahareh: Account) -> None:
    game = open_with(maryam, NewGame(rules="coup", seat_count=2, seed=OWN), "api", NOON)
    game = join_game(game.id, bahareh, "", "api", NOON)
    first, second = (seat.seed for seat in game.seats.all())
    assert first == OWN
    assert len(bytes.fromhex(second)) == 32
    table = log_store.position(game).table
    assert table is not None
    assert table.seeds == (first, second)


@pytest.mark.parametrize("seed", ["0f", OWN.upper(), "zz" * 32, f"{OWN}\n"])
def test_a_seed_that_is_none_is_refused_and_nobody_is_seated(maryam: Account, bahareh: Account, seed: str) -> None:
    game = open_with(maryam, NewGame(rules="coup", seat_count=3), "api", NOON)
    with pytest.raises(Refusal, match="64 hexadecimal digits"):
        join_game(game.id, bahareh, "", "api", NOON, Seeding(seed))
    assert game.seats.count() == 1


def test_nothing_of_the_seed_is_anywhere_before_the_end(
    maryam: Account, bahareh: Account, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG")
    game = open_with(maryam, NewGame(rules="coup", seat_count=2, options={"two_player_setup": "dealt"}), "api", NOON)
    game = join_game(game.id, bahareh, "", "api", NOON)
    seated.play(game, f"{game.open_questions.get().seat} income")
    notify.write_due(NOON + timedelta(hours=2))
    seed = bytes(fresh(game).seed)
    secrets = [seed.hex(), base64.b64encode(seed).decode(), str(int.from_bytes(seed)), repr(seed)]
    seats = [seat for seat, text in everything_stored() if any(secret in text for secret in secrets)]
    assert seats == [("games_game", "seed")]
    assert Notification.objects.exclude(rendered=None).exists()
    assert not [secret for secret in secrets if secret in caplog.text]


def everything_stored() -> Iterator[tuple[tuple[str, str], str]]:
    """Every value of every row of the database, as text."""
    with connection.cursor() as cursor:
        tables = connection.introspection.table_names(cursor)
        for table in tables:
            cursor.execute(f'SELECT * FROM "{table}"')
            columns = [column.name for column in cursor.description]
            for row in cursor.fetchall():
                for column, value in zip(columns, row, strict=True):
                    yield (table, column), bytes(value).hex() if isinstance(value, bytes | memoryview) else str(value)
