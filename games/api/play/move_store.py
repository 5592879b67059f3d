"""Moves that are plain in every respect, stored in one statement, however many they are.

It looks up the senders' tokens, takes from their accounts' allowances, finds the seats and stores the moves. Where any
of that is missing for a move, nothing is changed for it.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final
from uuid import UUID

import msgspec
from django.db import OperationalError

from accounts.limits import rate_limits
from accounts.models import Account
from accounts.tokens.scopes import Scope
from accounts.tokens.tokens import HOLDS, LAST_USE
from config.database import database_clock, time_limits
from config.database.rows import Shape, array, find, new
from games.api.play.batcher import GATHERING, Batcher, Brought
from games.models import Move
from games.play.submit import NOT_ON

_PATIENCE: Final = timedelta(milliseconds=250)
"""The time a move waits for the statement that stores others."""


@dataclass(frozen=True)
class Plain:
    """A move as it came, of which neither sender nor seat is known yet."""

    id: UUID
    game: UUID
    received_at: datetime
    said: Mapping[str, str | None]
    """The content of the move: its ``question``, and its ``text`` or ``body``."""
    digest: str
    """The digest of the token that was shown."""
    rules: Collection[str]
    """Of which rules it can be a move, each with its version."""


@dataclass(frozen=True)
class Stored:
    """A move that is stored."""

    account: Account
    move: Move
    balance: rate_limits.Balance


@dataclass(eq=False)
class _ToStore(Brought):
    """A move, and what has come of it."""

    plain: Plain
    tried: bool = False
    """It is known whether the move could be stored."""
    stored: Stored | None = None


_ACCOUNTS: Final = Shape.of(Account)
_STORE: Final = f"""
    WITH sent AS (
        SELECT * FROM json_to_recordset(%(sent)s::json) AS sent (
            move uuid, game uuid, question text, wording text, body text, received_at timestamptz, digest text,
            rules text[]
        )
    ), known AS (
        SELECT {_ACCOUNTS.columns("account")}, %(of_account)s || account.id AS key, seat.number AS seat, sent.move
        FROM sent
        JOIN accounts_token AS token ON token.digest = sent.digest
        JOIN accounts_account AS account ON account.id = token.user_id
        JOIN games_seat AS seat ON seat.game_id = sent.game AND seat.account_id = account.id
        JOIN games_game AS game ON game.id = sent.game
        WHERE {HOLDS} AND token.last_used_at >= %(used)s AND %(scope)s = ANY(token.scopes)
            AND NOT game.state = ANY(%(not_on)s::text[])
            AND concat(game.rules, ':', game.rules_version) = ANY(sent.rules)
    ), taken AS ({rate_limits.TAKE_FOR_KNOWN}
    ), stored AS (
        INSERT INTO games_move (
            id, game_id, seat, account_id, question, text, body, via, received_at, state, code, attempts
        )
        SELECT move, game, seat, known.id, question, wording, body, 'api', received_at, 'received', '', 0
        FROM known JOIN sent USING (move) JOIN taken USING (key)
        ON CONFLICT DO NOTHING
    )
    SELECT known.*, taken.full_at FROM known JOIN taken USING (key)
"""
"""Stores the moves of those who show tokens that may play, have been used of late, and are of players at the tables.

One that is stored already is so no second time: whoever stored it may not have heard that it was.
"""


class StoreQueue(Batcher[_ToStore]):
    """Stores moves of several threads together, in one statement.

    Where that statement fails, each of its moves is stored alone. So is a move for which the statement before takes
    longer than ``patience``.
    """

    def __init__(self, patience: timedelta = _PATIENCE, gathering: timedelta = GATHERING) -> None:
        super().__init__(gathering)
        self._patience = patience

    def store(self, plain: Plain) -> Stored | None:
        """Store a move; None where that was not done: then nothing has changed."""
        brought = _ToStore(plain)
        self._bring(brought, self._patience)
        if not brought.taken:
            return store(plain, database_clock.now())
        with self._changed, time_limits.counted():
            self._changed.wait_for(lambda: brought.done)
        if brought.tried:
            return brought.stored
        try:
            return store(plain, database_clock.now())
        except OperationalError:
            if brought.error is None or time_limits.is_unsent(brought.error):
                raise
            # Without a cause, which would tell that nothing was sent: the statement before may have stored the move.
            raise OperationalError("the move may have been stored with others") from None

    def do(self, taken: Sequence[_ToStore]) -> None:
        """Store these moves."""
        stored = {each.move.id: each for each in store_all([each.plain for each in taken], database_clock.now())}
        for each in taken:
            each.stored, each.tried = stored.get(each.plain.id), True


def store(plain: Plain, now: datetime) -> Stored | None:
    """Store a move; None where that was not done: then nothing has changed."""
    return next(store_all([plain], now), None)


def store_all(sent: Collection[Plain], now: datetime) -> Iterator[Stored]:
    """Store moves; gives those that are, in any order. Of one account all are stored, or none."""
    rows = msgspec.json.encode([_row(each) for each in sent]).decode()
    return _stored(sent, now, find(_STORE, {"sent": rows, **_terms(now)}))


def _row(plain: Plain) -> dict[str, Any]:
    """Return what the statement is told of a move."""
    return {
        "move": plain.id,
        "game": plain.game,
        "question": plain.said["question"],
        "wording": plain.said.get("text"),
        "body": plain.said.get("body"),
        "received_at": plain.received_at,
        "digest": plain.digest,
        "rules": plain.rules,
    }


def _terms(now: datetime) -> dict[str, Any]:
    return {
        **rate_limits.sql_values(rate_limits.account_policy(), now),
        "used": now - LAST_USE,
        "scope": Scope.GAMES_PLAY,
        "not_on": array(NOT_ON),
        "of_account": rate_limits.OF_ACCOUNT,
    }


def _stored(sent: Collection[Plain], now: datetime, rows: Iterator[Any]) -> Iterator[Stored]:
    policy, by_id = rate_limits.account_policy(), {each.id: each for each in sent}
    for row in rows:
        account = _ACCOUNTS.made(row)
        *_, seat, move, full_at = row
        yield Stored(account, _move(by_id[move], account, seat), rate_limits.balance_of(policy, full_at, now))


def _move(plain: Plain, account: Account, seat: int) -> Move:
    move = new(
        Move,
        id=plain.id,
        game_id=plain.game,
        seat=seat,
        account_id=account.pk,
        via=Move.Via.API,
        received_at=plain.received_at,
        **plain.said,
    )
    # The statement has inserted the row, as Model.save would note: else ``write_moves`` would insert it again.
    move._state.adding = False
    return move
