"""The questions that wait for an account, with the answers they offer: all of them in a few queries."""

from collections.abc import Iterator, Mapping
from typing import Any
from uuid import UUID

import msgspec
from django.db.models import Exists, OuterRef

from accounts.models import Account
from games import log_store
from games.engine import Seat
from games.log_store import Position, UnknownRules
from games.models import Game, OpenQuestion
from games.models import Seat as Place
from games.play.resolve import encode
from games.play.speak import speak


def of_account(account: Account, game: UUID | None = None) -> list[dict[str, Any]]:
    """What this account is asked, in one game or in all, the most urgent first."""
    mine = Place.objects.filter(game=OuterRef("game"), number=OuterRef("seat"), account=account)
    rows = OpenQuestion.objects.filter(Exists(mine), house=False).order_by("due_at", "game_id", "seat")
    rows = rows.select_related("game")
    if game is not None:
        rows = rows.filter(game=game)
    games = {row.game_id: row.game for row in rows if _known(row.game)}
    positions = log_store.positions(list(games.values())) if games else {}
    names = _names(games) if games else {}
    return [_told(row, positions[row.game_id], names[row.game_id]) for row in rows if row.game_id in games]


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


def _told(row: OpenQuestion, position: Position, names: Mapping[Seat, str]) -> dict[str, Any]:
    return {
        "id": row.question,
        "game": row.game_id,
        "seat": row.seat,
        "kind": row.kind,
        "reason": row.reason,
        "asked_at": row.asked_at,
        "due_at": row.due_at,
        "moves": list(_answers(row, position, names)),
    }


def _answers(row: OpenQuestion, position: Position, names: Mapping[Seat, str]) -> Iterator[dict[str, Any]]:
    rules = log_store.rules_of(row.game)
    for question in rules.questions(position.state):
        if question.id == row.question:
            for number, move in enumerate(rules.legal_moves(position.state, question), start=1):
                yield {
                    "number": number,
                    "text": rules.text(move),
                    "move": msgspec.json.decode(encode(move)),
                    "label": speak(rules.words.label(move), names),
                }
