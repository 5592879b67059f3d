"""The questions that wait for an account, as the API shows them."""

from dataclasses import asdict
from typing import Any
from uuid import UUID

import msgspec

from accounts.models import Account
from games.play import asking
from games.play.asking import Asked
from games.play.encoding import encode


def of_account(account: Account, game: UUID | None = None) -> list[dict[str, Any]]:
    """What this account is asked, in one game or in all, the most urgent first."""
    return [_told(each) for each in asking.of_account(account, game)]


def mark(account: Account, game: UUID | None = None) -> list[Any]:
    """What changes whenever an account is asked something else, in one game or in all."""
    return list(asking.rows_of(account, game).values_list("game_id", "question", "due_at"))


def _told(asked: Asked) -> dict[str, Any]:
    row = asked.row
    return {
        "id": row.question,
        "game": row.game_id,
        "seat": row.seat,
        "kind": row.kind,
        "reason": row.reason,
        "asked_at": row.asked_at,
        "due_at": row.due_at,
        "why": [asdict(each) for each in asked.why()],
        "moves": [
            {
                "number": each.number,
                "text": each.text,
                "move": msgspec.json.decode(encode(each.move)),
                "label": each.label,
            }
            for each in asked.answers()
        ],
    }
