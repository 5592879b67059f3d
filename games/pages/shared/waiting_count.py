"""The number of questions that wait for the reader of a page, for the menu and the title of every page."""

from typing import Any

from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from accounts.models import Account
from games.play.questions import rows_of


def waiting_count(request: HttpRequest) -> dict[str, Any]:
    """Return the number as ``waiting_count``; nothing is looked up for a page that does not show it."""
    user = getattr(request, "user", None)
    return {"waiting_count": SimpleLazyObject(lambda: _count(user))} if isinstance(user, Account) else {}


def _count(account: Account) -> int:
    """Return how many there are, without the reader's own that a plan answers: a stand-in knows of no plan."""
    found = rows_of(account).only("planned_at")
    return sum(row.planned_at is None or not getattr(row, "own", False) for row in found)
