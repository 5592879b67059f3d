"""The open questions of an account, with the answers that they offer, read in a few queries."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import reduce
from operator import or_
from typing import Any, Final
from uuid import UUID

import msgspec
from django.db.models import Exists, OuterRef, Q, QuerySet

from accounts.models import Account
from config.core.database.rows import Shape
from config.core.database.sql import execute, find
from games import queries
from games.deadlines import deadline_words
from games.engine import AnswerForm, AnyRules, Question, SeatNumber
from games.engine.forms import forms_of
from games.event_log import log_store
from games.event_log.log_store import Position, UnknownRules
from games.models import Game, Move, OpenQuestion, Seat, StandIn
from games.phrases import render_phrase


@dataclass(frozen=True)
class OfferedAnswer:
    """An answer that a question offers."""

    number: int
    move: Any
    text: str
    """The move in notation."""
    label: str
    """A label in the active language."""


@dataclass(frozen=True)
class OpenQuestionRow:
    """The row of an open question, without the answers that it offers."""

    row: OpenQuestion
    rules: AnyRules
    names: Mapping[SeatNumber, str]
    reader: Account
    """The account that may answer: the player, or a stand-in."""

    def deadline_reasons(self) -> tuple[deadline_words.DeadlineReason, ...]:
        """Return the reasons for the deadline, for the player only. They show when the player sleeps and travels."""
        is_own = getattr(self.row, "own", False)
        return tuple(deadline_words.why(self.row, self.row.game, self.rules, self.reader.time_zone)) if is_own else ()


@dataclass(frozen=True)
class PositionedQuestion(OpenQuestionRow):
    """An open question with the position in which it is asked."""

    position: Position
    question: Question

    def sentence(self) -> str:
        """Return the question as a sentence in the active language."""
        view = self.rules.view(self.position.state, SeatNumber(self.row.seat))
        return render_phrase(self.rules.words.asks(view, self.question), self.names)

    def answers(self) -> Iterator[OfferedAnswer]:
        """Yield the answers that the question offers, numbered from 1."""
        moves = self.rules.legal_moves(self.position.state, self.question)
        for number, move in enumerate(moves, start=1):
            yield OfferedAnswer(
                number, move, self.rules.text(move), render_phrase(self.rules.words.label(move), self.names)
            )

    def forms(self) -> tuple[AnswerForm, ...]:
        """Return the answers that are filled in by the player."""
        return forms_of(self.rules, self.position.state, self.question)


def question_queryset(account: Account, game: UUID | None = None) -> QuerySet[OpenQuestion]:
    """Return the open questions that an account may answer, in one game or in all, most urgent first."""
    is_own = Exists(Seat.objects.filter(game=OuterRef("game"), number=OuterRef("seat"), account=account))
    stand_in_seats = StandIn.objects.filter(account=account, ended_at=None).values_list("game", "seat")
    condition = reduce(or_, (Q(game=game_id, seat=seat) for game_id, seat in stand_in_seats), Q(is_own))
    rows = OpenQuestion.objects.filter(condition, bot=False).order_by("due_at", "game_id", "seat")
    rows = rows.annotate(own=is_own)  # type: ignore[no-redef]
    return rows if game is None else rows.filter(game=game)


_OF_GAME: Final = (
    *("id", "code", "rules", "rules_version", "version", "terms"),
    *("options", "head", "commitment"),  # needed to check whether the snapshot belongs to this log
)
"""The columns of a game that are read."""
_QUESTIONS: Final = Shape(OpenQuestion, ("bot", "remind_at", "reminders"))
_GAMES: Final = Shape(Game, [field.name for field in Game._meta.concrete_fields if field.name not in _OF_GAME])
_ROWS: Final = queries.OPEN_QUESTIONS.format(question=_QUESTIONS.columns("question"), game=_GAMES.columns("game"))


def open_questions(account: Account, game: UUID | None = None) -> list[PositionedQuestion]:
    """Return the open questions of an account, in one game or in all, most urgent first."""
    return add_positions(question_rows(account, game))


def question_rows(account: Account, game: UUID | None = None) -> list[OpenQuestionRow]:
    """Return the same without the positions of the games, with one statement."""
    rows = map(_read_row, find(_ROWS, {"account": account.pk, "game": game}))
    return [
        OpenQuestionRow(row, log_store.rules_of(row.game), names, account)
        for row, names in rows
        if _has_rules(row.game)
    ]


def count_questions(account: Account) -> int:
    """Return the number of open questions, without the account's own questions that a plan answers."""
    [(count,)] = find(queries.COUNT_QUESTIONS, {"account": account.pk})
    return int(count)


def is_server_due(game: UUID, account: Account) -> bool:
    """Return True if only bots are asked, or if a move of this account is not resolved yet."""
    own_moves = Move.objects.filter(game=OuterRef("pk"), account=account, state=Move.State.RECEIVED)
    questions = OpenQuestion.objects.filter(game=OuterRef("pk"), bot=False)
    return Game.objects.filter(Exists(own_moves) | ~Exists(questions), pk=game).exists()


def note_seen(rows: Iterable[OpenQuestion], now: datetime) -> None:
    """Store the time at which the player first saw these questions on a page."""
    unseen = [(row.game_id, row.question) for row in rows if row.seen_at is None]
    if unseen:
        games, names = zip(*unseen, strict=True)
        execute(queries.NOTE_SEEN, [[*games], [*names], now])


def add_positions(rows: Sequence[OpenQuestionRow]) -> list[PositionedQuestion]:
    """Return questions with their positions. Leaves out questions that were answered after their row was read."""
    positions = log_store.positions([row.row.game for row in rows]) if rows else {}
    questions = (_positioned_question(row, positions[row.row.game_id]) for row in rows)
    return [question for question in questions if question is not None]


def _positioned_question(row: OpenQuestionRow, position: Position) -> PositionedQuestion | None:
    questions = () if position.state is None else row.rules.questions(position.state)
    question = next((question for question in questions if question.id == row.row.question), None)
    if question is None:
        return None
    return PositionedQuestion(row.row, row.rules, row.names, row.reader, position, question)


def _read_row(row: Sequence[Any]) -> tuple[OpenQuestion, dict[SeatNumber, str]]:
    """Return a question with its game, marked as the reader's own or not, and the names of the players."""
    question = _QUESTIONS.instance(row)
    question.game = _GAMES.instance(row[_QUESTIONS.width :])
    question.own, names = row[-2:]
    return question, msgspec.json.decode(names, type=dict[SeatNumber, str])


def _has_rules(game: Game) -> bool:
    try:
        log_store.rules_of(game)
    except UnknownRules:
        return False
    return True
