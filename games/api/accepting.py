"""Moves that are plain in every respect are accepted by one statement, however many they are.

It looks up their senders' tokens, takes from the tokens' allowances, and finds the seats. A move for which any of that
is not to be had is not accepted, and nothing is changed for it.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from uuid import UUID

import msgspec

from accounts import allowances
from accounts.models import Account
from accounts.scopes import Scope
from accounts.tokens import HOLDS, LAST_USE
from games.models import Move
from games.play.submit import NOT_ON
from notifications.rows import Shape, array, find, new


@dataclass(frozen=True)
class Plain:
    """A move as it came, of which neither sender nor seat is known yet."""

    id: UUID
    game: UUID
    received_at: datetime
    said: Mapping[str, str | None]
    """What it says: its ``question``, and its ``text`` or ``body``."""
    digest: str
    """What is kept of the token that was shown."""
    rules: Collection[str] | None
    """Of which rules it can be a move, each with its version; None: of any."""


@dataclass(frozen=True)
class Accepted:
    """What is known of a move that is."""

    account: Account
    move: Move
    balance: allowances.Balance


_ACCOUNTS: Final = Shape.of(Account)
_ACCEPT: Final = f"""
    WITH sent AS ({{sent}}), known AS (
        SELECT {_ACCOUNTS.columns("account")}, token.public_id AS token, seat.number AS seat, sent.move
        FROM sent
        JOIN accounts_token AS token ON token.digest = sent.digest
        JOIN accounts_account AS account ON account.id = token.user_id
        JOIN games_seat AS seat ON seat.game_id = sent.game AND seat.account_id = account.id
        JOIN games_game AS game ON game.id = sent.game
        WHERE {HOLDS} AND token.last_used_at >= %(used)s AND %(scope)s = ANY(token.scopes)
            AND NOT game.state = ANY(%(not_on)s::text[])
            AND (sent.rules IS NULL OR concat(game.rules, ':', game.rules_version) = ANY(sent.rules))
    ), taken AS ({
    allowances.TAKE_FOR.format(who="SELECT %(of_token)s || token, %(now)s + %(each)s FROM known ORDER BY token")
}) {{stored}}
    SELECT known.*, taken.full_at FROM known JOIN taken ON taken.key = %(of_token)s || known.token
"""
"""Accepts moves of those who show tokens that may play, have been used of late, and are of players at the tables.

Allowances are taken in their order, lest two who take several wait for each other.
"""
_ALL: Final = _ACCEPT.format(
    sent="SELECT * FROM json_to_recordset(%(sent)s::json) AS sent (move uuid, game uuid, digest text, rules text[])",
    stored="",
)
_STORE: Final = _ACCEPT.format(
    sent="SELECT %(id)s AS move, %(game)s AS game, %(digest)s AS digest, %(rules)s::text[] AS rules",
    stored=""", stored AS (
        INSERT INTO games_move (
            id, game_id, seat, account_id, question, text, body, via, received_at, state, code, attempts
        )
        SELECT %(id)s, %(game)s, seat, known.id, %(question)s, %(text)s::text, %(body)s::text, 'api', %(now)s,
            'received', '', 0
        FROM known, taken
    )""",
)


def store(plain: Plain) -> Accepted | None:
    """Store a move; None where it is not accepted: then nothing has changed."""
    now = plain.received_at
    values = {
        "id": plain.id,
        "game": plain.game,
        "digest": plain.digest,
        "rules": plain.rules and array(plain.rules),
        **{name: plain.said.get(name) for name in ("question", "text", "body")},
    }
    accepted = next(_accepted([plain], now, find(_STORE, {**values, **_terms(now)})), None)
    if accepted is not None:
        accepted.move._state.adding = False
    return accepted


def accept(sent: Collection[Plain], now: datetime) -> Iterator[Accepted]:
    """Accept moves, no two of one token; gives those that are, in any order: they are not stored yet.

    The statement is sent now, and waited for when somebody looks.
    """
    listed = [{"move": each.id, "game": each.game, "digest": each.digest, "rules": each.rules} for each in sent]
    return _accepted(sent, now, find(_ALL, {"sent": msgspec.json.encode(listed).decode(), **_terms(now)}))


def _terms(now: datetime) -> dict[str, Any]:
    return {
        **allowances.values_of(allowances.of_tokens(), now),
        "used": now - LAST_USE,
        "scope": Scope.GAMES_PLAY,
        "not_on": array(NOT_ON),
        "of_token": allowances.OF_TOKEN,
    }


def _accepted(sent: Collection[Plain], now: datetime, rows: Iterator[Any]) -> Iterator[Accepted]:
    policy, by_id = allowances.of_tokens(), {each.id: each for each in sent}
    for row in rows:
        account = _ACCOUNTS.made(row)
        *_, seat, move, full_at = row
        yield Accepted(account, _move(by_id[move], account, seat), allowances.balance_of(policy, full_at, now))


def _move(plain: Plain, account: Account, seat: int) -> Move:
    return new(
        Move,
        id=plain.id,
        game_id=plain.game,
        seat=seat,
        account_id=account.pk,
        via=Move.Via.API,
        received_at=plain.received_at,
        **plain.said,
    )
