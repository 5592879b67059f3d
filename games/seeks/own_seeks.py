"""The seeks of one account: listed, withdrawn, and forgotten in the end."""

from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from django.db import transaction

from accounts.models import Account
from games.engine import Phrase, gettext_noop
from games.models import Seek
from games.refusals import Refusal, not_found

MOST_LISTED: Final = 50
RETENTION: Final = timedelta(days=30)
"""The time for which a seek is kept once it is over."""


def list_seeks(account: Account) -> list[Seek]:
    """The seeks of an account, the newest first."""
    return list(Seek.objects.filter(account=account).order_by("-created_at", "-id")[:MOST_LISTED])


def get_seek(account: Account, seek: UUID) -> Seek:
    """Return a seek of an account. Raises Refusal(not-found)."""
    found = Seek.objects.filter(account=account, pk=seek).first()
    if found is None:
        raise not_found()
    return found


def withdraw(account: Account, seek: UUID, now: datetime) -> None:
    """Withdraw a seek. Has no effect if it is withdrawn already. Raises Refusal(not-found), or Refusal(conflict) if
    it has led to a game.
    """
    with transaction.atomic():
        found = Seek.objects.select_for_update().filter(account=account, pk=seek).first()
        if found is None:
            raise not_found()
        if found.state == Seek.State.MATCHED:
            raise Refusal("conflict", Phrase(gettext_noop("Players were found: the game has been created.")))
        if found.state == Seek.State.OPEN:
            found.state, found.ended_at = Seek.State.WITHDRAWN, now
            found.save(update_fields=["state", "ended_at"])


def withdraw_all(account: Account, now: datetime) -> None:
    """Withdraw all seeks, when an account leaves the server."""
    Seek.objects.filter(account=account, state=Seek.State.OPEN).update(state=Seek.State.WITHDRAWN, ended_at=now)


def forget_old(now: datetime) -> None:
    """Delete the seeks that have been over for long."""
    Seek.objects.filter(ended_at__lt=now - RETENTION).delete()
