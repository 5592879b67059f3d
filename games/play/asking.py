"""The questions that wait for an account, with the answers they offer: all of them in a few queries."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import Any
from uuid import UUID

from django.db.models import Exists, OuterRef, Q, QuerySet

from accounts.models import Account
from games import log_store
from games.engine import AnyRules, Question, Seat
from games.log_store import Position, UnknownRules
from games.models import Delegation, Game, OpenQuestion
from games.models import Seat as Place
from games.play import clock_words
from games.play.speak import speak


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
class Asked:
    """A question that waits, in the position in which it is asked."""

    row: OpenQuestion
    rules: AnyRules
    position: Position
    names: Mapping[Seat, str]
    reader: Account
    """Who may answer it: its player, or somebody for them."""

    def why(self) -> tuple[clock_words.Told, ...]:
        """Why it is due when it is; to nobody but its player, since it tells when they sleep and travel."""
        own = getattr(self.row, "own", False)
        return tuple(clock_words.why(self.row, self.row.game, self.rules, self.reader.time_zone)) if own else ()

    @property
    def question(self) -> Question | None:
        """The question as the rules put it."""
        asked = () if self.position.state is None else self.rules.questions(self.position.state)
        return next((each for each in asked if each.id == self.row.question), None)

    def says(self) -> str:
        """The question as a sentence, in the active language."""
        question = self.question
        if question is None:
            return ""
        view = self.rules.view(self.position.state, Seat(self.row.seat))
        return speak(self.rules.words.asks(view, question), self.names)

    def answers(self) -> Iterator[Offered]:
        """The answers it offers, numbered from 1."""
        question = self.question
        moves = () if question is None else self.rules.legal_moves(self.position.state, question)
        for number, move in enumerate(moves, start=1):
            yield Offered(number, move, self.rules.text(move), speak(self.rules.words.label(move), self.names))


def rows_of(account: Account, game: UUID | None = None) -> QuerySet[OpenQuestion]:
    """The open questions that this account may answer, in one game or in all, the most urgent first."""
    mine = Exists(Place.objects.filter(game=OuterRef("game"), number=OuterRef("seat"), account=account))
    delegated = Delegation.objects.filter(delegate=account, ended_at=None).values_list("game", "seat")
    known = reduce(or_, (Q(game=named, seat=seat) for named, seat in delegated), Q(mine))
    rows = OpenQuestion.objects.filter(known, house=False).order_by("due_at", "game_id", "seat").annotate(own=mine)
    return rows if game is None else rows.filter(game=game)


def of_account(account: Account, game: UUID | None = None) -> list[Asked]:
    """What this account is asked, in one game or in all, the most urgent first."""
    rows = rows_of(account, game).select_related("game")
    games = {row.game_id: row.game for row in rows if _known(row.game)}
    positions = log_store.positions(list(games.values())) if games else {}
    names = _names(games) if games else {}
    return [
        Asked(row, log_store.rules_of(row.game), positions[row.game_id], names[row.game_id], account)
        for row in rows
        if row.game_id in games
    ]


def _known(game: Game) -> bool:
    try:
        log_store.rules_of(game)
    except UnknownRules:
        return False
    return True


def _names(games: Mapping[UUID, Game]) -> dict[UUID, dict[Seat, str]]:
    names: dict[UUID, dict[Seat, str]] = {game: {} for game in games}
    for place in Place.objects.filter(game__in=games).select_related("account"):
        names[place.game_id][Seat(place.number)] = place.player
    return names
