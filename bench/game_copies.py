"""Games for measurements: one is created as the server does it, and copied a thousand times by SQL."""

import uuid
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

from django.db import connection

from accounts.models import Account
from games.models import Game
from games.play.locked_game import LockedGame, lock_game
from games.tables.joining import join_game
from games.tables.new_game import NewGame
from games.tables.starting import create_game

SEATS: Final = 4
LONG: Final = timedelta(days=30)


def cast(count: int, now: datetime) -> list[int]:
    """Create accounts, and return their ids."""
    first = Account.objects.create_user("bench-0@example.org", name="Bench 0")
    with connection.cursor() as cursor:
        cursor.execute(
            _copy_statement(
                "accounts_account",
                {
                    "email": "'bench-' || seq || '@example.org'",
                    "name": "'Bench ' || seq",
                    "folded_name": "'bench' || seq",
                    "skeleton": "'bench' || seq",
                },
                "generate_series(1, %s) AS seq WHERE row.id = %s",
                drop=("id",),
            ),
            [count - 1, first.pk],
        )
    return list(Account.objects.filter(email__startswith="bench-").order_by("pk").values_list("pk", flat=True))


def model(people: Sequence[int], now: datetime, events: int = 20) -> Game:
    """Return a game of Coup for four with at least ``events`` lines in its log, at the turn of the first seat."""
    accounts = list(Account.objects.filter(pk__in=people[:SEATS]))
    new_game = NewGame(
        rules="coup", seat_count=SEATS, options={"starting_player": 1}, turn_limit=LONG, reaction_limit=LONG
    )
    game = create_game(accounts[0], new_game, "api", now)
    for other in accounts[1:]:
        game = join_game(game.id, other, game.code, "api", now)
    with lock_game(game.id, now) as locked:
        assert locked is not None
        while locked.position.version < events or not _turn_of_first(locked):
            _exchange(locked)
    return Game.objects.get(pk=game.pk)


def _turn_of_first(locked: LockedGame) -> bool:
    return [(question.kind, question.seat) for question in locked.rules.questions(locked.state)] == [("turn", 1)]


def _exchange(locked: LockedGame) -> None:
    """Play a move after which the game can go on for ever: an exchange that is not challenged."""
    rules, question = locked.rules, locked.rules.questions(locked.state)[0]
    move_type = {"turn": "exchange", "challenge": "allow"}.get(question.kind)
    moves = rules.legal_moves(locked.state, question)
    move = next((move for move in moves if rules.text(move) == move_type), moves[0])
    chance = locked.chance()
    locked.apply_events(rules.decide(locked.state, question.seat, move, chance), chance)


def copies(game: Game, count: int, people: Sequence[int], *, bare: bool = False) -> list[uuid.UUID]:
    """Copy a game ``count`` times with different players, and return the ids of the copies.

    ``bare``: copy only the rows of games and open questions, which is enough for games that no test opens.
    """
    with connection.cursor() as cursor:
        cursor.execute("DROP TABLE IF EXISTS bench_copy")
        cursor.execute(
            "CREATE TEMPORARY TABLE bench_copy AS"
            " SELECT gen_random_uuid() AS copy, n FROM generate_series(0, %s - 1) AS n",
            [count],
        )
        source = "bench_copy AS seq WHERE row.{} = %s"
        cursor.execute(
            _copy_statement(
                "games_game",
                {
                    "id": "seq.copy",
                    "code": "substr(seq.copy::text, 25, 12)",
                    "host_id": "(%s::bigint[])[1 + (4 * seq.n) %% %s]",
                },
                source.format("id"),
            ),
            [list(people), len(people), game.id],
        )
        for name in ("games_openquestion",) if bare else ("games_event", "games_snapshot", "games_openquestion"):
            cursor.execute(_copy_statement(name, {"game_id": "seq.copy"}, source.format("game_id")), [game.id])
        if not bare:
            cursor.execute(
                _copy_statement(
                    "games_seat",
                    {
                        "game_id": "seq.copy",
                        "account_id": "CASE WHEN NOT row.bot"
                        " THEN (%s::bigint[])[1 + (4 * seq.n + row.number) %% %s] END",
                    },
                    source.format("game_id"),
                    drop=("id",),
                ),
                [list(people), len(people), game.id],
            )
        cursor.execute("SELECT copy FROM bench_copy ORDER BY n")
        ids = [row[0] for row in cursor.fetchall()]
        cursor.execute("ANALYZE")
    return ids


def _copy_statement(name: str, changed: dict[str, str], source: str, drop: Sequence[str] = ()) -> str:
    """Return a statement that copies rows of a table.

    ``changed`` has SQL expressions for some columns. The columns in ``drop`` are left to the database.
    """
    with connection.cursor() as cursor:
        columns = [column.name for column in connection.introspection.get_table_description(cursor, name)]
    columns = [column for column in columns if column not in drop]
    listed = ", ".join(f'"{column}"' for column in columns)
    values = ", ".join(changed.get(column, f'row."{column}"') for column in columns)
    return f"INSERT INTO {name} ({listed}) SELECT {values} FROM {name} AS row CROSS JOIN {source}"


def store_moves(games: Sequence[uuid.UUID], seat: int, question: str, move: str, now: datetime) -> None:
    """Store an unresolved move of the same seat for each of the games."""
    with connection.cursor() as cursor:
        cursor.execute(
            """
            INSERT INTO games_move
                (id, game_id, seat, account_id, question, body, via, received_at, state, code, attempts)
            SELECT gen_random_uuid(), game_id, number, account_id, %s, %s, 'api', %s, 'received', '', 0
            FROM games_seat WHERE game_id = ANY(%s) AND number = %s
            """,
            [question, move, now, list(games), seat],
        )


def open_question(game: uuid.UUID, seat: int) -> str:
    """Return the id of the open question of a seat."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT question FROM games_openquestion WHERE game_id = %s AND seat = %s", [game, seat])
        return str(cursor.fetchone()[0])


def income() -> str:
    """Return the move "income" as JSON."""
    return '{"type":"income"}'
