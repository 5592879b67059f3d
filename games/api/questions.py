"""The open questions of an account as JSON.

The content of an open question never changes. So each process caches the JSON and reads a game only for a question that
is not cached. The key of the cache contains everything that the words depend on.
"""

import hashlib
from dataclasses import asdict
from typing import Any, ClassVar
from uuid import UUID

import msgspec
from django.core.cache import caches
from django.db.models import Case, When
from django.http.response import HttpResponseBase
from django.utils.translation import get_language
from drf_spectacular.utils import OpenApiParameter, extend_schema

from accounts.models import Account
from accounts.tokens import Scope
from accounts.web.api_view import AccountApiView
from accounts.web.pagination import KeysetPagination
from accounts.web.requests import AccountRequest
from games.api.shared.problems import refusals_as_problems
from games.api.shared.responses import IF_NONE_MATCH, long_poll
from games.api.shared.schema import qualified_type, qualify
from games.api.shared.serializers import QuestionSerializer
from games.engine import AnswerForm, NumberSlot, Slot
from games.models import Game
from games.phrases import render_phrase
from games.play import questions
from games.play.questions import OpenQuestionRow, PositionedQuestion
from games.terms import LIMITS
from games.visibility.access import access_without_seats

WAIT_FOR_NEWS = OpenApiParameter(
    "Prefer",
    str,
    OpenApiParameter.HEADER,
    description="`wait=N`: if there is nothing new, wait for it for up to N seconds, 10 at most.",
)


class Questions(AccountApiView):
    pagination_class = KeysetPagination
    required_scopes: ClassVar = {"GET": Scope.GAMES_READ}

    @extend_schema(
        operation_id="list_questions",
        tags=["play"],
        responses={200: QuestionSerializer(many=True), 304: None},
        parameters=[IF_NONE_MATCH, WAIT_FOR_NEWS],
    )
    def get(self, request: AccountRequest) -> HttpResponseBase:
        """List your open questions, most urgent first, with the possible answers.

        With `Prefer: wait=N` the request waits until the list differs from the one of `If-None-Match`; without an ETag,
        until there is a question. 304 after that time without a change.
        """
        account = request.user
        return long_poll(request, lambda: open_questions_json(account), lambda: questions_marker(account))


class GameQuestions(AccountApiView):
    pagination_class = KeysetPagination
    required_scopes: ClassVar = {"GET": Scope.GAMES_READ}

    @extend_schema(
        operation_id="list_game_questions",
        tags=["play"],
        responses={200: QuestionSerializer(many=True), 304: None},
        parameters=[IF_NONE_MATCH, WAIT_FOR_NEWS],
    )
    def get(self, request: AccountRequest, game: UUID) -> HttpResponseBase:
        """List what this game asks you, with the answers it offers. It waits for a new question as `questions/`
        does, but not once the game is over."""
        account = request.user

        def get_marker() -> list[Any] | None:
            return questions_marker(account, game) or (None if has_ended(game) else [])

        with refusals_as_problems():
            access_without_seats(account, game)
            return long_poll(request, lambda: open_questions_json(account, game), get_marker)


def has_ended(game: UUID) -> bool:
    """Return whether no question of a game can follow."""
    return Game.objects.filter(pk=game, state__in=(Game.State.OVER, Game.State.CANCELLED)).exists()


def open_questions_json(account: Account, game: UUID | None = None) -> list[msgspec.Raw]:
    """Return the open questions of an account as JSON, in one game or in all, most urgent first."""
    rows, cache = questions.question_rows(account, game), caches["questions"]
    reader = (get_language(), account.time_zone)
    keys = [_key(row, reader) for row in rows]
    cached = cache.get_many(keys)
    new = questions.add_positions([row for key, row in zip(keys, rows, strict=True) if key not in cached])
    fresh = {_key(row, reader): _serialize_question(row) for row in new}
    cache.set_many(fresh)
    serialized = cached | fresh
    return [msgspec.Raw(serialized[key]) for key in keys if key in serialized]


def questions_marker(account: Account, game: UUID | None = None) -> list[Any]:
    """Return a value that changes with the open questions of an account, in one game or in all."""
    rows = questions.question_queryset(account, game).annotate(planned=Case(When(own=True, then="planned_at")))
    return list(rows.values_list("game_id", "question", "due_at", "planned"))


def _key(question: OpenQuestionRow, reader: tuple[str | None, str]) -> str:
    """Return the cache key of a question for a reader, which is a language and a time zone."""
    row, game = question.row, question.row.game
    lengths = [getattr(game.terms, name) for name in LIMITS]
    parts = (*reader, game.rules, game.rules_version, lengths, question.names, row.why, row.own, _row(question))
    return hashlib.sha256(msgspec.json.encode(parts)).hexdigest()


def _serialize_question(question: PositionedQuestion) -> bytes:
    rules = question.row.game.rules
    moves = [
        {"number": answer.number, "text": answer.text, "move": _move(rules, answer.move), "label": answer.label}
        for answer in question.answers()
    ]
    why, forms = (
        [asdict(reason) for reason in question.deadline_reasons()],
        [_form(form, question) for form in question.forms()],
    )
    return msgspec.json.encode({**_row(question), "why": why, "moves": moves, "forms": forms})


def _form(form: AnswerForm, question: PositionedQuestion) -> dict[str, Any]:
    """Return an answer with its verb and, in the order of the text, the slots that the player fills in."""
    return {
        "type": qualified_type(question.row.game.rules, form.verb),
        "verb": form.verb,
        "label": render_phrase(form.title, question.names),
        "slots": [_slot(name, slot, question) for name, slot in form.named_slots],
    }


def _slot(name: str, slot: Slot | NumberSlot, question: PositionedQuestion) -> dict[str, Any]:
    """Return a slot. Fields that do not apply are null: a list has no bounds, and a number has no words."""
    common = {"name": name, "label": render_phrase(slot.label, question.names)}
    if isinstance(slot, NumberSlot):
        return {**common, "lowest": slot.lowest, "highest": slot.highest, "choices": None, "least": None, "most": None}
    choices = [{"text": word, "label": render_phrase(meaning, question.names)} for word, meaning in slot.choices]
    return {**common, "lowest": None, "highest": None, "choices": choices, "least": slot.least, "most": slot.most}


def _move(rules: str, move: Any) -> dict[str, Any]:
    """Return a move in the format of the API. Its question is left out, because it is the object around it."""
    return qualify(rules, msgspec.to_builtins(msgspec.structs.replace(move, question="")))


def _row(question: OpenQuestionRow) -> dict[str, Any]:
    row = question.row
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
