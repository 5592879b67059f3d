"""Context processor for the number of the reader's open questions, shown in the menu and the title of every page."""

from typing import Any

from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from accounts.models import Account
from games.play import questions


def waiting_count(request: HttpRequest) -> dict[str, Any]:
    """Return the number as ``waiting_count``. It is lazy, because some pages do not show it."""
    user = getattr(request, "user", None)
    return (
        {"waiting_count": SimpleLazyObject(lambda: questions.count_questions(user))}
        if isinstance(user, Account)
        else {}
    )
