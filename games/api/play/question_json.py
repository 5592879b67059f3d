"""The open questions of an account as JSON.

The content of an open question never changes. So each process caches the JSON, under a key with everything that its
words depend on, and reads a game only for a question that is not cached.
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
from games.api.shared.type_names import qualified_type, qualify
from games.engine import AnswerForm, NumberSlot, Slot
from games.play import questions
from games.play.questions import Asked, Put
from games.terms.speeds import LIMITS
from games.text.phrases import render_phrase


def of_account(account: Account, game: UUID | None = None) -> list[msgspec.Raw]:
    """Return the open questions of an account as JSON, in one game or in all, most urgent first."""
    put, kept = questions.put_to(account, game), caches["questions"]
    reader = (get_language(), account.time_zone)
    keys = [_key(each, reader) for each in put]
    known = kept.get_many(keys)
    new = questions.in_position([each for key, each in zip(keys, put, strict=True) if key not in known])
    new_serialized = {_key(each, reader): _serialize_question(each) for each in new}
    kept.set_many(new_serialized)
    serialized = known | new_serialized
    return [msgspec.Raw(serialized[key]) for key in keys if key in serialized]


def mark(account: Account, game: UUID | None = None) -> list[Any]:
    """Return a value that changes with the open questions of an account, in one game or in all."""
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
        {"number": answer.number, "text": answer.text, "move": _move(rules, answer.move), "label": answer.label}
        for answer in asked.answers()
    ]
    why, forms = [asdict(each) for each in asked.why()], [_form(form, asked) for form in asked.forms()]
    return msgspec.json.encode({**_row(asked), "why": why, "moves": moves, "forms": forms})


def _form(form: AnswerForm, asked: Asked) -> dict[str, Any]:
    """An answer that is filled in: its verb and, in order, what may stand behind it."""
    return {
        "type": qualified_type(asked.row.game.rules, form.verb),
        "label": render_phrase(form.title, asked.names),
        "slots": [_slot(name, slot, asked) for name, slot in form.named_slots],
    }


def _slot(name: str, slot: Slot | NumberSlot, asked: Asked) -> dict[str, Any]:
    """A slot; a list has words, a number has bounds, and what a slot has not is null."""
    said = {"name": name, "label": render_phrase(slot.label, asked.names)}
    if isinstance(slot, NumberSlot):
        return {**said, "lowest": slot.lowest, "highest": slot.highest, "choices": None, "least": None, "most": None}
    choices = [{"text": word, "label": render_phrase(meaning, asked.names)} for word, meaning in slot.choices]
    return {**said, "lowest": None, "highest": None, "choices": choices, "least": slot.least, "most": slot.most}


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
