"""The number of questions that wait for the reader of a page, for the menu and the title of every page."""

from typing import Any, Final

from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from accounts.models import Account
from config.database.rows import find

_COUNT: Final = """
    SELECT count(*) FROM (
        SELECT game_id, number AS seat, true AS own FROM games_seat WHERE account_id = %(account)s
        UNION ALL
        SELECT game_id, seat, false FROM games_standin WHERE account_id = %(account)s AND ended_at IS NULL
    ) AS mine
    JOIN games_openquestion AS question ON question.game_id = mine.game_id AND question.seat = mine.seat
    WHERE NOT question.bot AND NOT (mine.own AND question.planned_at IS NOT NULL)
"""


def waiting_count(request: HttpRequest) -> dict[str, Any]:
    """Return the number as ``waiting_count``; nothing is looked up for a page that does not show it."""
    user = getattr(request, "user", None)
    return {"waiting_count": SimpleLazyObject(lambda: _count(user))} if isinstance(user, Account) else {}


def _count(account: Account) -> int:
    """Return how many there are, without the reader's own that a plan answers: a stand-in knows of no plan."""
    [(count,)] = find(_COUNT, {"account": account.pk})
    return int(count)
