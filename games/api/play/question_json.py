"""The questions that wait for an account, as the API shows them.

What an open question offers never changes. So each process keeps what it has told, under everything that its words
depend on, and looks into a game only for a question that it has not told before.
"""

import hashlib
from dataclasses import asdict
from typing import Any
from uuid import UUID

import msgspec
from django.core.cache import caches
from django.db.models import Case, When
from django.utils.translation import get_language

from accounts.models import Account
from games.api.shared.type_names import qualify
from games.play import questions
from games.play.questions import Asked, Put
from games.terms.speeds import LIMITS


def of_account(account: Account, game: UUID | None = None) -> list[msgspec.Raw]:
    """Return what this account is asked, in one game or in all, the most urgent first: each as JSON."""
    put, kept = questions.put_to(account, game), caches["questions"]
    reader = (get_language(), account.time_zone)
    keys = [_key(each, reader) for each in put]
    known = kept.get_many(keys)
    new = {key: each for key, each in zip(keys, put, strict=True) if key not in known}
    new_serialized = {
        key: _serialize_question(each) for key, each in zip(new, questions.in_position(list(new.values())), strict=True)
    }
    kept.set_many(new_serialized)
    serialized = known | new_serialized
    return [msgspec.Raw(serialized[key]) for key in keys]


def mark(account: Account, game: UUID | None = None) -> list[Any]:
    """Return what changes whenever an account is asked something else, in one game or in all."""
    rows = questions.rows_of(account, game).annotate(planned=Case(When(own=True, then="planned_at")))
    return list(rows.values_list("game_id", "question", "due_at", "planned"))


def _key(put: Put, reader: tuple[str | None, str]) -> str:
    """Two questions with the same key are told in the same words; ``reader``: language and time zone."""
    row, game = put.row, put.row.game
    lengths = [getattr(game.terms, name) for name in LIMITS]
    said = (*reader, game.rules, game.rules_version, lengths, put.names, row.why, row.own, _row(put))
    return hashlib.sha256(msgspec.json.encode(said)).hexdigest()


def _serialize_question(asked: Asked) -> bytes:
    rules = asked.row.game.rules
    moves = [
        {"number": each.number, "text": each.text, "move": _move(rules, each.move), "label": each.label}
        for each in asked.answers()
    ]
    return msgspec.json.encode({**_row(asked), "why": [asdict(each) for each in asked.why()], "moves": moves})


def _move(rules: str, move: Any) -> dict[str, Any]:
    """A move as the API writes it; the question stands beside it."""
    return qualify(rules, msgspec.to_builtins(msgspec.structs.replace(move, question="")))


def _row(put: Put) -> dict[str, Any]:
    row = put.row
    return {
        "id": row.question,
        "game": row.game_id,
        "seat": row.seat,
        "kind": row.kind,
        "reason": row.reason,
        "asked_at": row.asked_at,
        "due_at": row.due_at,
        "planned_at": row.planned_at if getattr(row, "own", False) else None,
    }
