"""The questions that wait for an account, with the answers they offer: all of them in a few queries."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import reduce
from operator import or_
from typing import Any, Final
from uuid import UUID

import msgspec
from django.db import connection
from django.db.models import Exists, OuterRef, Q, QuerySet

from accounts.models import Account
from config.core.database.rows import Shape, find
from games.deadlines import deadline_words
from games.engine import AnswerForm, AnyRules, Question, SeatNumber
from games.engine.forms import forms_of
from games.event_log import log_store
from games.event_log.log_store import Position, UnknownRules
from games.models import Game, OpenQuestion, Seat, StandIn
from games.text.phrases import render_phrase


@dataclass(frozen=True)
class Offered:
    """One of the answers that a question offers."""

    number: int
    move: Any
    text: str
    """In notation."""
    label: str
    """In the active language."""


@dataclass(frozen=True)
class Put:
    """A question that waits, as its row has it: without the answers it offers."""

    row: OpenQuestion
    rules: AnyRules
    names: Mapping[SeatNumber, str]
    reader: Account
    """The person who may answer it: its player, or a stand-in."""

    def why(self) -> tuple[deadline_words.Told, ...]:
        """Return why it is due when it is; to nobody but its player, since it tells when they sleep and travel."""
        own = getattr(self.row, "own", False)
        return tuple(deadline_words.why(self.row, self.row.game, self.rules, self.reader.time_zone)) if own else ()


@dataclass(frozen=True)
class Asked(Put):
    """A question that waits, in the position in which it is asked."""

    position: Position
    question: Question
    """The question as the rules put it."""

    def says(self) -> str:
        """The question as a sentence, in the active language."""
        view = self.rules.view(self.position.state, SeatNumber(self.row.seat))
        return render_phrase(self.rules.words.asks(view, self.question), self.names)

    def answers(self) -> Iterator[Offered]:
        """The answers it offers, numbered from 1."""
        moves = self.rules.legal_moves(self.position.state, self.question)
        for number, move in enumerate(moves, start=1):
            yield Offered(number, move, self.rules.text(move), render_phrase(self.rules.words.label(move), self.names))

    def forms(self) -> tuple[AnswerForm, ...]:
        """The answers that are filled in."""
        return forms_of(self.rules, self.position.state, self.question)


def rows_of(account: Account, game: UUID | None = None) -> QuerySet[OpenQuestion]:
    """The open questions that this account may answer, in one game or in all, the most urgent first."""
    mine = Exists(Seat.objects.filter(game=OuterRef("game"), number=OuterRef("seat"), account=account))
    stand_in_seats = StandIn.objects.filter(account=account, ended_at=None).values_list("game", "seat")
    known = reduce(or_, (Q(game=named, seat=seat) for named, seat in stand_in_seats), Q(mine))
    rows = OpenQuestion.objects.filter(known, bot=False).order_by("due_at", "game_id", "seat").annotate(own=mine)  # type: ignore[no-redef]
    return rows if game is None else rows.filter(game=game)


_OF_GAME: Final = (
    *("id", "code", "rules", "rules_version", "version", "terms"),
    *("options", "head", "commitment"),  # by which a snapshot is known to be of this log
)
"""The columns of a game's row that are read."""
_QUESTIONS: Final = Shape(OpenQuestion, ("bot", "remind_at", "reminders"))
_GAMES: Final = Shape(Game, [field.name for field in Game._meta.concrete_fields if field.name not in _OF_GAME])
_MINE: Final = """(
        SELECT game_id, number AS seat, true AS own FROM games_seat WHERE account_id = %(account)s
        UNION ALL
        SELECT game_id, seat, false FROM games_standin WHERE account_id = %(account)s AND ended_at IS NULL
    ) AS mine
    JOIN games_openquestion AS question ON question.game_id = mine.game_id AND question.seat = mine.seat"""
_ASKED: Final = f"""
    SELECT {_QUESTIONS.columns("question")}, {_GAMES.columns("game")}, mine.own, (
        SELECT json_object_agg(
            seat.number,
            coalesce((SELECT name FROM accounts_account WHERE id = seat.account_id), seat.name)
        )::text
        FROM games_seat AS seat WHERE seat.game_id = game.id
    )
    FROM {_MINE} JOIN games_game AS game ON game.id = question.game_id
    WHERE NOT question.bot AND (%(game)s::uuid IS NULL OR game.id = %(game)s)
    ORDER BY question.due_at, question.game_id, question.seat
"""
_COUNT: Final = f"""
    SELECT count(*) FROM {_MINE} WHERE NOT question.bot AND NOT (mine.own AND question.planned_at IS NOT NULL)
"""
_MACHINES_ARE_DUE: Final = """
    SELECT EXISTS (
        SELECT 1 FROM games_move WHERE game_id = %(game)s AND account_id = %(account)s AND state = 'received'
    ) OR NOT EXISTS (SELECT 1 FROM games_openquestion WHERE game_id = %(game)s AND NOT bot)
"""
_NOTE_SEEN: Final = """
    WITH unseen AS (
        SELECT game_id, question FROM games_openquestion
        WHERE (game_id, question) IN (SELECT * FROM unnest(%s::uuid[], %s::text[])) AND seen_at IS NULL
        FOR UPDATE SKIP LOCKED
    )
    UPDATE games_openquestion AS row SET seen_at = %s FROM unseen
    WHERE row.game_id = unseen.game_id AND row.question = unseen.question
"""


def of_account(account: Account, game: UUID | None = None) -> list[Asked]:
    """Return what this account is asked, in one game or in all, the most urgent first."""
    return in_position(put_to(account, game))


def put_to(account: Account, game: UUID | None = None) -> list[Put]:
    """The same without looking at how these games stand: one statement, however many they are."""
    found = map(_read, find(_ASKED, {"account": account.pk, "game": game}))
    return [Put(row, log_store.rules_of(row.game), names, account) for row, names in found if _known(row.game)]


def count_of(account: Account) -> int:
    """Return how many wait, without its own that a plan answers: a stand-in knows of no plan."""
    [(count,)] = find(_COUNT, {"account": account.pk})
    return int(count)


def machines_are_due(game: UUID, account: Account) -> bool:
    """Return whether nobody is waited for but bots, or but the server: to resolve what this account answered last."""
    [(are_due,)] = find(_MACHINES_ARE_DUE, {"game": game, "account": account.pk})
    return bool(are_due)


def note_seen(rows: Iterable[OpenQuestion], now: datetime) -> None:
    """Note that a page shows these questions to their player, of those that no page has shown before.

    One whose row is held by somebody else is left for the next look: nobody waits, and no move waits for a page.
    """
    unseen = [(row.game_id, row.question) for row in rows if row.seen_at is None]
    if unseen:
        games, names = zip(*unseen, strict=True)
        with connection.cursor() as cursor:
            cursor.execute(_NOTE_SEEN, [[*games], [*names], now])


def in_position(put: Sequence[Put]) -> list[Asked]:
    """These questions, each in the position in which it is asked; none that was answered since its row was read."""
    positions = log_store.positions([each.row.game for each in put]) if put else {}
    return [asked for each in put if (asked := _asked(each, positions[each.row.game_id]))]


def _asked(put: Put, position: Position) -> Asked | None:
    found = () if position.state is None else put.rules.questions(position.state)
    question = next((each for each in found if each.id == put.row.question), None)
    return None if question is None else Asked(put.row, put.rules, put.names, put.reader, position, question)


def _read(row: Sequence[Any]) -> tuple[OpenQuestion, dict[SeatNumber, str]]:
    """A question with its game and whether it is the reader's own, and what those are called who sit there."""
    question = _QUESTIONS.instance(row)
    question.game = _GAMES.instance(row[_QUESTIONS.width :])
    own, names = row[-2:]
    question.own = own
    return question, msgspec.json.decode(names, type=dict[SeatNumber, str])


def _known(game: Game) -> bool:
    try:
        log_store.rules_of(game)
    except UnknownRules:
        return False
    return True
