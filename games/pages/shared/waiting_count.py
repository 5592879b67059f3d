"""The number of questions that wait for the reader of a page, for the menu and the title of every page."""

from typing import Any

from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from accounts.models import Account
from games.play import questions


def waiting_count(request: HttpRequest) -> dict[str, Any]:
    """Return the number as ``waiting_count``; nothing is looked up for a page that does not show it."""
    user = getattr(request, "user", None)
    return {"waiting_count": SimpleLazyObject(lambda: questions.count_of(user))} if isinstance(user, Account) else {}
